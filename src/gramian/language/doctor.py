"""What the doctor says of a table: one sentence for each finding, with the option that mends it."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "identifier": (
        "Column {name} looks like an identifier ({cells}, …) and is left out: pass {setting} if it "
        "is more.",
        "La colonne {name} ressemble à un identifiant ({cells}, …) et est laissée de côté : "
        "{setting} si c’est davantage.",
    ),
    "index": (
        "Column {name} numbers the rows and is left out: pass {setting} if it is a quantity.",
        "La colonne {name} numérote les lignes et est laissée de côté : {setting} si c’est une "
        "quantité.",
    ),
    "category": (
        "Column {name} holds {count} codes ({cells}) and was taken as categories: pass {setting} "
        "if they are quantities.",
        "La colonne {name} contient {count} codes ({cells}) et a été prise pour des catégories : "
        "{setting} si ce sont des quantités.",
    ),
    "category.perhaps": (
        "Column {name} holds only {cells}: pass {setting} if these are codes of categories.",
        "La colonne {name} ne contient que {cells} : {setting} si ce sont des codes de catégories.",
    ),
    "missing_code": (
        "{n} values {code} of column {name} stand far from all others and were read as missing: "
        "pass {setting} if they are true values.",
        "{n} valeurs {code} de la colonne {name} sont loin de toutes les autres et ont été lues "
        "comme manquantes : {setting} si ce sont de vraies valeurs.",
    ),
    "missing_code.one": (
        "One value {code} of column {name} stands far from all others and was read as missing: "
        "pass {setting} if it is a true value.",
        "Une valeur {code} de la colonne {name} est loin de toutes les autres et a été lue comme "
        "manquante : {setting} si c’est une vraie valeur.",
    ),
    "missing_word": (
        "{n} cells of column {name} ({cells}) were read as missing: pass {setting} if they are "
        "categories.",
        "{n} cellules de la colonne {name} ({cells}) ont été lues comme manquantes : {setting} si "
        "ce sont des catégories.",
    ),
    "missing_word.one": (
        "One cell of column {name} ({cells}) was read as missing: pass {setting} if it is a "
        "category.",
        "Une cellule de la colonne {name} ({cells}) a été lue comme manquante : {setting} si c’est "
        "une catégorie.",
    ),
    "censored": (
        "{n} cells of column {name} ({cells}) give a limit and no value, and were read as missing: "
        "write a value in their place, or leave the column out with {setting}.",
        "{n} cellules de la colonne {name} ({cells}) donnent une limite et non une valeur, et ont "
        "été lues comme manquantes : y écrire une valeur, ou laisser la colonne de côté par "
        "{setting}.",
    ),
    "censored.one": (
        "One cell of column {name} ({cells}) gives a limit and no value, and was read as missing: "
        "write a value in its place, or leave the column out with {setting}.",
        "Une cellule de la colonne {name} ({cells}) donne une limite et non une valeur, et a été "
        "lue comme manquante : y écrire une valeur, ou laisser la colonne de côté par {setting}.",
    ),
    "units": (
        "The numbers of column {name} carry a unit ({unit}), which was taken off: pass {setting} "
        "if they are categories.",
        "Les nombres de la colonne {name} portent une unité ({unit}), qui a été ôtée : {setting} "
        "si ce sont des catégories.",
    ),
    "units.mixed": (
        "Column {name} mixes units ({units}) and is left out: write it in one unit, or pass "
        "{setting} to take its numbers as they stand.",
        "La colonne {name} mêle des unités ({units}) et est laissée de côté : l’écrire dans une "
        "seule unité, ou {setting} pour prendre ses nombres tels quels.",
    ),
    "decimal_comma": (
        "Column {name} is written with decimal commas ({cell}) and was read so: pass {setting} if "
        "it holds categories.",
        "La colonne {name} est écrite avec des virgules décimales ({cell}) et a été lue ainsi : "
        "{setting} si elle contient des catégories.",
    ),
    "date": (
        "Column {name} holds dates ({cell}, …) and is left out: pass {setting} to take them as "
        "groups.",
        "La colonne {name} contient des dates ({cell}, …) et est laissée de côté : {setting} pour "
        "en faire des groupes.",
    ),
    "date.part": (
        "Column {name} is a date or a part of one and makes no axis; it is placed afterwards: pass "
        "{setting} if it should.",
        "La colonne {name} est une date ou une partie de date et ne fait pas d’axe ; elle est "
        "placée après coup : {setting} si elle doit en faire.",
    ),
    "title_rows": (
        "{n} lines above the header were skipped, the first {cell}: pass {setting} if they belong "
        "to the table.",
        "{n} lignes au-dessus de l’en-tête ont été sautées, la première {cell} : {setting} si "
        "elles font partie du tableau.",
    ),
    "title_rows.one": (
        "One line above the header was skipped, {cell}: pass {setting} if it belongs to the table.",
        "Une ligne au-dessus de l’en-tête a été sautée, {cell} : {setting} si elle fait partie du "
        "tableau.",
    ),
    "row_names_found": (
        "Column {name} names the rows, though it is not the first: pass {setting} if it does not.",
        "La colonne {name} nomme les lignes sans être la première : {setting} sinon.",
    ),
    "empty_rows": (
        "{n} rows hold no value and were left out, the first of them row {row}.",
        "{n} lignes ne contiennent aucune valeur et ont été laissées de côté, la première étant la "
        "ligne {row}.",
    ),
    "empty_rows.one": (
        "Row {row} holds no value and was left out.",
        "La ligne {row} ne contient aucune valeur et a été laissée de côté.",
    ),
    "zero_rows": (
        "{n} rows hold nothing but zeros ({names}): they have no profile to compare, and are left "
        "out of correspondence analysis.",
        "{n} lignes ne contiennent que des zéros ({names}) : elles n’ont pas de profil à comparer "
        "et ne participent pas à l’analyse des correspondances.",
    ),
    "zero_rows.one": (
        "Row {names} holds nothing but zeros: it has no profile to compare, and is left out of "
        "correspondence analysis.",
        "La ligne {names} ne contient que des zéros : elle n’a pas de profil à comparer et ne "
        "participe pas à l’analyse des correspondances.",
    ),
    "composition": (
        "In every row {names} sum to {total}: they are parts of a whole, where one grows only if "
        "others shrink; {setting} compares profiles instead.",
        "Dans chaque ligne {names} ont pour somme {total} : ce sont les parts d’un tout, où l’une "
        "ne croît que si d’autres décroissent ; {setting} compare plutôt des profils.",
    ),
    "contingency": (
        "The table holds counts of {rows} by {columns}, which correspondence analysis compares as "
        "profiles: pass {setting} if the columns are measures.",
        "Le tableau contient les effectifs de {rows} par {columns}, que l’analyse des "
        "correspondances compare par leurs profils : {setting} si les colonnes sont des mesures.",
    ),
    "abundances": (
        "The table holds abundances, {share} of them zero, which correspondence analysis compares "
        "as profiles: pass {setting} if the columns are measures.",
        "Le tableau contient des abondances, nulles à {share}, que l’analyse des correspondances "
        "compare par leurs profils : {setting} si les colonnes sont des mesures.",
    ),
    "counts": (
        "All {columns} hold counts, whose spread grows with their size: logarithms, or {setting}, "
        "keep the largest from making every axis.",
        "Les {columns} contiennent des effectifs, dont la dispersion croît avec la taille : des "
        "logarithmes, ou {setting}, évitent que les plus grands fassent tous les axes.",
    ),
    "counts.perhaps": (
        "All cells are whole numbers from 0 on: if they count things (a contingency table, "
        "species, words), {setting} compares profiles instead of sizes.",
        "Toutes les cellules sont des nombres entiers, à partir de 0 : si ce sont des effectifs "
        "(tableau de contingence, espèces, mots), {setting} compare des profils plutôt que des "
        "tailles.",
    ),
    "counts.wide": (
        "The {columns} hold counts, and are more than the {rows}: each was taken as a measure, as "
        "those of genes are; pass {setting} to compare profiles, as is done where rows and columns "
        "have changed places.",
        "Les {columns} contiennent des effectifs, et sont plus nombreuses que les {rows} : chacune "
        "est prise pour une mesure, comme pour des gènes ; {setting} compare les profils, comme si "
        "lignes et colonnes avaient échangé leurs places.",
    ),
    "counts.reads": (
        "The {columns} hold counts, {least} to {most} in all in a row: rows are compared by their "
        "totals first; divide each by its total and take logarithms, or pass {setting}.",
        "Les {columns} contiennent des effectifs, {least} à {most} en tout par ligne : les lignes "
        "sont d’abord comparées par leurs totaux ; divisez chacune par son total et prenez des "
        "logarithmes, ou {setting}.",
    ),
    "collinear": (
        "Column {name} follows from {others} (R² = {r2}) and tells nothing that they do not: "
        "{setting} leaves it out.",
        "La colonne {name} découle de {others} (R² = {r2}) et n’apprend rien de plus : {setting} "
        "la laisse de côté.",
    ),
    "copied_column": (
        "Column {name} says the same as {others}, but for scale: {setting} leaves it out.",
        "La colonne {name} dit la même chose que {others}, à l’échelle près : {setting} la laisse "
        "de côté.",
    ),
    "asymmetric": (
        "{n} distances differ from their mirror image ({share} of the mean distance overall): the "
        "mean of both was taken; pass {setting} if these are no distances.",
        "{n} distances diffèrent de leur image miroir ({share} de la distance moyenne en tout) : "
        "la moyenne des deux a été prise ; {setting} si ce ne sont pas des distances.",
    ),
    "asymmetric.one": (
        "One distance differs from its mirror image ({share} of the mean distance overall): the "
        "mean of both was taken; pass {setting} if these are no distances.",
        "Une distance diffère de son image miroir ({share} de la distance moyenne en tout) : la "
        "moyenne des deux a été prise ; {setting} si ce ne sont pas des distances.",
    ),
}
