"""What is said of methods other than PCA: why one was chosen, what was done, what it shows."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "claim.data.method.ca": (
        "The numbers are counts or abundances, so correspondence analysis (CA) was chosen: "
        "{method='pca'} takes them as measures.",
        "Les nombres sont des effectifs ou des abondances : l’analyse des correspondances (AFC) a "
        "été choisie ; {method='pca'} les prend pour des mesures.",
    ),
    "claim.data.method.mca": (
        "Most columns are categories, so multiple correspondence analysis (MCA) was chosen, and "
        "numbers are placed afterwards: {method='famd'|'pca'} lets them make the axes.",
        "La plupart des colonnes sont des catégories : l’analyse des correspondances multiples "
        "(ACM) a été choisie, et les nombres sont placés après coup ; {method='famd'|'pca'} les "
        "laisse faire les axes.",
    ),
    "claim.data.method.famd": (
        "Numbers ({numbers}) and categories ({categories}) stand side by side, so factor analysis "
        "of mixed data (FAMD) was chosen: {method='pca'|'mca'} takes one kind only.",
        "Nombres ({numbers}) et catégories ({categories}) se côtoient : l’analyse factorielle de "
        "données mixtes (AFDM) a été choisie ; {method='pca'|'mca'} n’en prend qu’une sorte.",
    ),
    "claim.data.elements.both": (
        "Axis {k} is made mostly by {high} on the positive side and {low} on the negative side (a "
        "description, not a test).",
        "L’axe {k} est fait surtout par {high} du côté positif et {low} du côté négatif "
        "(description, non testée).",
    ),
    "claim.data.elements.high": (
        "Axis {k} is made mostly by {high}, on the positive side (a description, not a test).",
        "L’axe {k} est fait surtout par {high}, du côté positif (description, non testée).",
    ),
    "claim.data.elements.low": (
        "Axis {k} is made mostly by {low}, on the negative side (a description, not a test).",
        "L’axe {k} est fait surtout par {low}, du côté négatif (description, non testée).",
    ),
    "claim.data.elements.both.counts": (
        "Among the columns, axis {k} is made mostly by {high} on the positive side and {low} on "
        "the negative side (a description, not a test).",
        "Parmi les colonnes, l’axe {k} est fait surtout par {high} du côté positif et {low} du "
        "côté négatif (description, non testée).",
    ),
    "claim.data.elements.high.counts": (
        "Among the columns, axis {k} is made mostly by {high}, on the positive side (a "
        "description, not a test).",
        "Parmi les colonnes, l’axe {k} est fait surtout par {high}, du côté positif (description, "
        "non testée).",
    ),
    "claim.data.elements.low.counts": (
        "Among the columns, axis {k} is made mostly by {low}, on the negative side (a "
        "description, not a test).",
        "Parmi les colonnes, l’axe {k} est fait surtout par {low}, du côté négatif (description, "
        "non testée).",
    ),
    "claim.classes.found": (
        "On the first {axes} axes the rows fall into {count} classes (one cloud: {p}).",
        "Sur les {axes} premiers axes, les individus forment {count} classes (un seul nuage : "
        "{p}).",
    ),
    "claim.classes.one": (
        "On the first {axes} axes no classes were told apart from one cloud ({p}).",
        "Sur les {axes} premiers axes, aucune classe n’a été distinguée d’un seul nuage ({p}).",
    ),
    "claim.classes.asked": (
        "The rows were cut into {count} classes on the first {axes} axes, as asked; whether there "
        "are so many was not tested.",
        "Les individus ont été coupés en {count} classes sur les {axes} premiers axes, comme "
        "demandé ; leur nombre n’a pas été testé.",
    ),
    "claim.classes.both": (
        "Class {k} ({n} rows, such as {rows}) has high {high} and low {low} (v-tests rank what "
        "makes the class and prove nothing).",
        "La classe {k} ({n} individus, tels que {rows}) a des valeurs élevées de {high} et faibles "
        "de {low} (les v-tests classent ce qui fait la classe et ne prouvent rien).",
    ),
    "claim.classes.high": (
        "Class {k} ({n} rows, such as {rows}) has more than others of {high} (v-tests rank what "
        "makes the class and prove nothing).",
        "La classe {k} ({n} individus, tels que {rows}) a plus que les autres {high} (les v-tests "
        "classent ce qui fait la classe et ne prouvent rien).",
    ),
    "claim.classes.low": (
        "Class {k} ({n} rows, such as {rows}) has less than others of {low} (v-tests rank what "
        "makes the class and prove nothing).",
        "La classe {k} ({n} individus, tels que {rows}) a moins que les autres {low} (les v-tests "
        "classent ce qui fait la classe et ne prouvent rien).",
    ),
    "claim.classes.none": (
        "Class {k} has {n} rows, such as {rows}; no column tells it apart.",
        "La classe {k} a {n} individus, tels que {rows} ; aucune colonne ne la distingue.",
    ),
    "h.classes": ("Classes", "Classes"),
    "what.table.mfa": (
        "{rows} and {columns} in groups were analysed by multiple factor analysis (MFA), in which "
        "no group makes the first axis alone: {groups}.",
        "{rows} et {columns} en groupes ont été étudiés par analyse factorielle multiple (AFM), où "
        "aucun groupe ne fait seul le premier axe : {groups}.",
    ),
    "error.no_groups": (
        "data: mfa needs groups of columns: name columns as group.column and pass "
        "{groups_from_names=True}",
        "données : mfa demande des groupes de colonnes : nommer les colonnes groupe.colonne et "
        "donner {groups_from_names=True}",
    ),
    "error.no_such_row": (
        "{=supplementary_rows}: there is no row {name}",
        "{=supplementary_rows} : il n’y a pas de ligne {name}",
    ),
    "roles.rows": (
        "Rows placed afterwards, without a part in the axes: {names}.",
        "Individus placés après coup, sans part dans les axes : {names}.",
    ),
    "tab.placed": ("Supplementary rows", "Individus supplémentaires"),
    "claim.untested.reason.distances": (
        "distances leave no columns that could be shuffled.",
        "des distances ne laissent pas de colonnes à mélanger.",
    ),
    "claim.untested.reason.flocks": (
        "these counts need not be of individuals that are independent of each other, and no law is "
        "known for them.",
        "ces effectifs ne comptent pas forcément des individus indépendants, et on ne leur connaît "
        "pas de loi.",
    ),
    "claim.untested.reason.large": (
        "the table is so large that drawing others like it would take too long.",
        "le tableau est si grand qu’en tirer de semblables prendrait trop de temps.",
    ),
    "claim.untested.reason.dispersion": (
        "so small a table does not tell how much its counts vary by chance: {count} axes would "
        "stand above noise if each individual was counted once and for itself ({p}), and none if "
        "counts vary more than that, as those of flocks or repeated visits do.",
        "un si petit tableau ne dit pas combien ses effectifs varient par hasard : {count} axes "
        "dépasseraient le bruit si chaque individu a été compté une fois et pour lui-même ({p}), "
        "et aucun si les effectifs varient plus que cela, comme ceux de troupeaux ou de visites "
        "répétées.",
    ),
    "claim.untested.reason.dispersion.one": (
        "so small a table does not tell how much its counts vary by chance: one axis would stand "
        "above noise if each individual was counted once and for itself ({p}), and none if counts "
        "vary more than that, as those of flocks or repeated visits do.",
        "un si petit tableau ne dit pas combien ses effectifs varient par hasard : un axe "
        "dépasserait le bruit si chaque individu a été compté une fois et pour lui-même ({p}), et "
        "aucun si les effectifs varient plus que cela, comme ceux de troupeaux ou de visites "
        "répétées.",
    ),
    "null.axes.questions": (
        "columns that have nothing to do with each other: the answers to each question, and the "
        "values of each number, are shuffled",
        "des colonnes sans lien entre elles : les réponses à chaque question, et les valeurs de "
        "chaque nombre, sont mélangées",
    ),
    "holds.questions": (
        "rows that are independent of each other",
        "des individus indépendants",
    ),
    "null.axes.grouped": (
        "groups of columns that have nothing to do with each other: the rows of each group are "
        "shuffled as a whole",
        "des groupes de colonnes sans lien entre eux : les lignes de chaque groupe sont mélangées "
        "d’un bloc",
    ),
    "holds.grouped": (
        "rows that are independent of each other",
        "des individus indépendants",
    ),
    "null.axes.counts": (
        "rows and columns that have nothing to do with each other beyond the axes before: tables "
        "are drawn whose counts vary as much by chance as these do, which is measured on what the "
        "first half of the axes leaves",
        "des lignes et des colonnes sans autre lien que les axes précédents : on tire des tableaux "
        "dont les effectifs varient par hasard autant que ceux-ci, ce qui se mesure sur ce que la "
        "première moitié des axes laisse",
    ),
    "holds.counts": (
        "counts that vary independently of each other, all in the same way",
        "des effectifs qui varient indépendamment les uns des autres, tous de la même façon",
    ),
    "null.axes.margins": (
        "rows and columns that are independent: tables with the same totals are drawn",
        "des lignes et des colonnes indépendantes : des tableaux de mêmes marges sont tirés",
    ),
    "holds.margins": (
        "counts of individuals that are independent of each other, each counted once",
        "des effectifs d’individus indépendants, chacun compté une fois",
    ),
    "what.table.unscaled": (
        "{rows} and {columns} were analysed by principal component analysis (PCA) of the columns "
        "as they are: those of large variance count most.",
        "{rows} et {columns} ont été étudiés par analyse en composantes principales (ACP) non "
        "normée : les colonnes de grande variance comptent le plus.",
    ),
    "what.table.ca": (
        "The counts of {rows} in {columns} were analysed by correspondence analysis (CA): rows are "
        "compared by their profiles, whatever their totals, and so are columns.",
        "Les effectifs de {rows} dans {columns} ont été étudiés par analyse des correspondances "
        "(AFC) : les lignes sont comparées par leurs profils, quels que soient leurs totaux, et "
        "les colonnes de même.",
    ),
    "what.table.mca": (
        "{rows} and their answers in {columns} were analysed by multiple correspondence analysis "
        "(MCA): rows are near that gave the same answers, the rarest counting most.",
        "{rows} et leurs réponses dans {columns} ont été étudiés par analyse des correspondances "
        "multiples (ACM) : sont proches ceux qui ont donné les mêmes réponses, les plus rares "
        "comptant le plus.",
    ),
    "what.table.famd": (
        "{rows} and {columns}, numbers and categories, were analysed by factor analysis of mixed "
        "data (FAMD), in which each column counts alike.",
        "{rows} et {columns}, nombres et catégories, ont été étudiés par analyse factorielle de "
        "données mixtes (AFDM), où chaque colonne compte autant.",
    ),
    "what.table.mds": (
        "{rows} and {columns} were placed by multidimensional scaling (least stress) of the "
        "distances between rows ({metric}).",
        "{rows} et {columns} ont été placés par positionnement multidimensionnel (de moindre "
        "stress) des distances entre individus ({metric}).",
    ),
    "what.table.classical-mds": (
        "{rows} and {columns} were placed by classical multidimensional scaling of the distances "
        "between rows ({metric}): a map whose distances are as near to them as can be.",
        "{rows} et {columns} ont été placés par positionnement multidimensionnel classique des "
        "distances entre individus ({metric}) : une carte dont les distances en sont aussi proches "
        "que possible.",
    ),
    "what.table.kernel-pca": (
        "{rows} and {columns} were compared by the kernel {kernel} and placed by kernel PCA.",
        "{rows} et {columns} ont été comparés par le noyau {kernel}, puis placés par ACP à noyau.",
    ),
    "error.method_kind": (
        "{method=} {method} does not take {kind}: leave it out, or see which methods do",
        "{method=} {method} ne s’applique pas à ces données ({kind}) : ne pas la demander, ou voir "
        "quelles méthodes s’y appliquent",
    ),
    "error.metric_method": (
        "{metric=} is for {method='classical-mds'|'mds'}: give both",
        "{metric=} va avec {method='classical-mds'|'mds'} : donner les deux",
    ),
    "error.scale_method": (
        "{scale=False} is for numbers, such as {method='pca'}: other methods have a metric of "
        "their own",
        "{scale=False} vaut pour des nombres, comme {method='pca'} : les autres méthodes ont leur "
        "propre métrique",
    ),
    "error.no_categories": (
        "data: {method} needs columns of categories: name numbers that are codes with "
        "{as_category=}",
        "données : {method} demande des colonnes de catégories : nommer les codes par "
        "{as_category=}",
    ),
    "error.negative_counts": (
        "data: counts cannot be negative: {method='pca'} takes such numbers",
        "données : des effectifs ne peuvent être négatifs : {method='pca'} prend de tels nombres",
    ),
    "fig.columns": (
        "Rows and columns on axes {j} and {k}",
        "Lignes et colonnes sur les axes {j} et {k}",
    ),
    "fig.columns.alt": (
        "Map of the rows and columns on axes {j} and {k}.",
        "Carte des lignes et des colonnes sur les axes {j} et {k}.",
    ),
    "fig.categories": ("Categories on axes {j} and {k}", "Catégories sur les axes {j} et {k}"),
    "fig.categories.alt": (
        "Map of the categories on axes {j} and {k}.",
        "Carte des catégories sur les axes {j} et {k}.",
    ),
    "tab.columns": ("Columns", "Colonnes"),
    "tab.levels": ("Categories of the axes", "Catégories des axes"),
    "tab.links": ("Columns and axes", "Colonnes et axes"),
    "col.benzecri": ("Benzécri %", "Benzécri %"),
    "col.greenacre": ("Greenacre %", "Greenacre %"),
    "col.link": ("link {k}", "lien {k}"),
    "h.doctor": ("The table, examined", "Le tableau, examiné"),
    "doctor.how": (
        "Before any axis: what may be wrong with the table, what was done about it, and the option "
        "that changes that.",
        "Avant tout axe : ce qui peut clocher dans le tableau, ce qui en a été fait, et l’option "
        "qui le change.",
    ),
    "doctor.clean": (
        "The checks of the table found nothing odd.",
        "Les vérifications du tableau n’ont rien trouvé d’étrange.",
    ),
}
