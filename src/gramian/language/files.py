"""What is refused of a file, and of the options that say how it is read."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "layer": (
        "{setting} is not in the AnnData: use one of {known}",
        "{setting} n’est pas dans l’AnnData : utiliser {known}",
    ),
    "unpacks": (
        "{what} unpacks to {size}, more than {limit}: pass {largest=} if you trust it",
        "{what} occupe {size} une fois décompressé, plus que {limit} : donner {largest=} si on s’y "
        "fie",
    ),
    "unpacks.more": (
        "{what} unpacks to more than {limit}: pass {largest=} if you trust it",
        "{what} occupe plus que {limit} une fois décompressé : donner {largest=} si on s’y fie",
    ),
    "unpacks.memory": (
        "{what} unpacks to more than {limit} of memory: pass {largest=} if you trust it",
        "{what} occupe plus que {limit} de mémoire une fois décompressé : donner {largest=} si on "
        "s’y fie",
    ),
    "unpacks.sheet": (
        "{what} unpacks to more than {limit} of memory: delete the cells that stand far from the "
        "table, or pass {largest=} if you trust it",
        "{what} occupe plus que {limit} de mémoire une fois décompressé : effacer les cellules "
        "loin du tableau, ou donner {largest=} si on s’y fie",
    ),
    "unpacks.time": (
        "{what} takes more than {seconds} s to read: pass {largest=} if you trust it",
        "{what} demande plus que {seconds} s de lecture : donner {largest=} si on s’y fie",
    ),
    "unpacks.texts": (
        "{what} shows the same texts until they are {size}: pass {largest=} if you trust it",
        "{what} répète les mêmes textes jusqu’à {size} : donner {largest=} si on s’y fie",
    ),
    "largest": (
        '{setting} is not a size: write bytes or a text like "2GB"',
        "{setting} n’est pas une taille : écrire des octets ou un texte comme 2GB",
    ),
    "encoding": (
        "{setting} does not fit the file: {reason}",
        "{setting} ne convient pas au fichier : {reason}",
    ),
    "skip": (
        "{setting} must leave a table: the file has {lines} lines",
        "{setting} doit laisser un tableau : le fichier a {lines} lignes",
    ),
    "sep": (
        "{setting} must be one character, such as ',' or '\\t'",
        "{setting} doit être un seul caractère, tel que , ou \\t",
    ),
    "decimal": (
        "{setting} must be '.' or ','",
        "{setting} doit être . ou ,",
    ),
    "cells": (
        "line {line} has {cells} cells where {width} are expected: mend it, or pass {sep=} if the "
        "columns are separated by another mark",
        "la ligne {line} a {cells} cellules au lieu de {width} : la corriger, ou donner {sep=} si "
        "les colonnes sont séparées par un autre signe",
    ),
    "both_kinds": (
        "{=as_number}: column {name} is given {=as_category} too",
        "{=as_number} : la colonne {name} est donnée aussi par {=as_category}",
    ),
    "scan.text": (
        "{setting} is for tables of text: leave it out for {file}",
        "{setting} ne vaut que pour les tableaux de texte : ne pas le donner pour {file}",
    ),
    "scan.cell": (
        "{file}: column {name} would be numbers but for {cell}: pass {setting} if that means "
        "missing, or name other columns",
        "{file} : la colonne {name} serait numérique sans {cell} : donner {setting} si cela veut "
        "dire manquant, ou nommer d’autres colonnes",
    ),
    "scan.cell.row": (
        "{file}: column {name} would be numbers but for {cell} (row {row}): pass {setting} if that "
        "means missing, or name other columns",
        "{file} : la colonne {name} serait numérique sans {cell} (ligne {row}) : donner {setting} "
        "si cela veut dire manquant, ou nommer d’autres colonnes",
    ),
    "na_values": (
        "{setting} must be a list of texts",
        "{setting} doit être une liste de textes",
    ),
    "kind": (
        "{setting} does not fit: the file holds {found}",
        "{setting} ne convient pas : le fichier contient {found}",
    ),
    "row_names": (
        "{setting}: there are {columns} columns",
        "{setting} : il y a {columns} colonnes",
    ),
    "two_roles": (
        "{option}: column {name} is {role} already",
        "{option} : la colonne {name} a déjà un rôle ({role})",
    ),
    "active_texts": (
        "{=active}: column {name} holds {found}, not numbers: give it as {=group}",
        "{=active} : la colonne {name} contient {found}, non des nombres : la donner par {=group}",
    ),
    "no_column": (
        "{option}: there is no column {name}; they are {names}",
        "{option} : il n’y a pas de colonne {name} ; ce sont {names}",
    ),
    "no_column.near": (
        "{option}: there is no column {name}; did you mean {near}?",
        "{option} : il n’y a pas de colonne {name} ; vouliez-vous dire {near} ?",
    ),
    "sheet": (
        "{setting} is not there: use {known} or a number from 1",
        "{setting} n’existe pas : utiliser {known} ou un numéro à partir de 1",
    ),
    "group_column": (
        "{setting} is no column of {where}: name one that is",
        "{setting} n’est pas une colonne de {where} : en nommer une",
    ),
    "group_missing": (
        "{setting} has missing values: fill them in, or drop rows",
        "{setting} a des valeurs manquantes : les compléter, ou enlever des lignes",
    ),
    "group_none": (
        "{=group} is missing, and the names of the samples do not say their conditions: give the "
        "column that does",
        "{=group} manque, et les noms des échantillons ne disent pas leur condition : donner la "
        "colonne qui la dit",
    ),
    "group_one": (
        "{=group} is missing, and the names of the samples say one condition alone, {name}: give "
        "the column with their conditions, or {=transpose} where samples are columns",
        "{=group} manque, et les noms des échantillons ne disent qu’une condition, {name} : donner "
        "la colonne qui dit leur condition, ou {=transpose} si les échantillons sont en colonnes",
    ),
    "negative": (
        "{counts=True}, but data has negative numbers: give {counts=False}",
        "{counts=True}, mais il y a des nombres négatifs : donner {counts=False}",
    ),
    "genes": (
        "{setting} must be a number, a list of names, modules, modules:200, or None",
        "{setting} doit être un nombre, une liste de noms, modules ou modules:200",
    ),
    "genes.least": (
        "{setting} must ask for at least 2 genes, or be a list of names",
        "{setting} doit demander au moins 2 gènes, ou être une liste de noms",
    ),
    "variables.few": (
        "X has {found}, whose networks cannot differ: keep at least {least} genes that vary and "
        "have no missing values",
        "X a {found}, dont les réseaux ne peuvent différer : garder au moins {least} gènes qui "
        "varient, sans valeurs manquantes",
    ),
    "genes.two": (
        "data has {found} of genes: a network needs at least 2",
        "les données ont {found} de gènes : un réseau en demande au moins 2",
    ),
    "no_expressions": (
        "data holds {kind}: give a table of expressions",
        "les données contiennent {kind} : donner un tableau d’expressions",
    ),
    "genes.known": (
        "{=genes}: {known} of {wanted} are columns of data: check names",
        "{=genes} : {known} sur {wanted} sont des colonnes : vérifier les noms",
    ),
    "samples_group": (
        "{setting} needs {=group}: name its column that holds the conditions",
        "{setting} demande {=group} : nommer sa colonne qui donne les conditions",
    ),
    "samples_lack": (
        "{=samples} has no row for {name}: name its rows as in the data",
        "{=samples} n’a pas de ligne pour {name} : y nommer les lignes comme dans les données",
    ),
    "samples_twice": (
        "{=samples} has two rows for {name}: keep one",
        "{=samples} a deux lignes pour {name} : n’en garder qu’une",
    ),
    "samples": (
        "{setting} is no table of text: {reason}",
        "{setting} n’est pas un tableau en texte : {reason}",
    ),
}
