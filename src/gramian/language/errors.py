"""What is refused of data, and what to do about it."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "out.folder": (
        "{path} is a folder: name a file in it",
        "{path} est un dossier : y nommer un fichier",
    ),
    "out.exists": (
        "{path} exists: use --force to overwrite it",
        "{path} existe : utiliser --force pour le remplacer",
    ),
    "out.nowhere": (
        "{path} is no folder: make it first",
        "{path} n’est pas un dossier : le créer d’abord",
    ),
    "out.report": (
        "a report is not written to standard output: name a file with -o",
        "un rapport ne s’écrit pas sur la sortie standard : nommer un fichier par -o",
    ),
    "out.page": (
        "a page is not written to standard output: name a file with -o",
        "une page ne s’écrit pas sur la sortie standard : nommer un fichier par -o",
    ),
    "option.kernel": (
        "--kernel {name} is not one of {known}, nor of a --plugin",
        "--kernel {name} n’est ni parmi {known}, ni d’un --plugin",
    ),
    "option.kernel.reason": ("--kernel {name}: {reason}", "--kernel {name} : {reason}"),
    "option.genes": (
        "--genes {name} is no number, no file of names, not modules and not all",
        "--genes {name} n’est ni un nombre, ni un fichier de noms, ni modules, ni all",
    ),
    "no_values": (
        "the table has no columns with values: give at least one column of numbers",
        "le tableau n’a aucune colonne avec des valeurs : donner au moins une colonne de nombres",
    ),
    "only_names": (
        "{setting} is the only column: nothing is left to analyse",
        "{setting} est la seule colonne : il ne reste rien à analyser",
    ),
    "transpose_texts": (
        "{=transpose}: column {name} holds texts: name the rows with {=row_names}",
        "{=transpose} : la colonne {name} contient des textes : nommer les lignes par {=row_names}",
    ),
    "no_rows": (
        "the table has no rows below its header: give at least one",
        "le tableau n’a aucune ligne sous son en-tête : en donner au moins une",
    ),
    "no_numbers": (
        "the table has no column of numbers, and categories alone are not analysed: {columns}"
        "{hint}; where numbers were meant, check the separator and the decimal mark ({sep=}, "
        "{decimal=})",
        "le tableau n’a aucune colonne de nombres, et des catégories seules ne sont pas "
        "analysées : {columns}{hint} ; si ce devaient être des nombres, vérifier le séparateur et "
        "le séparateur décimal ({sep=}, {decimal=})",
    ),
    "first_value": (
        "; the first value of {name} is {value}",
        " ; la première valeur de {name} est {value}",
    ),
    "no_hint": ("", ""),
    "leaves_little": (
        "{setting} leaves {rows} and {columns}: choose another way, one of {others}",
        "{setting} laisse {rows} et {columns} : choisir une autre façon parmi {others}",
    ),
    "distances_kernel": (
        "{kernel=} is for tables, graphs and sequences: distances need none",
        "{kernel=} vaut pour des tableaux, graphes et séquences : des distances n’en ont pas "
        "besoin",
    ),
    "few_rows": (
        "data: {n} rows are left: a report needs at least 3",
        "données : il reste {n} lignes, et un rapport en demande au moins 3",
    ),
    "few_rows.one": (
        "data: one row is left: a report needs at least 3",
        "données : il reste une ligne, et un rapport en demande au moins 3",
    ),
    "no_active": (
        "data: no numeric column is left to analyse: name some with {active=}, or check the "
        "separator and the decimal mark ({sep=}, {decimal=})",
        "données : aucune colonne numérique ne reste à analyser : en nommer par {active=}, ou "
        "vérifier le séparateur et le séparateur décimal ({sep=}, {decimal=})",
    ),
    "infinite": (
        "data: infinite value in row {row}, column {name}: correct it or leave the cell empty",
        "données : valeur infinie à la ligne {row}, colonne {name} : la corriger ou vider la "
        "cellule",
    ),
    "all_constant": (
        "data: every active column is constant: give columns whose values differ",
        "données : toutes les colonnes actives sont constantes : donner des colonnes dont les "
        "valeurs diffèrent",
    ),
}
