"""What a test supposes there is not (null), and what it needs to be right (holds)."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "null.axes.permutation": (
        "columns that have nothing to do with each other: the values of each are shuffled",
        "des colonnes sans lien entre elles : les valeurs de chacune sont mélangées",
    ),
    "null.axes.sign flips": (
        "columns that are not correlated: the sign of each value, about its column’s mean, is "
        "drawn "
        "at random",
        "des colonnes non corrélées : le signe de chaque valeur, autour de la moyenne de sa "
        "colonne, est tiré au hasard",
    ),
    "null.axes.blocks": (
        "columns that have nothing to do with each other: what each brings beyond its own past is "
        "shuffled",
        "des colonnes sans lien entre elles : ce que chacune apporte au-delà de son passé est "
        "mélangé",
    ),
    "null.axes.shifts": (
        "columns that have nothing to do with each other: each keeps its order and is moved along "
        "the rows as a whole",
        "des colonnes sans lien entre elles : chacune garde son ordre et est décalée d’un bloc le "
        "long des individus",
    ),
    "null.axes.copies": (
        "columns that have nothing to do with each other: one row of each group of copies is "
        "kept, and each column shuffled",
        "des colonnes sans lien entre elles : un seul individu de chaque groupe de copies est "
        "gardé, et chaque colonne mélangée",
    ),
    "null.axes.kernel": (
        "a cloud alike in all directions: objects keep their distance to the centre, and get a "
        "direction at random",
        "un nuage semblable dans toutes les directions : chaque objet garde sa distance au centre, "
        "et reçoit une direction au hasard",
    ),
    "null.groups": (
        "groups of equal means: rows are given to the groups at random",
        "des groupes de même moyenne : les individus sont répartis au hasard",
    ),
    "null.groups.shifts": (
        "groups of equal means: the column of groups keeps its order and is moved along the rows",
        "des groupes de même moyenne : la colonne des groupes garde son ordre et est décalée le "
        "long des individus",
    ),
    "null.numbers.shifts": (
        "a column that has nothing to do with the axes: it keeps its order and is moved along the "
        "rows",
        "une colonne sans lien avec les axes : elle garde son ordre et est décalée le long des "
        "individus",
    ),
    "null.numbers": (
        "a column that has nothing to do with the axes: it is shuffled",
        "une colonne sans lien avec les axes : elle est mélangée",
    ),
    "null.loadings": (
        "a variable that has nothing to do with the others: the axis is found without it",
        "une variable sans lien avec les autres : l’axe est trouvé sans elle",
    ),
    "null.rows": (
        "a cloud of which no row is apart, with limits for this many rows and columns",
        "un nuage sans individu à part, avec des limites propres à ces nombres de lignes et de "
        "colonnes",
    ),
    "null.curves.columns": (
        "columns that are independent: the values of each are shuffled",
        "des colonnes indépendantes : les valeurs de chacune sont mélangées",
    ),
    "null.curves.linear": (
        "straight axes and nothing else: tables with the same axes and columns are drawn",
        "des axes droits et rien d’autre : des tableaux de mêmes axes et colonnes sont tirés",
    ),
    "null.clusters": (
        "axes, or columns where no axis stands out, along which rows gather in one place",
        "des axes, ou des colonnes si aucun axe ne dépasse le bruit, le long desquels les "
        "individus se rassemblent en un seul endroit",
    ),
    "null.directions": ("", ""),
    "holds.permutation": (
        "rows that are independent of each other and vary alike",
        "des individus indépendants et de même dispersion",
    ),
    "holds.sign flips": (
        "rows that are independent of each other, and values as often above as below the mean",
        "des individus indépendants, et des valeurs aussi souvent au-dessus qu’en dessous de la "
        "moyenne",
    ),
    "holds.blocks": (
        "rows that follow from the one before and chance",
        "des individus qui suivent du précédent et du hasard",
    ),
    "holds.shifts": (
        "rows whose order matters in the same way from the first to the last",
        "des individus dont l’ordre compte de la même façon du premier au dernier",
    ),
    "holds.copies": (
        "rows that are independent of each other but for copies",
        "des individus indépendants, copies mises à part",
    ),
    "holds.kernel": (
        "objects that are independent of each other",
        "des objets indépendants les uns des autres",
    ),
    "holds.labels": (
        "rows or labels that are independent of each other",
        "des individus ou des groupes indépendants les uns des autres",
    ),
    "holds.rows": ("columns without long tails", "des colonnes sans longues queues"),
    "holds.tails": (
        "columns of any shape: those with long tails count by their ranks",
        "des colonnes de toute forme : celles à longues queues comptent par leurs rangs",
    ),
    "holds.bootstrap": (
        "rows that are independent of each other",
        "des individus indépendants",
    ),
}
