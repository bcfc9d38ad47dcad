"""What a reading of data says: how it was read, and what to know before believing a result."""

from __future__ import annotations

__all__ = ["SENTENCES"]

# key → (English, French), with the same blanks in both; a blank such as {header=True} is a setting
SENTENCES = {
    "format": ("The file was read as {name}.", "Le fichier a été lu comme {name}."),
    "separator": (
        "Columns are separated by {mark}; the decimal mark is {decimal}.",
        "Les colonnes sont séparées par {mark} ; le séparateur décimal est {decimal}.",
    ),
    "encoding": ("The text is encoded in {name}.", "Le texte est codé en {name}."),
    "no_header": (
        "The first line holds numbers, so columns were given names: pass {header=True} if not.",
        "La première ligne contient des nombres : les colonnes ont reçu des noms "
        "({header=True} sinon).",
    ),
    "comments": (
        "{n} comment lines at the top were skipped.",
        "{n} lignes de commentaire en tête ont été sautées.",
    ),
    "comments.one": (
        "One comment line at the top was skipped.",
        "Une ligne de commentaire en tête a été sautée.",
    ),
    "quoted_lines": (
        "{n} quoted cells hold line breaks, the first in line {line}: if that is a quote too many, "
        "lines of the table are inside of it.",
        "{n} cellules entre guillemets contiennent des sauts de ligne, la première ligne {line} : "
        "un guillemet de trop y enfermerait des lignes du tableau.",
    ),
    "quoted_lines.one": (
        "A quoted cell holds line breaks, in line {line}: if that is a quote too many, lines of "
        "the table are inside of it.",
        "Une cellule entre guillemets contient des sauts de ligne, à la ligne {line} : un "
        "guillemet de trop y enfermerait des lignes du tableau.",
    ),
    "row_names": (
        "Column {name} names the rows.",
        "La colonne {name} donne le nom des lignes.",
    ),
    "numbered": (
        "No column names the rows: they are numbered from 1.",
        "Aucune colonne ne nomme les lignes : elles sont numérotées à partir de 1.",
    ),
    "scan.names": (
        "{n} columns were left out, the names of the rows: {names}.",
        "{n} colonnes ont été laissées de côté, les noms des lignes : {names}.",
    ),
    "scan.names.one": (
        "One column was left out, the names of the rows: {names}.",
        "Une colonne a été laissée de côté, les noms des lignes : {names}.",
    ),
    "scan.texts": (
        "{n} columns that are not numbers were left out: {names}.",
        "{n} colonnes qui ne sont pas des nombres ont été laissées de côté : {names}.",
    ),
    "scan.texts.one": (
        "One column that is not numbers was left out: {names}.",
        "Une colonne qui n’est pas de nombres a été laissée de côté : {names}.",
    ),
    "sheet": (
        "Sheet {name} was read, of {n}: {names}.",
        "La feuille {name} a été lue, sur {n} : {names}.",
    ),
    "transposed": (
        "Rows and columns were exchanged: individuals were columns in the file.",
        "Lignes et colonnes ont été échangées : les individus étaient en colonnes.",
    ),
    "genes": (
        "The rows look like genes ({name}, …) and the columns like samples: pass {transpose=True} "
        "if the {p} columns are what is to be compared, not the {n} rows.",
        "Les lignes ressemblent à des gènes ({name}, …) et les colonnes à des échantillons : "
        "{transpose=True} si ce sont les {p} colonnes qu’il faut comparer, non les {n} lignes.",
    ),
    "roles": (
        "Columns: {active} active, {supplementary} supplementary, {group} as groups, "
        "{ignored} ignored.",
        "Colonnes : {active} comme actives, {supplementary} comme supplémentaires, {group} comme "
        "groupes, {ignored} sans emploi.",
    ),
    "group": (
        "Column {name} holds {levels} categories and was taken as a group.",
        "La colonne {name} contient {levels} catégories et a été prise pour un groupe.",
    ),
    "groups": (
        "{n} columns hold categories and were taken as groups: {names}.",
        "{n} colonnes contiennent des catégories et ont été prises pour des groupes : {names}.",
    ),
    "blocks": (
        "{name} holds {size}, more than a quarter of {memory}: it is read block by block.",
        "{name} contient {size}, plus d’un quart de {memory} : il est lu bloc par bloc.",
    ),
    "layer": ("The matrix read is {name}.", "La matrice lue est {name}."),
    "distances": (
        "The table is square, symmetric, not negative and zero on its diagonal: it was taken as "
        "distances. Pass {kind='table'} if it is not.",
        "Le tableau est carré, symétrique, positif et nul sur la diagonale : il a été pris pour "
        "des distances ({kind='table'} sinon).",
    ),
    "triangle": (
        "Only one triangle of the distances was given; the other is its mirror.",
        "Un seul triangle des distances était donné ; l’autre est son miroir.",
    ),
    "graphs": (
        "{n} graphs of {low} to {high} nodes were read.",
        "{n} graphes de {low} à {high} nœuds ont été lus.",
    ),
    "sequences": (
        "{n} sequences of {low} to {high} letters were read.",
        "{n} séquences de {low} à {high} lettres ont été lues.",
    ),
    "upper": (
        "Letters in lower case were made upper case.",
        "Les lettres minuscules ont été mises en majuscules.",
    ),
    "empty_columns": (
        "{n} empty columns were left out.",
        "{n} colonnes vides ont été laissées de côté.",
    ),
    "empty_columns.one": (
        "An empty column was left out.",
        "Une colonne vide a été laissée de côté.",
    ),
    "missing": (
        "{n} values are missing, in {columns} ({names}) and {rows}. Choose "
        "{missing='drop-rows'|'drop-columns'|'iterative'|'mean'|'median'}.",
        "{n} valeurs manquent, dans {columns} ({names}) et {rows}. Choisir "
        "{missing='drop-rows'|'drop-columns'|'iterative'|'mean'|'median'}.",
    ),
    "missing.one": (
        "One value is missing, in {columns} ({names}) and {rows}. Choose "
        "{missing='drop-rows'|'drop-columns'|'iterative'|'mean'|'median'}.",
        "Une valeur manque, dans {columns} ({names}) et {rows}. Choisir "
        "{missing='drop-rows'|'drop-columns'|'iterative'|'mean'|'median'}.",
    ),
    "missing_distances": (
        "{n} distances are missing: only non-metric scaling, {method='mds'}, takes them.",
        "{n} distances manquent : seul le positionnement par stress, {method='mds'}, les accepte.",
    ),
    "missing_distances.one": (
        "One distance is missing: only non-metric scaling, {method='mds'}, takes it.",
        "Une distance manque : seul le positionnement par stress, {method='mds'}, l’accepte.",
    ),
    "dropped_rows": (
        "{n} of {of} rows have a missing value and are left out.",
        "{n} lignes sur {of} ont une valeur manquante et sont laissées de côté.",
    ),
    "dropped_rows.one": (
        "One of {of} rows has a missing value and is left out.",
        "Une ligne sur {of} a une valeur manquante et est laissée de côté.",
    ),
    "dropped_numbers": (
        "{n} of {of} rows have a missing value in {names} and are left out.",
        "{n} lignes sur {of} ont une valeur manquante dans {names} et sont laissées de côté.",
    ),
    "dropped_numbers.one": (
        "One of {of} rows has a missing value in {names} and is left out.",
        "Une ligne sur {of} a une valeur manquante dans {names} et est laissée de côté.",
    ),
    "dropped_columns": (
        "{n} columns have missing values and are left out: {names}.",
        "{n} colonnes ont des valeurs manquantes et sont laissées de côté : {names}.",
    ),
    "dropped_columns.one": (
        "One column has missing values and is left out: {names}.",
        "Une colonne a des valeurs manquantes et est laissée de côté : {names}.",
    ),
    "nearly_empty": (
        "Some rows or columns have hardly any value: what is filled in there rests on the others "
        "nearly alone.",
        "Quelques lignes ou colonnes n’ont presque aucune valeur : ce qui y est complété repose "
        "presque entièrement sur les autres.",
    ),
    "iterative": (
        "{n} missing values ({names}) were filled in by {axes} of the table itself: they agree "
        "with its axes better than measured ones would.",
        "{n} valeurs manquantes ({names}) ont été complétées par {axes} du tableau lui-même : "
        "elles s’accordent mieux à ses axes que des mesures ne le feraient.",
    ),
    "iterative.one": (
        "One missing value ({names}) was filled in by {axes} of the table itself: it agrees with "
        "its axes better than a measured one would.",
        "Une valeur manquante ({names}) a été complétée par {axes} du tableau lui-même : elle "
        "s’accorde mieux à ses axes qu’une mesure ne le ferait.",
    ),
    "mean.one": (
        "One missing value was replaced by the mean of its column ({names}).",
        "Une valeur manquante a été remplacée par la moyenne de sa colonne ({names}).",
    ),
    "median.one": (
        "One missing value was replaced by the median of its column ({names}).",
        "Une valeur manquante a été remplacée par la médiane de sa colonne ({names}).",
    ),
    "mean": (
        "{n} missing values were replaced by the mean of their column ({names}): rows that lack "
        "much are drawn to the middle, which can make an axis or a bend by itself.",
        "{n} valeurs manquantes ont été remplacées par la moyenne de leur colonne ({names}) : les "
        "individus très incomplets sont tirés vers le centre, ce qui peut suffire à faire un axe "
        "ou une courbure.",
    ),
    "median": (
        "{n} missing values were replaced by the median of their column ({names}): rows that lack "
        "much are drawn to the middle, which can make an axis or a bend by itself.",
        "{n} valeurs manquantes ont été remplacées par la médiane de leur colonne ({names}) : les "
        "individus très incomplets sont tirés vers le centre, ce qui peut suffire à faire un axe "
        "ou une courbure.",
    ),
    "infinite": (
        "Column {name} holds an infinite value (row {row}): most methods refuse it.",
        "La colonne {name} contient une valeur infinie (ligne {row}) : la plupart des méthodes "
        "la refusent.",
    ),
    "constant": (
        "{n} active columns are constant and tell nothing: {names}.",
        "{n} colonnes actives sont constantes et n’apprennent rien : {names}.",
    ),
    "constant.one": (
        "One active column is constant and tells nothing: {names}.",
        "Une colonne active est constante et n’apprend rien : {names}.",
    ),
    "duplicate_rows": (
        "{n} rows are copies of another one in every column, the first {name}.",
        "{n} lignes sont des copies d’une autre dans toutes les colonnes, la première {name}.",
    ),
    "duplicate_rows.one": (
        "One row is a copy of another one in every column: {name}.",
        "Une ligne est la copie d’une autre dans toutes les colonnes : {name}.",
    ),
    "duplicate_names": (
        "{n} names appear more than once, the first {name}: a number was added.",
        "{n} noms apparaissent plusieurs fois, le premier {name} : un numéro a été ajouté.",
    ),
    "duplicate_names.one": (
        "The name {name} appears more than once: a number was added.",
        "Le nom {name} apparaît plusieurs fois : un numéro a été ajouté.",
    ),
    "nearly_numbers": (
        "Column {name} would be numbers but for {cell} (row {row}), and is read as text: pass "
        "{setting} if that means missing.",
        "La colonne {name} serait numérique sans {cell} (ligne {row}) et est lue comme du texte : "
        "{setting} si cela veut dire manquant.",
    ),
    "other_mark": (
        "Column {name} holds texts such as {cell} that look like numbers written with other "
        "marks: pass {decimal=} and {thousands=}.",
        "La colonne {name} contient des textes comme {cell} qui ressemblent à des nombres écrits "
        "avec d’autres séparateurs : donner {decimal=} et {thousands=}.",
    ),
    "thousands": (
        "Every number of column {name} has three digits after the comma ({cell}), which was read "
        "as a decimal mark: pass {decimal='.'} and {thousands=','} if it parts thousands.",
        "Chaque nombre de la colonne {name} a trois chiffres après la virgule ({cell}), lue comme "
        "séparateur décimal : {decimal='.'} et {thousands=','} si elle sépare les milliers.",
    ),
    "one_value": (
        "{n} columns hold one value only, or none, and are ignored: {names}.",
        "{n} colonnes n’ont qu’une valeur, ou aucune, et sont ignorées : {names}.",
    ),
    "one_value.one": (
        "One column holds one value only, or none, and is ignored: {names}.",
        "Une colonne n’a qu’une valeur, ou aucune, et est ignorée : {names}.",
    ),
    "ignored": (
        "{n} columns of text with many values, or of dates, are ignored: {names}.",
        "{n} colonnes de texte à nombreuses valeurs, ou de dates, sont ignorées : {names}.",
    ),
    "ignored.one": (
        "One column of text with many values, or of dates, is ignored: {names}.",
        "Une colonne de texte à nombreuses valeurs, ou de dates, est ignorée : {names}.",
    ),
    "directed": (
        "{n} graphs are directed: directions were left out.",
        "{n} graphes sont orientés : les directions ont été laissées de côté.",
    ),
    "directed.one": (
        "One graph is directed: directions were left out.",
        "Un graphe est orienté : les directions ont été laissées de côté.",
    ),
    "edge_columns": (
        "{n} lines have cells after the weight, which were left out.",
        "{n} lignes ont des cellules après le poids, qui ont été laissées de côté.",
    ),
    "edge_columns.one": (
        "One line has cells after the weight, which were left out.",
        "Une ligne a des cellules après le poids, qui ont été laissées de côté.",
    ),
    "other_files": (
        "{n} files or folders in the folder are no graph files and were left out: {names}.",
        "{n} fichiers ou dossiers du dossier ne sont pas des graphes et ont été laissés de côté : "
        "{names}.",
    ),
    "other_files.one": (
        "A file or folder in the folder is no graph file and was left out: {names}.",
        "Un fichier ou dossier du dossier n’est pas un graphe et a été laissé de côté : {names}.",
    ),
    "loops": (
        "{n} loops and {m} repeated edges were left out.",
        "{n} boucles et {m} arêtes répétées ont été laissées de côté.",
    ),
    "loops.one": (
        "One loop and {m} repeated edges were left out.",
        "Une boucle et {m} arêtes répétées ont été laissées de côté.",
    ),
}
