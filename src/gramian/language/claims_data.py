"""Claims about the data as they are, what they break, and what could not be tested."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "data.table": (
        "{rows} described by {columns}.",
        "{rows} décrits par {columns}.",
    ),
    "data.counts": (
        "A total count of {total}, in {n} rows by {p} columns.",
        "Un effectif total de {total}, en {n} lignes et {p} colonnes.",
    ),
    "data.distances": (
        "{n} objects described by their distances.",
        "{n} objets décrits par leurs distances.",
    ),
    "data.graphs": (
        "{n} graphs described by the neighbourhoods they share.",
        "{n} graphes décrits par leurs voisinages communs.",
    ),
    "data.sequences": (
        "{n} sequences described by the runs of letters they share.",
        "{n} séquences décrites par leurs mots communs.",
    ),
    "data.fit": (
        "{n} rows, on the axes of {estimator}.",
        "{n} individus, sur les axes de {estimator}.",
    ),
    "data.unanswered": (
        "Missing answers count as a level of their own, “NA”, in these columns: {names}.",
        "Les réponses manquantes comptent comme une modalité à part, « NA », dans ces colonnes : "
        "{names}.",
    ),
    "data.constant": (
        "Constant, and therefore left out: {names}.",
        "Sans variation, et donc écarté : {names}.",
    ),
    "data.few_rows": (
        "There are only {n} rows: everything below is uncertain, and the tests see strong effects "
        "only.",
        "Il n’y a que {n} individus : tout ce qui suit est incertain, et les tests ne voient que "
        "de "
        "grands effets.",
    ),
    "data.wide": (
        "There are more columns ({p}) than rows ({n}): trust the names of columns that a second "
        "experiment confirms.",
        "Il y a plus de colonnes ({p}) que d’individus ({n}) : fiez-vous aux noms de colonnes "
        "qu’une seconde expérience confirme.",
    ),
    "data.negative": (
        "The distances are not those of points in a Euclidean space: the negative inertia, which "
        "no map can show, is {share} of the positive one. Shares of axes are of the positive "
        "inertia.",
        "Ces distances ne sont pas celles de points d’un espace euclidien : l’inertie négative, "
        "qu’aucune carte ne peut montrer, vaut {share} de l’inertie positive. Les parts des axes "
        "sont celles de l’inertie positive.",
    ),
    "data.heard": ("{text}", "{text}"),
    "data.group": (
        "No difference between the groups of {group} was found ({p}); this does not show that "
        "there is none.",
        "Aucune différence entre les groupes de {group} n’a été trouvée ({p}) ; cela ne montre pas "
        "qu’il n’y en a pas.",
    ),
    "data.ends": (
        "Axis {k} runs from {low} (negative end) to {high} (positive end).",
        "L’axe {k} va de {low} (bout négatif) à {high} (bout positif).",
    ),
    "data.ends.counts": (
        "Among the rows, axis {k} runs from {low} (negative end) to {high} (positive end).",
        "Parmi les lignes, l’axe {k} va de {low} (bout négatif) à {high} (bout positif).",
    ),
    "data.axis": (
        "Axis {k} carries {share} of the inertia; it was not told apart from noise ({p}).",
        "L’axe {k} porte {share} de l’inertie ; il n’a pas été distingué du bruit ({p}).",
    ),
    "data.axis.after": (
        "Axis {k} carries {share} of the inertia; it comes after one that was not told apart from "
        "noise.",
        "L’axe {k} porte {share} de l’inertie ; il vient après un axe qui n’a pas été distingué du "
        "bruit.",
    ),
    "data.axis.untested": (
        "Axis {k} carries {share} of the inertia; whether that is more than noise was not tested.",
        "L’axe {k} porte {share} de l’inertie ; il n’a pas été comparé au bruit.",
    ),
    "data.axis.map": (
        "Axis {k} carries {share} of the variance of the map, which is no share of the inertia of "
        "the data; whether that is more than noise was not tested.",
        "L’axe {k} porte {share} de la variance de la carte, qui n’est pas une part de l’inertie "
        "des données ; il n’a pas été comparé au bruit.",
    ),
    "data.neighbours": (
        "Among the {count} nearest neighbours of a row, the map has a trustworthiness of {trust} "
        "(1 where no neighbour on the map is a false one) and a continuity of {kept} (1 where none "
        "of the table is lost).",
        "Parmi les {count} plus proches voisins d’un individu, la carte a une fidélité de {trust} "
        "(1 si aucun voisin sur la carte n’est faux) et une continuité de {kept} (1 si aucun "
        "voisin du tableau n’est perdu).",
    ),
    "data.loading": (
        "{count} of the {p} variables go with axis {k} (one in ten of such names may be false).",
        "{count} des {p} variables vont avec l’axe {k} (un nom sur dix peut y être faux).",
    ),
    "data.kernel.agree": (
        "The first two axes of PCA and of kernel PCA place the rows alike (correlation {t} after "
        "rotation).",
        "Les deux premiers axes de l’ACP et de l’ACP à noyau placent les individus de même façon "
        "(corrélation {t} après rotation).",
    ),
    "data.kernel.part": (
        "The first two axes of PCA and of kernel PCA resemble each other in part (correlation {t} "
        "after rotation).",
        "Les deux premiers axes de l’ACP et de l’ACP à noyau se ressemblent en partie (corrélation "
        "{t} après rotation).",
    ),
    "data.kernel.differ": (
        "The first two axes of PCA and of kernel PCA place the rows differently (correlation {t} "
        "after rotation).",
        "Les deux premiers axes de l’ACP et de l’ACP à noyau placent les individus différemment "
        "(corrélation {t} après rotation).",
    ),
    "assumption.order": (
        "The order of the rows matters: how alike two rows are depends on how far apart they stand "
        "in it ({name} {effect}, {p}). {scheme}",
        "L’ordre des individus compte : la ressemblance de deux individus dépend de leur distance "
        "dans cet ordre ({name} {effect}, {p}). {scheme}",
    ),
    "assumption.doubt": (
        "The order of the rows may matter, though not beyond doubt. {scheme}",
        "L’ordre des individus compte peut-être, sans que ce soit sûr. {scheme}",
    ),
    "assumption.copies": (
        "{count} rows are copies of another one in every column, the first {name}. {scheme}",
        "{count} individus sont des copies d’un autre dans toutes les colonnes, à commencer par "
        "{name}. {scheme}",
    ),
    "assumption.copies.one": (
        "One row is a copy of another one in every column: {name}. {scheme}",
        "Un individu est la copie d’un autre dans toutes les colonnes : {name}. {scheme}",
    ),
    "assumption.unequal": (
        "Some rows vary more than others ({name} {effect}, {p}). {scheme}",
        "Certains individus varient plus que d’autres ({name} {effect}, {p}). {scheme}",
    ),
    "assumption.tails": (
        "{count} columns have long tails ({names}): a row at their far ends may be no more than "
        "that, and is named only where its ranks are far out too.",
        "{count} colonnes ont de longues queues ({names}) : un individu à leurs extrémités n’est "
        "peut-être que cela, et n’est nommé que si ses rangs aussi sont extrêmes.",
    ),
    "assumption.tails.one": (
        "{names} has a long tail: a row at its far end may be no more than that, and is named only "
        "where its ranks are far out too.",
        "{names} a une longue queue : un individu à son extrémité n’est peut-être que cela, et "
        "n’est nommé que si ses rangs aussi sont extrêmes.",
    ),
    "assumption.counts": (
        "{count} columns hold counts with many zeros ({names}): standardised, a rare one weighs "
        "as much as a common one.",
        "{count} colonnes contiennent des effectifs avec beaucoup de zéros ({names}) : une fois "
        "normées, une colonne rare y pèse autant qu’une colonne fréquente.",
    ),
    "assumption.counts.one": (
        "{names} holds counts with many zeros: standardised, a rare one weighs as much as a common "
        "one.",
        "{names} contient des effectifs avec beaucoup de zéros : une fois normée, une colonne rare "
        "pèse autant qu’une colonne fréquente.",
    ),
    "scheme.permutation": (
        "The tests below shuffle rows all the same.",
        "Les tests ci-dessous mélangent pourtant les individus.",
    ),
    "scheme.sign flips": (
        "So the tests below flip signs instead of shuffling values.",
        "Les tests ci-dessous changent donc des signes au lieu de mélanger les valeurs.",
    ),
    "scheme.blocks": (
        "So the tests below shuffle only what does not follow from the rows before.",
        "Les tests ci-dessous ne mélangent donc que ce qui ne suit pas des individus précédents.",
    ),
    "scheme.shifts": (
        "So the tests below keep the order of each column, and move it along the rows as a whole.",
        "Les tests ci-dessous gardent donc l’ordre de chaque colonne, et la décalent d’un bloc le "
        "long des individus.",
    ),
    "scheme.copies": (
        "So the tests below keep one row of each group of copies.",
        "Les tests ci-dessous gardent donc un seul individu de chaque groupe de copies.",
    ),
    "scheme.arranged": (
        "{scheme} The rows stand in the order of {group}, and groups that differ look like such an "
        "order: if it means nothing else, shuffle the rows of the file, and they are tested as "
        "rows in any order.",
        "{scheme} Les individus sont rangés selon {group}, et des groupes qui diffèrent ont l’air "
        "d’un tel ordre : si celui-ci ne veut rien dire d’autre, mélangez les lignes du fichier, "
        "et ils seront testés sans égard à l’ordre.",
    ),
    "scheme.none": (
        "No test known here holds for such rows: the page describes, and does not decide.",
        "Aucun test connu ici ne vaut pour de tels individus : la page décrit, elle ne tranche "
        "pas.",
    ),
    "untested.axes": (
        "Whether any axis is above noise was not tested: {reason}",
        "Il n’a pas été testé si un axe dépasse le bruit : {reason}",
    ),
    "untested.reason.flat": (
        "two dimensions leave no others to compare them with.",
        "deux dimensions n’en laissent pas d’autres auxquelles les comparer.",
    ),
    "untested.reason.kernel": (
        "this kernel leaves no columns that could be shuffled.",
        "ce noyau ne laisse pas de colonnes à mélanger.",
    ),
    "untested.reason.map": (
        "the map was made elsewhere, and what its method makes of noise is not known.",
        "la carte a été faite ailleurs, et ce que sa méthode fait du bruit n’est pas connu.",
    ),
    "untested.reason.single": (
        "a single axis has nothing to be compared with.",
        "un axe unique ne se compare à rien.",
    ),
    "untested.reason.weights": (
        "the rows have weights, which no test here knows.",
        "les individus ont des poids, qu’aucun test ne connaît ici.",
    ),
    "untested.reason.rows": (
        "no test known here holds for these rows.",
        "aucun test connu ici ne vaut pour ces individus.",
    ),
    "untested.reason.columns": (
        "there are too few columns.",
        "il y a trop peu de colonnes.",
    ),
    "untested.reason.filled": (
        "missing values were filled in with means.",
        "des valeurs manquantes ont été remplacées par des moyennes.",
    ),
    "untested.reason.few": (
        "there are too few rows.",
        "il y a trop peu d’individus.",
    ),
    "untested.reason.data": ("{text}.", "{text}."),
    "untested.reason.singular": (
        "a computation with its matrices did not converge.",
        "un calcul sur ses matrices n’a pas convergé.",
    ),
    "untested.reason.assumptions": (
        "what tests take for granted could not be checked.",
        "ce que les tests supposent n’a pas pu être vérifié.",
    ),
    "untested.reason.axes": (
        "the axes were not tested, and it is what they leave that would be.",
        "les axes n’ont pas été testés, et c’est ce qu’ils laissent qui le serait.",
    ),
    "untested.group.scheme": (
        "The groups of {group} were not tested: no test known here holds for these rows.",
        "Les groupes de {group} n’ont pas été testés : aucun test connu ici ne vaut pour ces "
        "individus.",
    ),
    "untested.group.order": (
        "The groups of {group} were not tested: rows and groups both follow an order, and would "
        "seem linked by that alone.",
        "Les groupes de {group} n’ont pas été testés : individus et groupes suivent un ordre, ce "
        "qui suffirait à les faire paraître liés.",
    ),
    "untested.group.one group": (
        "The groups of {group} were not tested: there is only one.",
        "Les groupes de {group} n’ont pas été testés : il n’y en a qu’un.",
    ),
    "untested.group.no repeats": (
        "The groups of {group} were not tested: too few of them have two rows.",
        "Les groupes de {group} n’ont pas été testés : trop peu d’entre eux ont deux individus.",
    ),
    "untested.part": (
        "{part} could not be tested: {reason}",
        "{part} : pas de test possible ({reason})",
    ),
    "part.groups": ("The groups", "Les groupes"),
    "part.numbers": ("The supplementary variables", "Les variables supplémentaires"),
    "part.loadings": ("The variables of the axes", "Les variables des axes"),
    "part.rows": ("Rows that stand apart", "Les individus à part"),
    "part.curves": ("Curves and clusters", "Courbes et paquets"),
    "part.directions": ("The stability of the axes", "La stabilité des axes"),
    "part.choices": ("The rules for the number of axes", "Les règles du nombre d’axes"),
    "part.kernel": ("Kernel PCA", "L’ACP à noyau"),
    "part.assumptions": ("What tests take for granted", "Ce que les tests supposent"),
    "part.carried": ("Rows that carry an axis", "Les individus qui font un axe"),
    "part.stability": ("The stability of the map", "La stabilité de la carte"),
    "part.places": ("Ellipses around the rows", "Les ellipses autour des individus"),
    "part.classes": ("Classes of the rows", "Les classes d’individus"),
}
