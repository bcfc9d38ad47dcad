"""What figures say by themselves in English, and how to say it in French."""

from __future__ import annotations

__all__ = ["ENDINGS", "FRENCH"]

# of what stands at the points of maps of networks: names before them are the data's
ENDINGS = (
    (r", (\d+) replicates$", r", \1 répétitions"),
    (r", all replicates$", ", toutes les répétitions"),
    (r": all$", " : toutes"),
    (r"^all(?=$|, )", "toutes"),
    (r"^replicates$", "répétitions"),
    (r"^neighbours$", "voisins"),
)

FRENCH = (
    (r"^Axis (\d+ \(.*) of the map\)$", r"Axe \1 de la carte)"),
    (r"^Axis\b", "Axe"),
    (r"^Inertia \(%\)$", "Inertie (%)"),
    (r"^Cumulated inertia \(%\)$", "Inertie cumulée (%)"),
    (r"^cumulated$", "cumul"),
    (r"^active$", "actives"),
    (r"^supplementary$", "supplémentaires"),
    (r"^Contribution to axis (\d+) \(%\)$", r"Contribution à l’axe \1 (%)"),
    (r"^complete$", "complets"),
    (r"^with missing values$", "avec valeurs manquantes"),
    (
        r"^regions: (\d+)\s?%, over (\d+) completed tables$",
        r"régions : \1 %, sur \2 tableaux complétés",
    ),
    (r"^uniform \(", "uniforme ("),
    (r"^equal distances$", "distances égales"),
    (r"^Given distance$", "Distance donnée"),
    (r"^Distance in feature space$", "Distance dans l’espace du noyau"),
    (r"^Distance in the map \((\d+) ax[ei]s\)$", r"Distance sur la carte (\1 axes)"),
    (
        r"^arrows: the (\d+) of (\d+) variables that contribute most to either axis$",
        r"flèches : les \1 variables sur \2 qui contribuent le plus à l’un des deux axes",
    ),
    (
        r"^arrows: the (\d+) of (\d+) variables with the largest cos² in the plane$",
        r"flèches : les \1 variables sur \2 de plus grand cos² dans le plan",
    ),
    (r"^the (\d+) largest of (\d+)$", r"les \1 plus grandes sur \2"),
    (r"^Agreement$", "Accord"),
    (r"^Shared by two experiments$", "En commun"),
    (r"^Replicates per condition$", "Répétitions par condition"),
    (r"^learning curve$", "courbe d’apprentissage"),
    (r"^seen$", "vu"),
    (r"^edges$", "arêtes"),
    (r"^degrees$", "degrés"),
    (r"^hubs$", "nœuds centraux"),
    (r"^positive$", "positives"),
    (r"^negative$", "négatives"),
    (r"^recommended: none in reach, ", "recommandé : rien à portée, "),
    (r"^recommended: (\d+)", r"recommandé : \1"),
    (r" \(extrapolated\), ", " (extrapolé), "),
    (r", (\d+) % interval: (\d+) to (\d+)$", r", intervalle à \1 % : \2 à \3"),
    (r", (\d+) % interval: (\d+) or more$", r", intervalle à \1 % : \2 ou plus"),
    (r"^edges: (\d+)", r"arêtes : \1"),
    (r", nodes without any left out: (\d+)$", r", nœuds sans arête laissés de côté : \1"),
    (r"^(.*) pairs, correlation (.*)$", r"\1 paires, corrélation \2"),
)
