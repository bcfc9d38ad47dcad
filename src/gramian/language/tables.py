"""Titles and columns of tables, names of figures."""

from __future__ import annotations

__all__ = ["SENTENCES"]

# key → (English, French), with the same blanks in both
SENTENCES = {
    "tab.rules": ("The rules", "Les règles"),
    "tab.eigenvalues": ("Eigenvalues", "Valeurs propres"),
    "tab.individuals": ("Rows", "Individus"),
    "tab.variables": ("Variables", "Variables"),
    "tab.categories": ("Groups", "Groupes"),
    "tab.supplementary": ("Supplementary variables", "Variables supplémentaires"),
    "tab.stability": ("Stability of the axes", "Stabilité des axes"),
    "tab.outliers": ("Rows that stand apart", "Individus à part"),
    "tab.dependence": ("Dependence between axes", "Dépendance entre axes"),
    "col.label": ("name", "nom"),
    "col.rule": ("rule", "règle"),
    "col.asks": ("what it asks", "ce qu’elle demande"),
    "col.q": ("axes", "axes"),
    "col.value": ("value", "valeur"),
    "col.threshold": ("threshold", "seuil"),
    "col.p_value": ("p-value", "p"),
    "col.axis": ("axis", "axe"),
    "col.axes": ("axes", "axes"),
    "col.eigenvalue": ("eigenvalue", "valeur propre"),
    "col.share": ("inertia %", "inertie %"),
    "col.cumulated": ("cumulated %", "cumul %"),
    "col.coordinate": ("axis {k}", "axe {k}"),
    "col.correlation": ("r {k}", "r {k}"),
    "col.cos2": ("cos² {k}", "cos² {k}"),
    "col.contribution": ("ctr % {k}", "ctr % {k}"),
    "col.v_test": ("v-test {k}", "v-test {k}"),
    "col.eta2": ("η² {k}", "η² {k}"),
    "col.distance2": ("distance²", "distance²"),
    "col.variable": ("grouping", "groupement"),
    "col.category": ("group", "groupe"),
    "col.low": ("low", "bas"),
    "col.high": ("high", "haut"),
    "col.angle": ("angle °", "angle °"),
    "col.subspace": ("space °", "espace °"),
    "col.identified": ("identified", "identifié"),
    "col.limit": ("times the limit", "fois la limite"),
    "col.alignment": ("alignment", "alignement"),
    "yes": ("yes", "oui"),
    "no": ("no", "non"),
    "fig.scree": (
        "Inertia of each axis, with what noise would give",
        "Inertie de chaque axe, et ce que donnerait le bruit",
    ),
    "fig.scree.plain": ("Inertia of each axis", "Inertie de chaque axe"),
    "fig.scree.alt": (
        "Bar chart of the share of inertia of the first {count} axes; the first carries {share}.",
        "Diagramme de la part d’inertie des {count} premiers axes ; le premier en porte {share}.",
    ),
    "fig.individuals": ("The rows on axes {j} and {k}", "Les individus sur les axes {j} et {k}"),
    "fig.objects": ("The objects on axes {j} and {k}", "Les objets sur les axes {j} et {k}"),
    "fig.individuals.alt": (
        "Scatter plot of {n} points on axes {j} and {k}, which carry {share} of the inertia.",
        "Nuage de {n} points sur les axes {j} et {k}, qui portent {share} de l’inertie.",
    ),
    "fig.variables": ("The variables on axes {j} and {k}", "Les variables sur les axes {j} et {k}"),
    "fig.variables.alt": (
        "Arrows of the variables in the circle of correlations of axes {j} and {k}.",
        "Flèches des variables dans le cercle des corrélations des axes {j} et {k}.",
    ),
    "fig.contributions": ("What axis {k} is made of", "Ce qui fait l’axe {k}"),
    "fig.contributions.rows": ("Contributions to axis {k}", "Contributions à l’axe {k}"),
    "fig.contributions.alt": (
        "Bar chart of the largest contributions to axis {k}; the largest is {name}.",
        "Diagramme des plus grandes contributions à l’axe {k} ; la plus grande est {name}.",
    ),
    "fig.stability": (
        "Where the rows lie when the sample changes",
        "Où tombent les individus quand l’échantillon change",
    ),
    "fig.stability.alt": (
        "The map of axes 1 and 2 with an ellipse around each point.",
        "La carte des axes 1 et 2 avec une ellipse autour de chaque point.",
    ),
    "fig.kernel": ("Kernel PCA of the same rows", "ACP à noyau des mêmes individus"),
    "fig.kernel.alt": (
        "Scatter plot of {n} points on the first two axes of kernel PCA.",
        "Nuage de {n} points sur les deux premiers axes de l’ACP à noyau.",
    ),
    "fig.pca": ("PCA", "ACP"),
    "fig.pca.alt": (
        "Scatter plot of {n} points on the first two axes of PCA.",
        "Nuage de {n} points sur les deux premiers axes de l’ACP.",
    ),
    "fig.shepard": (
        "Distances in the map against those given",
        "Distances sur la carte et distances données",
    ),
    "fig.shepard.alt": (
        "Scatter plot of the distances in the map against the distances given; points near "
        "the line are well shown.",
        "Distances sur la carte en fonction des distances données ; les points proches de la "
        "droite sont bien représentés.",
    ),
    "rule.other": ("the rule {name} keeps {count} axes", "la règle {name} garde {count} axes"),
    "rule.other.one": ("the rule {name} keeps one axis", "la règle {name} garde un axe"),
}
