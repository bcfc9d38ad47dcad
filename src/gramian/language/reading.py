"""What is refused of a file that cannot be read."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "read.not": ("{name} cannot be read: {reason}", "{name} ne peut pas être lu : {reason}"),
    "read.text": (
        "source={name} is a text, not the path of a file: give io.StringIO(text)",
        "source={name} est un texte, non le chemin d’un fichier : donner io.StringIO(texte)",
    ),
    "read.kind": (
        "{name} is {kind}, not a file: copy its contents to a file, or pipe them",
        "{name} est {kind}, non un fichier : copier son contenu dans un fichier, ou l’envoyer par "
        "un tube",
    ),
    "read.empty": (
        "the file is empty: there is nothing to read",
        "le fichier est vide : il n’y a rien à lire",
    ),
    "read.gzip.twice": (
        "the gzipped file holds a gzipped file: unpack it first",
        "le fichier gzip contient un fichier gzip : le décompresser d’abord",
    ),
    "read.gzip.broken": (
        "the gzipped file is broken: {reason}",
        "le fichier gzip est abîmé : {reason}",
    ),
    "read.gzip.empty": (
        "the gzipped file is empty: there is nothing to read",
        "le fichier gzip est vide : il n’y a rien à lire",
    ),
    "read.zeros": (
        "the file holds zero bytes: it is no text, and no format that is known",
        "le fichier contient des octets nuls : ce n’est ni du texte, ni un format connu",
    ),
    "read.no_text": (
        "the file holds no text: there is nothing to read",
        "le fichier ne contient pas de texte : il n’y a rien à lire",
    ),
    "read.starts": (
        "the file starts as {name} but is not: {reason}",
        "le fichier commence comme du {name} mais n’en est pas : {reason}",
    ),
    "read.header": (
        "the file has a header and no rows: there is nothing to analyse",
        "le fichier a un en-tête et aucune ligne : il n’y a rien à analyser",
    ),
    "read.no_cells": (
        "the file holds no cells: there is nothing to read",
        "le fichier ne contient aucune cellule : il n’y a rien à lire",
    ),
    "read.cut": (
        "the text cannot be cut into cells: {reason}",
        "le texte ne se laisse pas couper en cellules : {reason}",
    ),
    "read.cut.line": (
        "line {line} cannot be cut into cells: {reason}",
        "la ligne {line} ne se laisse pas couper en cellules : {reason}",
    ),
    "read.table": (
        "the table cannot be read: {reason}",
        "le tableau ne peut pas être lu : {reason}",
    ),
    "read.quote.open": (
        'line {line} opens a quote (") that is never closed: close it, or write the cell without',
        'la ligne {line} ouvre un guillemet (") qui n’est jamais fermé : le fermer, ou écrire la '
        "cellule sans",
    ),
    "read.quote.early": (
        'line {line} opens a quote (") that closes before its cell ends (line {end}): write "" for '
        "a quote inside a quoted cell",
        'la ligne {line} ouvre un guillemet (") qui se ferme avant la fin de sa cellule (ligne '
        '{end}) : écrire "" pour un guillemet dans une cellule entre guillemets',
    ),
    "read.quotes": (
        'the quotes (") of the file do not close: mend them',
        'les guillemets (") du fichier ne se ferment pas : les corriger',
    ),
    "read.needs": (
        "reading {what} needs {library}: pip install 'gramian[{extra}]'",
        "lire {what} demande {library} : pip install 'gramian[{extra}]'",
    ),
    "read.packed": (
        "the {what} file is broken: {reason}",
        "le fichier {what} est abîmé : {reason}",
    ),
    "read.packed.none": (
        "the {what} file has no column of numbers or texts",
        "le fichier {what} n’a aucune colonne de nombres ou de textes",
    ),
    "read.book": (
        "the workbook cannot be read: {reason}",
        "le classeur ne peut pas être lu : {reason}",
    ),
    "read.book.broken": (
        "the workbook is broken: {reason}",
        "le classeur est abîmé : {reason}",
    ),
    "read.book.locked": (
        "the workbook is encrypted: save it without a password",
        "le classeur est chiffré : l’enregistrer sans mot de passe",
    ),
    "read.book.none": (
        "the file is no workbook, or an encrypted one: save it without a password",
        "le fichier n’est pas un classeur, ou est chiffré : l’enregistrer sans mot de passe",
    ),
    "read.book.spread": (
        "the sheet spreads {cells} cells over {rows} rows and {columns} columns: delete the cells "
        "that stand far from the table",
        "la feuille étale {cells} cellules sur {rows} lignes et {columns} colonnes : effacer les "
        "cellules loin du tableau",
    ),
    "read.sheets": ("the workbook has no sheets", "le classeur n’a aucune feuille"),
    "read.sheet": (
        "the sheet has fewer than two rows: there is nothing to analyse",
        "la feuille a moins de deux lignes : il n’y a rien à analyser",
    ),
    "read.pickle": (
        "the file is a Python pickle, which is never opened: export it as CSV",
        "le fichier est un pickle de Python, qui n’est jamais ouvert : l’exporter en CSV",
    ),
    "read.format": (
        "{name} is not a {format} file: its first bytes are {data}",
        "{name} n’est pas un fichier {format} : ses premiers octets sont {data}",
    ),
    "read.square": (
        "distances need a square table, but this one has shape ({n}, {p})",
        "des distances demandent un tableau carré, et celui-ci est de taille ({n}, {p})",
    ),
    "read.square.texts": (
        "distances must be numbers, but column {name} holds others",
        "des distances sont des nombres, et la colonne {name} contient autre chose",
    ),
    "read.square.order": (
        "distances: rows and columns have the same names in another order",
        "distances : les lignes et les colonnes ont les mêmes noms dans un autre ordre",
    ),
    "read.graphs.none": (
        "{path} holds no graph files: {known} are known",
        "{path} ne contient aucun fichier de graphes : {known} sont connus",
    ),
    "read.graphs.list": (
        "{path} cannot be listed: {reason}",
        "{path} ne peut pas être parcouru : {reason}",
    ),
    "read.fasta.empty": (
        "the FASTA record {name} has no letters: leave it out",
        "la séquence FASTA {name} n’a aucune lettre : la laisser de côté",
    ),
    "read.fasta.start": (
        "line {line} of the FASTA file comes before any '>' line",
        "la ligne {line} du fichier FASTA vient avant toute ligne commençant par >",
    ),
    "read.fasta.letter": (
        "line {line} of the FASTA file holds {found}: no sequence",
        "la ligne {line} du fichier FASTA contient {found} : ce n’est pas une séquence",
    ),
    "read.phylip.start": (
        "the PHYLIP file must start with the number of points",
        "le fichier PHYLIP doit commencer par le nombre de points",
    ),
    "read.phylip.points": (
        "the PHYLIP file says {n} points but holds {found}: it is cut off",
        "le fichier PHYLIP annonce {n} points et en contient {found} : il est tronqué",
    ),
    "read.phylip.row": (
        "PHYLIP row {name} holds {found} distances for {n} points",
        "la ligne PHYLIP {name} contient {found} distances pour {n} points",
    ),
    "read.phylip.widths": (
        "the PHYLIP rows hold {found} … distances: give all {n} in each row, or the lower triangle",
        "les lignes PHYLIP contiennent {found} … distances : les donner toutes ({n}) à chaque "
        "ligne, ou le triangle inférieur",
    ),
    "read.phylip.number": ("PHYLIP row {name}: {reason}", "ligne PHYLIP {name} : {reason}"),
    "read.gct.head": (
        "the GCT file must give its sizes in line 2 and names in line 3: it is cut off",
        "le fichier GCT doit donner ses tailles à la ligne 2 et les noms à la ligne 3 : il est "
        "tronqué",
    ),
    "read.gct.size": (
        "the GCT file says {n} rows and {m} columns but holds {rows} and {columns}: it is cut off "
        "or edited",
        "le fichier GCT annonce {n} lignes et {m} colonnes et en contient {rows} et {columns} : il "
        "est tronqué ou modifié",
    ),
    "read.gct.line": (
        "line {line} of the GCT file has {found} cells, not {wide}",
        "la ligne {line} du fichier GCT a {found} cellules, et non {wide}",
    ),
    "read.gct.number": (
        "row {name} of the GCT file: {reason}",
        "ligne {name} du fichier GCT : {reason}",
    ),
    "read.h5ad": (
        "the h5ad file cannot be read: {reason}",
        "le fichier h5ad ne peut pas être lu : {reason}",
    ),
    "read.h5ad.needs": (
        "h5ad and HDF5 files need h5py: pip install 'gramian[omics]'",
        "les fichiers h5ad et HDF5 demandent h5py : pip install 'gramian[omics]'",
    ),
    "read.h5ad.place": (
        "the file has no {place}; layers: {known}",
        "le fichier n’a pas de {place} ; couches : {known}",
    ),
    "read.h5ad.shape": (
        "{place} has shape {shape} for {n} obs and {p} var",
        "{place} est de taille {shape} pour {n} obs et {p} var",
    ),
    "read.edges.table": (
        "the text is not a table: {reason}",
        "le texte n’est pas un tableau : {reason}",
    ),
    "read.edges.header": (
        'the first line must name the columns, "source" and "target" among them, found {found}',
        'la première ligne doit nommer les colonnes, dont "source" et "target", et contient '
        "{found}",
    ),
    "read.edges.cells": (
        "line {line} has {found} cells, not {wide}",
        "la ligne {line} a {found} cellules, et non {wide}",
    ),
    "read.edges.source": ("line {line} has no source", "la ligne {line} n’a pas de source"),
    "read.edges.end": (
        "line {line} has an edge with one end only: name both, or a lone node",
        "la ligne {line} a une arête à une seule extrémité : nommer les deux, ou un sommet seul",
    ),
    "read.edges.data": (
        "line {line}: {found} cannot be read: {reason}",
        "ligne {line} : {found} ne peut pas être lu : {reason}",
    ),
    "read.edges.weight": (
        "line {line} of the edge list has {found} for a weight: write two names and, if you like, "
        "a number",
        "la ligne {line} de la liste d’arêtes a {found} pour poids : écrire deux noms et, si on "
        "veut, un nombre",
    ),
}
