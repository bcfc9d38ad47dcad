"""What a page explains: how each section was found. None of it is about the data."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "seed": ("seed {seed}", "graine {seed}"),
    "tests.sample": (
        "The tests look at {tested} of the {n} rows, drawn at random.",
        "Les tests portent sur {tested} des {n} individus, tirés au hasard.",
    ),
    "dim.many": (
        "The first {read} are read below; the others are in the tables.",
        "Les {read} premiers sont lus ci-dessous ; les autres sont dans les tableaux.",
    ),
    "failed": (
        "This part could not be computed: {reason}",
        "Cette partie n’a pas pu être calculée : {reason}",
    ),
    "h.groups": ("Groups", "Groupes"),
    "h.tests": ("What each test supposes", "Ce que suppose chaque test"),
    "missing.drop-rows": (
        "Rows with a missing value were left out. Other choices: "
        "{missing='drop-columns'|'iterative'|'mean'|'median'}.",
        "Les individus à valeur manquante ont été écartés. Autres choix : "
        "{missing='drop-columns'|'iterative'|'mean'|'median'}.",
    ),
    "missing.iterative": (
        "Leaving out every row with a missing value would have cost more than half of them: values "
        "were filled in by the axes of the table itself, or by means where it has none. They agree "
        "with these axes better than measured ones would. Other choices: "
        "{missing='drop-rows'|'drop-columns'|'mean'|'median'}.",
        "Écarter tout individu à valeur manquante en aurait coûté plus de la moitié : les valeurs "
        "ont été complétées par les axes du tableau lui-même, ou par des moyennes s’il n’en a pas. "
        "Elles s’accordent mieux à ces axes que des mesures ne le feraient. Autres choix : "
        "{missing='drop-rows'|'drop-columns'|'mean'|'median'}.",
    ),
    "clean": (
        "The checks (order and copies of rows, unequal rows, long tails, counts) found nothing "
        "that would break the tests.",
        "Les vérifications (ordre et copies des individus, dispersion inégale, longues queues, "
        "effectifs) n’ont rien trouvé qui mette les tests en défaut.",
    ),
    "unchecked": (
        "Order, copies, unequal rows and long tails were not looked for.",
        "Ordre, copies, dispersion inégale et longues queues n’ont pas été recherchés.",
    ),
    "dim.how": (
        "An axis is above noise when it is larger than in tables made without structure. Axes, "
        "groups and curves share one level of 5 %, for which p-values are corrected. Axes that go "
        "with a group or a supplementary column, and both axes of the map, are read as well.",
        "Un axe dépasse le bruit s’il est plus grand que dans des tableaux sans structure. Axes, "
        "groupes et courbes se partagent un seuil de 5 %, dont les p tiennent compte. Les axes "
        "liés à un groupe ou à une colonne supplémentaire, et les deux axes de la carte, sont lus "
        "aussi.",
    ),
    "dim.votes": (
        "The rules in the table ask other questions (how much is explained, where the curve bends, "
        "what could be predicted), so they need not agree.",
        "Les règles du tableau posent d’autres questions (combien est expliqué, où la courbe plie, "
        "ce qu’on saurait prédire) et n’ont pas à s’accorder.",
    ),
    "out.how": (
        "A row is named when it lies farther out than one normal table in twenty would have any "
        "row: along the axes (an extreme of what the others do) or across them (something else).",
        "Un individu est nommé s’il est plus loin qu’aucun individu d’un tableau normal, sauf une "
        "fois sur vingt : le long des axes (un extrême de ce que font les autres) ou hors d’eux "
        "(autre chose).",
    ),
    "out.none": ("No row was named.", "Aucun individu n’a été nommé."),
    "sta.how": (
        "The analysis was repeated on {count} samples of the rows, drawn with replacement. The "
        "angle says how far an axis turns, among the variables, from sample to sample.",
        "L’analyse a été refaite sur {count} échantillons d’individus tirés avec remise. L’angle "
        "dit de combien un axe tourne, parmi les variables, d’un échantillon à l’autre.",
    ),
    "sta.rows": (
        "The analysis was repeated on {count} samples of the rows, drawn with replacement. The "
        "angle says how far an axis turns from sample to sample.",
        "L’analyse a été refaite sur {count} échantillons d’individus tirés avec remise. L’angle "
        "dit de combien un axe tourne d’un échantillon à l’autre.",
    ),
    "sta.intervals.none": (
        "Intervals for the eigenvalues are given for axes above noise, with five rows a column at "
        "least, where rows are independent and none lies far out: elsewhere they would not cover.",
        "Des intervalles pour les valeurs propres sont donnés pour les axes au-dessus du bruit, à "
        "partir de cinq individus par colonne, quand les individus sont indépendants et qu’aucun "
        "n’est très éloigné : ailleurs ils ne couvriraient pas.",
    ),
    "sta.ellipses": (
        "Each ellipse holds, with a confidence of 95 %, the place of a point on the axes that more "
        "rows of the same kind would give; those of {drawn} rows are drawn, the ones that "
        "contribute most.",
        "Chaque ellipse contient, avec une confiance de 95 %, la place d’un point sur les axes que "
        "donneraient plus d’individus du même genre ; celles de {drawn} individus sont tracées, "
        "ceux qui contribuent le plus.",
    ),
    "sta.ellipses.all": (
        "Each ellipse holds, with a confidence of 95 %, the place of a point on the axes that more "
        "rows of the same kind would give.",
        "Chaque ellipse contient, avec une confiance de 95 %, la place d’un point sur les axes que "
        "donneraient plus d’individus du même genre.",
    ),
    "lin.how": (
        "Two tests ask for more than straight axes: one for columns that depend on each other in a "
        "curve, one for clusters. Where they find nothing, nothing is said: a weak bend may be "
        "there.",
        "Deux tests cherchent plus que des axes droits : l’un des colonnes liées par une courbe, "
        "l’autre des paquets. S’ils ne trouvent rien, rien n’est dit : une faible courbure peut "
        "exister.",
    ),
    "lin.kernel": (
        "Beside PCA stands kernel PCA with a Gaussian kernel of scale {scale} on the standardised "
        "columns (the median rule){approximate}.",
        "À côté de l’ACP, l’ACP à noyau gaussien d’échelle {scale} sur les colonnes normées (règle "
        "de la médiane){approximate}.",
    ),
    "lin.kernel.other": (
        "Beside PCA stands kernel PCA with the kernel {kernel} on the standardised columns"
        "{approximate}.",
        "À côté de l’ACP, l’ACP à noyau {kernel} sur les colonnes normées{approximate}.",
    ),
    "lin.approximate": (
        ", computed from {rank} landmarks",
        ", calculée à partir de {rank} repères",
    ),
    "lin.exact": ("", ""),
    "test.line": (
        "{what}: against {null}. It holds for {holds}.",
        "{what} : contre {null}. Valable pour {holds}.",
    ),
    "test.axes": ("Axes", "Axes"),
    "test.groups": ("Groups", "Groupes"),
    "test.numbers": ("Supplementary variables", "Variables supplémentaires"),
    "test.loadings": ("Variables of an axis", "Variables d’un axe"),
    "test.rows": ("Rows that stand apart", "Individus à part"),
    "test.curves": ("Curves", "Courbes"),
    "test.clusters": ("Clusters", "Paquets"),
    "b.cut": (
        "The first {shown} of {count} rows; the whole table is in the page, under Show more and "
        "Download CSV.",
        "Les {shown} premières lignes sur {count} ; le tableau entier est dans la page (Voir plus, "
        "Télécharger en CSV).",
    ),
}
