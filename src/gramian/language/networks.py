"""What a study of replicates says."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "net.data": (
        "Networks of {variables} in {conditions} ({groups} replicates).",
        "Réseaux de {variables} dans {conditions} (répétitions : {groups}).",
    ),
    "net.group": ("{name}: {count}", "{name} : {count}"),
    "net.goal": (
        "an agreement of {target} between two independent experiments",
        "un accord de {target} entre deux expériences indépendantes",
    ),
    "net.pooled": (
        "An experiment gives one network, of the same number of replicates of every condition, "
        "less the means of conditions.",
        "Une expérience donne un seul réseau, tiré d’autant de répétitions de chaque condition, "
        "moyennes des conditions ôtées.",
    ),
    "net.shared": (
        "With so few replicates a condition shows next to nothing by itself: the deviations from "
        "the means of all conditions were taken together, as if conditions had the same network. "
        "Where they have not, the number below is rather too large.",
        "Avec si peu de répétitions une condition seule ne montre presque rien : les écarts aux "
        "moyennes de toutes les conditions ont été réunis, comme si elles avaient le même réseau. "
        "Là où elles ne l’ont pas, le nombre ci-dessous est plutôt trop grand.",
    ),
    "net.none.far": (
        "More than {low} replicates per condition are needed for {goal} ({sure} confidence); the "
        "data do not say how many. Networks with fewer or stronger edges may be more stable.",
        "Il faut plus de {low} répétitions par condition pour {goal} (confiance {sure}) ; les "
        "données ne disent pas combien. Des réseaux aux arêtes moins nombreuses ou plus fortes "
        "peuvent être plus stables.",
    ),
    "net.none.chance": (
        "Nothing is recommended: at {r} replicates, the most that can be seen, networks do not "
        "clearly agree more than those of shuffled tables do ({chance}). There may be no network, "
        "or too few replicates to see one.",
        "Rien n’est recommandé : à {r} répétitions, le plus qu’on puisse voir, les réseaux ne "
        "s’accordent pas nettement plus que ceux de tableaux mélangés ({chance}). Il n’y a "
        "peut-être pas de réseau, ou trop peu de répétitions pour en voir un.",
    ),
    "net.none.kernel": (
        "Nothing is recommended: networks of shuffled tables agree by {chance}, as much as is "
        "asked for. Take a kernel that knows the nodes by name, or ask for more.",
        "Rien n’est recommandé : les réseaux de tableaux mélangés s’accordent à {chance}, autant "
        "qu’il est demandé. Prenez un noyau qui connaît les nœuds par leur nom, ou demandez plus.",
    ),
    "net.open": (
        "About {number} replicates per condition give {goal}; with {sure} confidence {low} or more "
        "are needed, and the data set no upper limit.",
        "Environ {number} répétitions par condition donnent {goal} ; avec une confiance de {sure} "
        "il en faut {low} ou plus, et les données ne fixent pas de limite supérieure.",
    ),
    "net.beyond": (
        "That is more than the {r} replicates of which two experiments were seen: it rests on "
        "learning curves of several kinds, weighted by how well they fit, whose steepness is held "
        "within limits that are usual.",
        "C’est plus que les {r} répétitions dont deux expériences ont été vues : cela repose sur "
        "des courbes d’apprentissage de plusieurs sortes, pondérées par leur ajustement, dont la "
        "pente est tenue dans des limites usuelles.",
    ),
    "net.exactly": (
        "{number} replicates per condition give {goal}; with {sure} confidence exactly {low} are "
        "needed.",
        "{number} répétitions par condition donnent {goal} ; avec une confiance de {sure} il en "
        "faut exactement {low}.",
    ),
    "net.between": (
        "{number} replicates per condition give {goal}; with {sure} confidence between {low} and "
        "{high} are needed.",
        "{number} répétitions par condition donnent {goal} ; avec une confiance de {sure} il en "
        "faut entre {low} et {high}.",
    ),
    "net.safe": ("To be safe, take {high}.", "Pour plus de sûreté, prenez-en {high}."),
    "net.now": (
        "At {r} replicates, the most of which two experiments can be seen, agreement is "
        "{agreement} ({low} to {high}); by chance it would be {chance}.",
        "À {r} répétitions, le plus dont on puisse voir deux expériences, l’accord est de "
        "{agreement} ({low} à {high}) ; par hasard il serait de {chance}.",
    ),
    "net.structure": (
        "Two experiments of {r} replicates share {edges} of their edges; the numbers of neighbours "
        "of a gene correlate by {degrees}; a hub of one has more neighbours in the other than "
        "another gene in {hubs} of comparisons (50 % is chance); modules agree by {modules} (0 is "
        "chance, 1 the same).",
        "Deux expériences de {r} répétitions ont en commun {edges} de leurs arêtes ; les nombres "
        "de voisins d’un gène ont une corrélation de {degrees} ; un nœud central de l’une a plus "
        "de voisins dans l’autre qu’un autre gène dans {hubs} des comparaisons (50 % par hasard) ; "
        "les modules s’accordent à {modules} (0 par hasard, 1 identiques).",
    ),
    "net.differ": (
        "The networks of the conditions differ ({p}).",
        "Les réseaux des conditions diffèrent ({p}).",
    ),
    "net.power": (
        "An experiment of {r} replicates per condition tells the networks of the conditions apart "
        "in about {rate} of cases: the whole test was repeated on experiments of {r} against {r} "
        "drawn from this one.",
        "Une expérience de {r} répétitions par condition distingue les réseaux des conditions dans "
        "environ {rate} des cas : le test entier a été refait sur des expériences de {r} contre "
        "{r} tirées de celle-ci.",
    ),
    "net.untested": (
        "Whether conditions have different networks was not tested: this needs 6 replicates in "
        "each.",
        "On n’a pas testé si les conditions ont des réseaux différents : il faut 6 répétitions "
        "dans chacune.",
    ),
    "net.alike": (
        "No difference between the networks of the conditions was found ({p}), which does not show "
        "that there is none; different mean levels do not count as one.",
        "Aucune différence entre les réseaux des conditions n’a été trouvée ({p}), ce qui ne "
        "montre "
        "pas qu’il n’y en a pas ; des niveaux moyens différents n’en sont pas une.",
    ),
}
