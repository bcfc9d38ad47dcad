"""What a study of replicates says."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "net.read.turned": (
        "Genes are the rows of this table and samples its columns, by their names: it was taken "
        "transposed.",
        "Les gènes sont les lignes de ce tableau et les échantillons ses colonnes, d’après leurs "
        "noms : il a été transposé.",
    ),
    "net.read.names": (
        "The condition of a sample is its name without the last number: {names}.",
        "La condition d’un échantillon est son nom sans le dernier nombre : {names}.",
    ),
    "net.read.missing": (
        "{count} genes with missing values were left out.",
        "{count} gènes à valeurs manquantes ont été laissés de côté.",
    ),
    "net.read.missing.one": (
        "One gene with missing values was left out.",
        "Un gène à valeurs manquantes a été laissé de côté.",
    ),
    "net.read.constant": (
        "{count} genes that are the same in all samples were left out.",
        "{count} gènes identiques dans tous les échantillons ont été laissés de côté.",
    ),
    "net.read.constant.one": (
        "One gene that is the same in all samples was left out.",
        "Un gène identique dans tous les échantillons a été laissé de côté.",
    ),
    "net.read.counts": (
        "The numbers are counts: they became log2 counts per million (a half added), whose "
        "variance hardly depends on their size.",
        "Les nombres sont des comptages : ils sont devenus des log2 de comptages par million (un "
        "demi ajouté), dont la variance ne dépend guère de la taille.",
    ),
    "net.read.variable": (
        "Of {p} genes, the {count} that vary most within conditions were kept.",
        "Sur {p} gènes, les {count} qui varient le plus au sein des conditions ont été gardés.",
    ),
    "net.read.modules": (
        "Of {p} genes, {count} that stand in {modules} were kept, the largest modules first "
        "(links within conditions at a false discovery rate of 0.01, among the {searched} genes "
        "that vary most). They were chosen by the links of these samples: agreement is rather too "
        "large, the number of replicates rather too small.",
        "Sur {p} gènes, {count} qui font partie de {modules} ont été gardés, les plus grands "
        "modules d’abord (liens au sein des conditions, taux de fausses découvertes de 0,01, parmi "
        "les {searched} gènes qui varient le plus). Ils ont été choisis par les liens de ces "
        "échantillons : l’accord est plutôt trop grand, le nombre de répétitions plutôt trop "
        "petit.",
    ),
    "net.read.listed": (
        "The {of} genes of a list were kept.",
        "Les {of} gènes d’une liste ont été gardés.",
    ),
    "net.read.some": (
        "Of the {of} genes of a list, {n} were found ({name} was not).",
        "Sur les {of} gènes d’une liste, {n} ont été trouvées ({name} ne l’a pas été).",
    ),
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
        "Nothing is recommended: at {r} replicates, {most}, networks do not "
        "clearly agree more than those of shuffled tables do ({chance}). There may be no network, "
        "or too few replicates to see one.",
        "Rien n’est recommandé : à {r} répétitions, {most}, les réseaux ne "
        "s’accordent pas nettement plus que ceux de tableaux mélangés ({chance}). Il n’y a "
        "peut-être pas de réseau, ou trop peu de répétitions pour en voir un.",
    ),
    "net.none.differ": (
        "Nothing is recommended: the conditions have different networks, which taken together "
        "hardly agree more than those of shuffled tables do ({chance}), and there are too few "
        "replicates to look at each condition by itself; 12 in each are enough for that.",
        "Rien n’est recommandé : les conditions ont des réseaux différents, qui, pris ensemble, ne "
        "s’accordent guère plus que ceux de tableaux mélangés ({chance}), et il y a trop peu de "
        "répétitions pour regarder chaque condition seule ; 12 dans chacune y suffisent.",
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
    "net.one": (
        "With so few samples one size alone was seen, which shows no slope: the limits are mostly "
        "those of the prior, simulated designs that all need at most {most} replicates.",
        "Avec si peu d’échantillons une seule taille a été vue, qui ne montre aucune pente : les "
        "limites sont surtout celles de la loi a priori, des plans simulés qui demandent tous au "
        "plus {most} répétitions.",
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
    "net.most": (
        "the most of which two experiments can be seen",
        "le plus dont on puisse voir deux expériences",
    ),
    "net.most.together": (
        "since all conditions together show as many as an experiment of {r} would show",
        "car toutes les conditions ensemble en montrent autant qu’une expérience de {r} en "
        "montrerait",
    ),
    "net.now": (
        "At {r} replicates, {most}, agreement is "
        "{agreement} ({low} to {high}) by the learning curves, and {seen} was seen; by chance it "
        "would be {chance}.",
        "À {r} répétitions, {most}, l’accord est de "
        "{agreement} ({low} à {high}) selon les courbes d’apprentissage, et on a vu {seen} ; par "
        "hasard il serait de {chance}.",
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
    "net.what": (
        "Agreement is what the networks of two independent experiments of r replicates share, from "
        "0 to 1: with the usual kernel, the share of edges that the second finds again, with the "
        "same sign. Points were seen in disjoint halves of these data; the band is that of the "
        "learning curves that go with them.",
        "L’accord est ce que partagent les réseaux de deux expériences indépendantes de r "
        "répétitions, de 0 à 1 : avec le noyau usuel, la part des arêtes que la seconde retrouve, "
        "avec le même signe. Les points ont été vus dans des moitiés disjointes de ces données ; "
        "la bande est celle des courbes d’apprentissage qui leur vont.",
    ),
    "net.rests.seen": (
        "Disjoint sets of {low} to {high} replicates, compared two by two as two experiments would "
        "be; nothing larger can be seen without sharing samples.",
        "Des ensembles disjoints de {low} à {high} répétitions, comparés deux à deux comme le "
        "seraient deux expériences ; rien de plus grand ne se voit sans partager d’échantillons.",
    ),
    "net.rests.seen.one": (
        "Disjoint sets of {high} replicates, compared two by two as two experiments would be; "
        "nothing larger can be seen without sharing samples.",
        "Des ensembles disjoints de {high} répétitions, comparés deux à deux comme le seraient "
        "deux expériences ; rien de plus grand ne se voit sans partager d’échantillons.",
    ),
    "net.rests.jackknife": (
        "Its error is that of a jackknife: every sample was left out in turn.",
        "Son erreur est celle d’un jackknife : chaque échantillon a été ôté à son tour.",
    ),
    "net.rests.curves": (
        "Three families of learning curves, weighted by how well they fit: log-odds {logodds}, "
        "probit {probit}, power law {power}.",
        "Trois familles de courbes d’apprentissage, pondérées par leur ajustement : log-cotes "
        "{logodds}, probit {probit}, loi de puissance {power}.",
    ),
    "net.rests.prior": (
        "A prior for the steepness of these curves, taken from 100 simulated designs (modules of "
        "genes; normal, heavy-tailed and skewed data). The fewer sizes were seen, the more it "
        "weighs.",
        "Une loi a priori sur la pente de ces courbes, tirée de 100 plans simulés (modules de "
        "gènes ; données normales, à queues lourdes, asymétriques). Moins on a vu de tailles, plus "
        "elle pèse.",
    ),
    "net.rests.edges": (
        "Networks of the {count} strongest correlations, the same number at every size: as many as "
        "are significant in all samples, within limits.",
        "Des réseaux des {count} plus fortes corrélations, le même nombre à chaque taille : autant "
        "que de significatives dans tous les échantillons, dans certaines limites.",
    ),
    "net.change.strength": (
        "Stronger links or cleaner measurements: fewer replicates. Samples far out or batches: "
        "more.",
        "Des liens plus forts ou des mesures plus nettes : moins de répétitions. Des échantillons "
        "aberrants ou des lots : plus.",
    ),
    "net.change.target": (
        "Another agreement: a lower one is reached with fewer replicates, as the curve shows.",
        "Un autre accord : un accord plus bas demande moins de répétitions, comme le montre la "
        "courbe.",
    ),
    "net.change.genes": (
        "Other genes, or fewer edges: networks of strong links only are found again sooner.",
        "D’autres gènes, ou moins d’arêtes : des réseaux de liens forts seuls sont retrouvés plus "
        "tôt.",
    ),
    "net.consensus": (
        "{count} edges are found in at least half of the networks of {r} replicates.",
        "{count} arêtes se trouvent dans au moins la moitié des réseaux de {r} répétitions.",
    ),
    "net.consensus.one": (
        "One edge is found in at least half of the networks of {r} replicates.",
        "Une arête se trouve dans au moins la moitié des réseaux de {r} répétitions.",
    ),
    "net.map": (
        "Each point is a network, placed by kernel PCA: near ones share edges. Networks of few "
        "replicates scatter; where more replicates draw them together, they have stopped changing. "
        "The large points are the networks of all replicates.",
        "Chaque point est un réseau, placé par ACP à noyau : les voisins partagent des arêtes. Les "
        "réseaux de peu de répétitions sont épars ; là où plus de répétitions les rassemblent, ils "
        "ont cessé de changer. Les gros points sont les réseaux de toutes les répétitions.",
    ),
    "net.links": (
        "{count} links differ between conditions (false discovery rate 5 %).",
        "{count} liens diffèrent entre conditions (taux de fausses découvertes 5 %).",
    ),
    "net.links.one": (
        "One link differs between conditions (false discovery rate 5 %).",
        "Un lien diffère entre conditions (taux de fausses découvertes 5 %).",
    ),
    "net.links.none": (
        "No single link was found to differ between conditions (false discovery rate 5 %).",
        "Aucun lien pris seul ne diffère entre conditions (taux de fausses découvertes 5 %).",
    ),
    "h.agreement": ("How many replicates?", "Combien de répétitions ?"),
    "h.rests": ("What the number rests on", "Sur quoi repose ce nombre"),
    "h.change": ("What would change it", "Ce qui le changerait"),
    "h.networks": ("The networks", "Les réseaux"),
    "h.map": ("The map of the networks", "La carte des réseaux"),
    "h.conditions": ("Do conditions differ?", "Les conditions diffèrent-elles ?"),
    "fig.agreement": (
        "Agreement of two experiments against replicates",
        "Accord de deux expériences selon les répétitions",
    ),
    "fig.agreement.alt": (
        "Curve of agreement against the number of replicates, with its band.",
        "Courbe de l’accord selon le nombre de répétitions, avec sa bande.",
    ),
    "fig.shared": (
        "What two experiments share against replicates",
        "Ce que partagent deux expériences selon les répétitions",
    ),
    "fig.shared.alt": (
        "Curves of shared edges, degrees, hubs and modules against the number of replicates.",
        "Courbes des arêtes, degrés, nœuds centraux et modules communs selon les répétitions.",
    ),
    "fig.network": (
        "Edges that are found again and again",
        "Arêtes retrouvées encore et encore",
    ),
    "fig.network.alt": ("A drawing of the network.", "Un dessin du réseau."),
    "fig.map.size": ("By number of replicates", "Par nombre de répétitions"),
    "fig.map.condition": ("By condition", "Par condition"),
    "fig.map.alt": (
        "Map of networks by kernel PCA, one point each.",
        "Carte des réseaux par ACP à noyau, un point chacun.",
    ),
    "tab.curve": ("Agreement by number of replicates", "Accord par nombre de répétitions"),
    "tab.hubs": ("Neighbours found again", "Voisins retrouvés"),
    "tab.edges": ("Edges found again", "Arêtes retrouvées"),
    "tab.links": ("Links that differ", "Liens qui diffèrent"),
    "col.source": ("gene", "gène"),
    "col.target": ("and", "et"),
    "col.weight": ("correlation", "corrélation"),
    "col.frequency": ("share of networks", "part des réseaux"),
    "col.q_value": ("q-value", "q"),
    "col.degree": ("neighbours", "voisins"),
    "col.net.size": ("replicates", "répétitions"),
    "col.net.agreement": ("agreement", "accord"),
    "col.net.agreement_low": ("low", "bas"),
    "col.net.agreement_high": ("high", "haut"),
    "col.net.observed": ("seen", "vu"),
    "col.net.edges": ("edges", "arêtes"),
    "col.net.degrees": ("degrees", "degrés"),
    "col.net.hubs": ("hubs", "nœuds centraux"),
    "col.net.modules": ("modules", "modules"),
    "col.net.told_apart": ("told apart", "distinguées"),
}
