"""Every sentence that a reading may say, in English and in French."""

from __future__ import annotations

__all__ = ["SENTENCES"]

# key → (English, French), with the same blanks in both
SENTENCES = {
    "format": ("The file was read as {name}.", "Le fichier a été lu comme {name}."),
    "separator": (
        "Columns are separated by {mark}; the decimal mark is {decimal}.",
        "Les colonnes sont séparées par {mark} ; la marque décimale est {decimal}.",
    ),
    "encoding": ("The text is encoded in {name}.", "Le texte est codé en {name}."),
    "no_header": (
        "The first line holds numbers, so columns were given names: pass header=True if not.",
        "La première ligne contient des nombres : les colonnes ont reçu des noms "
        "(header=True sinon).",
    ),
    "comments": (
        "{n} comment line(s) at the top were skipped.",
        "{n} ligne(s) de commentaire en tête ont été sautées.",
    ),
    "quoted_lines": (
        "{n} quoted cell(s) hold line breaks, the first in line {line}: if that is a quote too "
        "many, lines of the table are inside of it.",
        "{n} cellule(s) entre guillemets contiennent des sauts de ligne, la première ligne {line} "
        ": un guillemet de trop y enfermerait des lignes du tableau.",
    ),
    "row_names": (
        "Column {name} names the rows.",
        "La colonne {name} donne le nom des lignes.",
    ),
    "numbered": (
        "No column names the rows: they are numbered from 1.",
        "Aucune colonne ne nomme les lignes : elles sont numérotées à partir de 1.",
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
        "The rows look like genes ({name}, …) and the columns like samples: pass transpose=True if "
        "the {p} columns are what is to be compared, not the {n} rows.",
        "Les lignes ressemblent à des gènes ({name}, …) et les colonnes à des échantillons : "
        "transpose=True si ce sont les {p} colonnes qu'il faut comparer, non les {n} lignes.",
    ),
    "roles": (
        "Columns: {active} active, {supplementary} supplementary, {group} group(s), "
        "{ignored} ignored.",
        "Colonnes : {active} actives, {supplementary} supplémentaires, {group} groupe(s), "
        "{ignored} ignorées.",
    ),
    "group": (
        "Column {name} holds {n} categories and was taken as a group.",
        "La colonne {name} contient {n} catégories et a été prise pour un groupe.",
    ),
    "layer": ("The matrix read is {name}.", "La matrice lue est {name}."),
    "distances": (
        "The table is square, symmetric, not negative and zero on its diagonal: it was taken as "
        "distances. Pass kind='table' if it is not.",
        "Le tableau est carré, symétrique, positif et nul sur la diagonale : il a été pris pour "
        "des distances (kind='table' sinon).",
    ),
    "triangle": (
        "Only one triangle of the distances was given; the other is its mirror.",
        "Un seul triangle des distances était donné ; l'autre est son miroir.",
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
        "{n} empty column(s) were left out.",
        "{n} colonne(s) vide(s) ont été laissées de côté.",
    ),
    "missing": (
        "{n} values are missing in {columns} active column(s) ({names}) and {rows} row(s). Choose "
        "missing='drop-rows', 'drop-columns', 'mean' or 'median'.",
        "{n} valeurs manquent dans {columns} colonne(s) active(s) ({names}) et {rows} ligne(s). "
        "Choisir missing='drop-rows', 'drop-columns', 'mean' ou 'median'.",
    ),
    "missing_distances": (
        "{n} distances are missing: only gm.MDS takes them.",
        "{n} distances manquent : seule gm.MDS les accepte.",
    ),
    "dropped_rows": (
        "{n} of {of} rows have a missing value and are left out.",
        "{n} lignes sur {of} ont une valeur manquante et sont laissées de côté.",
    ),
    "dropped_columns": (
        "{n} column(s) have missing values and are left out: {names}.",
        "{n} colonne(s) ont des valeurs manquantes et sont laissées de côté : {names}.",
    ),
    "mean": (
        "{n} missing values were replaced by the mean of their column ({names}): this shrinks "
        "variances and correlations.",
        "{n} valeurs manquantes ont été remplacées par la moyenne de leur colonne ({names}) : "
        "cela réduit variances et corrélations.",
    ),
    "median": (
        "{n} missing values were replaced by the median of their column ({names}): this shrinks "
        "variances and correlations.",
        "{n} valeurs manquantes ont été remplacées par la médiane de leur colonne ({names}) : "
        "cela réduit variances et corrélations.",
    ),
    "infinite": (
        "Column {name} holds an infinite value (row {row}): most methods refuse it.",
        "La colonne {name} contient une valeur infinie (ligne {row}) : la plupart des méthodes "
        "la refusent.",
    ),
    "constant": (
        "{n} active column(s) are constant and tell nothing: {names}.",
        "{n} colonne(s) active(s) sont constantes et n'apprennent rien : {names}.",
    ),
    "duplicate_rows": (
        "{n} row(s) are copies of another one, the first {name}.",
        "{n} ligne(s) sont des copies d'une autre, la première {name}.",
    ),
    "duplicate_names": (
        "{n} names appear more than once, the first {name}: a number was added.",
        "{n} noms apparaissent plusieurs fois, le premier {name} : un numéro a été ajouté.",
    ),
    "nearly_numbers": (
        "Column {name} would be numbers but for {cell} (row {row}), and is read as text: pass "
        "na_values=[{cell}] if that means missing.",
        "La colonne {name} serait numérique sans {cell} (ligne {row}) et est lue comme du texte : "
        "na_values=[{cell}] si cela veut dire manquant.",
    ),
    "other_mark": (
        "Column {name} holds texts such as {cell} that look like numbers written with other "
        "marks: pass decimal= and thousands=.",
        "La colonne {name} contient des textes comme {cell} qui ressemblent à des nombres écrits "
        "avec d'autres marques : donner decimal= et thousands=.",
    ),
    "thousands": (
        "Every number of column {name} has three digits after the comma ({cell}), which was read "
        "as a decimal mark: pass decimal='.' and thousands=',' if it parts thousands.",
        "Chaque nombre de la colonne {name} a trois chiffres après la virgule ({cell}), lue comme "
        "marque décimale : decimal='.' et thousands=',' si elle sépare les milliers.",
    ),
    "one_value": (
        "{n} column(s) hold one value only, or none, and are ignored: {names}.",
        "{n} colonne(s) n'ont qu'une valeur, ou aucune, et sont ignorées : {names}.",
    ),
    "ignored": (
        "{n} column(s) of text with many values, or of dates, are ignored: {names}.",
        "{n} colonne(s) de texte à nombreuses valeurs, ou de dates, sont ignorées : {names}.",
    ),
    "directed": (
        "{n} graph(s) are directed: directions were left out.",
        "{n} graphe(s) sont orientés : les directions ont été laissées de côté.",
    ),
    "edge_columns": (
        "{n} line(s) have cells after the weight, which were left out.",
        "{n} ligne(s) ont des cellules après le poids, qui ont été laissées de côté.",
    ),
    "other_files": (
        "{n} file(s) or folder(s) in the folder are no graph files and were left out: {names}.",
        "{n} fichier(s) ou dossier(s) du dossier ne sont pas des graphes et ont été laissés de "
        "côté : {names}.",
    ),
    "loops": (
        "{n} loop(s) and {m} repeated edge(s) were left out.",
        "{n} boucle(s) et {m} arête(s) répétée(s) ont été laissées de côté.",
    ),
}
