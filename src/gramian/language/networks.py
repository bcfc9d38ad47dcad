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
    "net.none": (
        "No number of replicates in reach gives {goal}: more than {low} are needed ({sure} "
        "confidence). Networks with fewer or stronger edges may be more stable.",
        "Aucun nombre de répétitions à portée ne donne {goal} : il en faut plus de {low} "
        "(confiance "
        "{sure}). Des réseaux aux arêtes moins nombreuses ou plus fortes peuvent être plus "
        "stables.",
    ),
    "net.extrapolated": (
        "About {number} replicates per condition would give {goal}, by extrapolation, which tends "
        "to say too few; the data themselves say {low} or more ({sure} confidence).",
        "Environ {number} répétitions par condition donneraient {goal}, par extrapolation, qui en "
        "dit plutôt trop peu ; les données elles-mêmes disent {low} ou plus (confiance {sure}).",
    ),
    "net.open": (
        "{number} replicates per condition give {goal}; with {sure} confidence {low} or more are "
        "needed.",
        "{number} répétitions par condition donnent {goal} ; avec une confiance de {sure} il en "
        "faut {low} ou plus.",
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
        "At {r} replicates, the most that can be judged, agreement is {agreement} ({low} to "
        "{high}); {edges} of the edges are found again.",
        "À {r} répétitions, le plus qu’on puisse juger, l’accord est de {agreement} ({low} à "
        "{high}) ; {edges} des arêtes sont retrouvées.",
    ),
    "net.hubs": (
        "The share of hubs found again goes from {first} at {low} replicates to {last} at {high}.",
        "La part des nœuds centraux retrouvés va de {first} à {low} répétitions à {last} à {high}.",
    ),
    "net.hubs.one": (
        "{last} of the hubs are the same in both experiments.",
        "{last} des nœuds centraux sont les mêmes dans les deux expériences.",
    ),
    "net.differ": (
        "The networks of the conditions differ ({p}, for all sizes together). The test draws sets "
        "of replicates from the whole experiment: a smaller experiment may not show it.",
        "Les réseaux des conditions diffèrent ({p}, toutes tailles ensemble). Le test tire des "
        "répétitions de toute l’expérience : une expérience plus petite peut ne pas le montrer.",
    ),
    "net.alike": (
        "No difference between the networks of the conditions was found ({p}), which does not show "
        "that there is none; different mean levels do not count as one.",
        "Aucune différence entre les réseaux des conditions n’a été trouvée ({p}), ce qui ne "
        "montre "
        "pas qu’il n’y en a pas ; des niveaux moyens différents n’en sont pas une.",
    ),
}
