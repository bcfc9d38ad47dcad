"""What is refused of an argument, and what it must be."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "whole": (
        "{setting} must be a whole number, at least {least}{limit}",
        "{setting} doit être un nombre entier d’au moins {least}{limit}",
    ),
    "whole.most": (" and at most {most}", " et d’au plus {most}"),
    "whole.what": (" and at most {most}, {what}", " et d’au plus {most} ({what})"),
    "number": (
        "{setting} must be a finite number",
        "{setting} doit être un nombre fini",
    ),
    "number.least": (
        "{setting} must be a finite number of at least {least}",
        "{setting} doit être un nombre fini d’au moins {least}",
    ),
    "positive": (
        "{setting} must be a positive finite number",
        "{setting} doit être un nombre positif et fini",
    ),
    "share": (
        "{setting} must lie strictly between 0 and 1",
        "{setting} doit être strictement entre 0 et 1",
    ),
    "share.zero": (
        "{setting} must be a share of at least 0 and below 1",
        "{setting} doit être une part d’au moins 0 et inférieure à 1",
    ),
    "share.top": (
        "{setting} must be a share above 0 and at most 1",
        "{setting} doit être une part supérieure à 0 et d’au plus 1",
    ),
    "share.both": (
        "{setting} must be a number between 0 and 1",
        "{setting} doit être un nombre entre 0 et 1",
    ),
    "one_of": (
        "{setting} must be one of {known}",
        "{setting} doit être parmi {known}",
    ),
    "one_of.none": (
        "{setting} must be one of {known} or None",
        "{setting} doit être parmi {known} ou None",
    ),
    "flag": ("{setting} must be True or False", "{setting} doit être True ou False"),
    "text": ("{setting} must be a text", "{setting} doit être un texte"),
    "path": (
        "{setting} must be the path of a file",
        "{setting} doit être le chemin d’un fichier",
    ),
    "path.none": (
        "{setting} names no file: give the path of one",
        "{setting} ne nomme aucun fichier : en donner le chemin",
    ),
    "seed": (
        "{setting} is not a seed: give None, a whole number of at least 0 or a np.random.Generator",
        "{setting} n’est pas une graine : donner un nombre entier d’au moins 0",
    ),
    "device.torch": (
        "{setting} needs torch: pip install 'gramian[gpu]'",
        "{setting} demande torch : pip install 'gramian[gpu]'",
    ),
    "device": (
        "{setting} cannot be used here: {reason}",
        "{setting} n’est pas utilisable ici : {reason}",
    ),
    "metric": (
        "{setting} must be a name or a function",
        "{setting} doit être un nom ou une fonction",
    ),
    "metric.reason": ("{setting}: {reason}", "{setting} : {reason}"),
    "metric.vanished": (
        "{=metric}: all distances are zero although rows of X differ: numbers so small vanish: "
        "multiply the data by a power of two",
        "{=metric} : toutes les distances sont nulles alors que des lignes diffèrent : des nombres "
        "si petits disparaissent : multiplier les données par une puissance de deux",
    ),
    "scale.small": (
        "X: a column varies so little that nothing can be divided by its deviation: multiply the "
        "data by a power of two, or use {scale=False}",
        "données : une colonne varie trop peu pour être divisée par son écart-type : multiplier "
        "les données par une puissance de deux, ou utiliser {scale=False}",
    ),
    "not_euclidean": (
        "the distances are not Euclidean: negative eigenvalues hold {negative} of inertia against "
        "a total of {total}; {correction='lingoes'|'cailliez'} removes them",
        "les distances ne sont pas euclidiennes : les valeurs propres négatives portent {negative} "
        "d’inertie pour un total de {total} ; {correction='lingoes'|'cailliez'} les enlève",
    ),
    "rank": (
        "{setting} must be a number of landmarks or a share in (0, 1)",
        "{setting} doit être un nombre de repères ou une part entre 0 et 1",
    ),
    "rank.share": (
        "{setting} must be a whole number, or a share in (0, 1)",
        "{setting} doit être un nombre entier, ou une part entre 0 et 1",
    ),
    "memory": (
        "memory: {what} needs {need} but the budget is {budget}: {remedy}",
        "mémoire : {what} : il faut {need} et le budget est de {budget} : {remedy}",
    ),
    "memory.least": (
        "memory: {what} needs at least {need} but the budget is {budget}: {remedy}",
        "mémoire : {what} : il faut au moins {need} et le budget est de {budget} : {remedy}",
    ),
    "memory.dense": (
        "ask for fewer axes ({n_components=10}), use approximation=Nystrom(), or raise memory=",
        "demander moins d’axes ({n_components=10}), utiliser approximation=Nystrom(), ou augmenter "
        "memory=",
    ),
    "few_directions": (
        "{setting}, but on X only {columns} of the kernel's directions stand out from the rounding "
        "of its numbers: ask for fewer axes, or scale the columns alike",
        "{setting}, mais parmi les directions du noyau {columns} seulement se distinguent des "
        "arrondis : demander moins d’axes, ou mettre les colonnes à la même échelle",
    ),
    "indefinite": (
        "{=kernel}: the centred Gram matrix is indefinite: its smallest eigenvalue is {low} and "
        "its largest {high}. Use {indefinite='clip'|'flip'|'krein'}, or a positive semi-definite "
        "kernel",
        "{=kernel} : la matrice de Gram centrée est indéfinie : sa plus petite valeur propre est "
        "{low}, la plus grande {high}. Utiliser {indefinite='clip'|'flip'|'krein'}, ou un noyau "
        "semi-défini positif",
    ),
    "indefinite.least": (
        "{=kernel}: the centred Gram matrix is indefinite: its negative eigenvalues add up to at "
        "least {low}, its largest is {high}. Use {indefinite='clip'|'flip'|'krein'}, or a positive "
        "semi-definite kernel",
        "{=kernel} : la matrice de Gram centrée est indéfinie : ses valeurs propres négatives "
        "valent ensemble au moins {low}, la plus grande {high}. Utiliser "
        "{indefinite='clip'|'flip'|'krein'}, ou un noyau semi-défini positif",
    ),
    "kernel.overflow": (
        "{=kernel}: its values overflow on X: rescale the data or the kernel",
        "{=kernel} : ses valeurs débordent : changer l’échelle des données ou du noyau",
    ),
    "components": (
        "{setting} must be a whole number, a share in (0, 1), a rule's name or None",
        "{setting} doit être un nombre entier, une part entre 0 et 1 ou le nom d’une règle",
    ),
    "components.between": (
        "{setting} must lie between 1 and {limit} ({what})",
        "{setting} doit être entre 1 et {limit} ({what})",
    ),
    "components.share": (
        "{setting} must lie strictly between 0 and 1 to be a share of the inertia",
        "{setting} doit être strictement entre 0 et 1 pour être une part de l’inertie",
    ),
    "components.rule": (
        "{setting} is not a known rule: use one of {known}",
        "{setting} n’est pas une règle connue : utiliser {known}",
    ),
    "components.table": (
        "{setting} needs a table, which is not at hand here: use one of {known}",
        "{setting} demande un tableau, qu’il n’y a pas ici : utiliser {known}",
    ),
    "components.needs": (
        "{setting} needs {what}: use one of {known}",
        "{setting} ne s’applique pas ici ({what}) : utiliser {known}",
    ),
    "components.noise": (
        "{setting} finds no axis above noise{p}: one axis is kept",
        "{setting} ne trouve aucun axe au-dessus du bruit{p} : un axe est gardé",
    ),
    "components.p": (" (p = {p} for the first)", " (p = {p} pour le premier)"),
    "preimage.categories": (
        "Z must be of a fit of numbers: this one has categories, and between two of them there is "
        "none: fit the columns of numbers alone",
        "Z doit venir d’un ajustement de nombres : celui-ci a des catégories, et entre deux "
        "catégories il n’y en a pas : ajuster les colonnes de nombres seules",
    ),
    "option": (
        "{setting} must be an option that there is: use one of {known}",
        "{setting} doit être une option qui existe : utiliser {known}",
    ),
    "clusters": (
        '{setting} must be None, "auto" or a whole number',
        "{setting} doit être « auto » ou un nombre entier",
    ),
    "supplementary_rows": (
        "{setting} must be a list of names of rows",
        "{setting} doit être une liste de noms d’individus",
    ),
    "tests.coordinates": (
        "F has {found} rows and X {n}: give coordinates of the same rows",
        "F a {found} lignes et X {n} : donner les coordonnées des mêmes lignes",
    ),
    "tests.placed": (
        "Z has shape {found} and F {n} rows: give the same rows in both",
        "Z est de forme {found} et F a {n} lignes : donner les mêmes lignes",
    ),
    "tests.labels": (
        "{setting} must be a list: give one label a row",
        "{setting} doit être une liste : donner une étiquette par ligne",
    ),
    "tests.labels.number": (
        "{name} has {found} labels and X {n} rows: give one label a row",
        "{name} a {found} étiquettes et X {n} lignes : donner une étiquette par ligne",
    ),
    "tests.labels.lists": (
        "{setting} holds lists: give texts or numbers",
        "{setting} contient des listes : donner des textes ou des nombres",
    ),
    "tests.copies": (
        '{setting} must hold one label for each of the {n} rows with scheme="copies": give '
        "assumptions(X).copies.labels",
        '{setting} doit contenir une étiquette pour chacune des {n} lignes avec scheme="copies" : '
        "donner assumptions(X).copies.labels",
    ),
    "tests.copies.gap": (
        "{name} has no label at row {row}: give each row a group",
        "{name} n’a pas d’étiquette à la ligne {row} : donner un groupe à chaque ligne",
    ),
    "tests.everything.rows": (
        "{name} has {found} rows, X {n}: give the same rows",
        "{name} a {found} lignes, X {n} : donner les mêmes lignes",
    ),
    "tests.everything.lists": (
        "{name} has lists in its column {column}: give texts or numbers",
        "{name} a des listes dans sa colonne {column} : donner des textes ou des nombres",
    ),
    "tests.everything": (
        "{setting} must be a table: give a data frame",
        "{setting} doit être un tableau : donner un data frame",
    ),
    "tests.p": (
        "{setting} must be a list of numbers from 0 to 1, NaN for untested",
        "{setting} doit être une liste de nombres de 0 à 1, NaN pour un test qui manque",
    ),
    "tests.counts": (
        "{name} holds {found} and must hold counts: give whole numbers from 0 on",
        "{name} contient {found} et doit contenir des effectifs : donner des entiers à partir de 0",
    ),
    "tests.square": (
        "{name} of shape {found} must be square: give similarities of all pairs",
        "{name} de forme {found} doit être carré : donner les similarités de toutes les paires",
    ),
    "tests.weights": (
        "the rows have weights, which resampling does not take into account",
        "les individus ont des poids, dont le rééchantillonnage ne tient pas compte",
    ),
    "tests.no_axis": (
        "{name} has {found} rows and {columns} columns that vary: it has no axis",
        "{name} a {found} lignes et {columns} colonnes qui varient : aucun axe",
    ),
}
