"""The frame of a page: headings, buttons, what was done."""

from __future__ import annotations

__all__ = ["SENTENCES"]

# key → (English, French), with the same blanks in both
SENTENCES = {
    "report": ("Report", "Rapport"),
    "made": (
        "Made by Gramian {version}; seed {seed}; nothing in this page is fetched or sent.",
        "Produit par Gramian {version} ; graine {seed} ; cette page ne va rien chercher et "
        "n’envoie rien.",
    ),
    "noscript": (
        "The figures and tables need JavaScript; the text stands without it.",
        "Les figures et les tableaux demandent JavaScript ; le texte s’en passe.",
    ),
    "h.summary": ("In short", "En bref"),
    "h.data": ("What was read, what was done", "Ce qui a été lu, ce qui a été fait"),
    "h.dimension": ("How many axes?", "Combien d’axes ?"),
    "h.maps": ("Maps", "Cartes"),
    "h.axes": ("The axes, read", "Lecture des axes"),
    "h.outliers": ("Rows that stand apart", "Les individus à part"),
    "h.stability": (
        "Would other rows say the same?",
        "D’autres individus diraient-ils la même chose ?",
    ),
    "h.linearity": ("Straight lines or curves?", "Des droites ou des courbes ?"),
    "h.tables": ("Tables", "Tableaux"),
    "h.code": ("Do it again in Python", "Le refaire en Python"),
    "h.versions": ("Versions and seed", "Versions et graine"),
    "h.warnings": ("Before you believe it", "Avant d’y croire"),
    "axis": ("Axis {k}", "Axe {k}"),
    "contents": ("Contents", "Sommaire"),
    "what.table": (
        "{rows} and {columns} were analysed by principal component analysis (PCA) "
        "of the standardised columns, so that each column counts the same whatever its unit.",
        "{rows} et {columns} ont été étudiés par analyse en composantes "
        "principales (ACP) normée : chaque colonne compte autant, quelle que soit son unité.",
    ),
    "what.distances": (
        "{n} objects, known by the distances between them, were placed by classical "
        "multidimensional scaling: a map whose distances are as near to those given as can "
        "be.",
        "{n} objets, connus par leurs distances mutuelles, ont été placés par positionnement "
        "multidimensionnel classique : une carte dont les distances sont aussi proches que "
        "possible de celles données.",
    ),
    "what.graphs": (
        "{n} graphs were compared by the Weisfeiler–Lehman kernel ({n_iter} refinements, "
        "normalised), which counts the neighbourhoods they share, and placed by kernel PCA.",
        "{n} graphes ont été comparés par le noyau de Weisfeiler–Lehman ({n_iter} "
        "raffinements, normalisé), qui compte les voisinages communs, puis placés par ACP à "
        "noyau.",
    ),
    "what.sequences": (
        "{n} sequences were compared by the spectrum kernel (runs of {k} letters, "
        "normalised), which counts the runs they share, and placed by kernel PCA.",
        "{n} séquences ont été comparées par le noyau de spectre (mots de {k} lettres, "
        "normalisé), qui compte les mots communs, puis placées par ACP à noyau.",
    ),
    "what.graphs.other": (
        "{n} graphs were compared by the kernel {kernel} and placed by kernel PCA.",
        "{n} graphes ont été comparés par le noyau {kernel}, puis placés par ACP à noyau.",
    ),
    "what.sequences.other": (
        "{n} sequences were compared by the kernel {kernel} and placed by kernel PCA.",
        "{n} séquences ont été comparées par le noyau {kernel}, puis placées par ACP à noyau.",
    ),
    "what.fit": (
        "The report reads a fit that was made beforehand: {estimator}, on {n} rows.",
        "Le rapport lit un ajustement déjà fait : {estimator}, sur {n} individus.",
    ),
    "what.fit.read": (
        "The report reads a map that was made elsewhere ({estimator}), of {n} rows; what rests on "
        "the method that made it is left out.",
        "Le rapport lit une carte faite ailleurs ({estimator}), de {n} individus ; ce qui tient à "
        "la méthode qui l’a faite est laissé de côté.",
    ),
    "roles.supplementary": (
        "Placed afterwards, without a part in the axes: {names}.",
        "Placées après coup, sans part dans les axes : {names}.",
    ),
    "roles.groups": (
        "Groups that are only read on the axes: {names}.",
        "Groupes seulement lus sur les axes : {names}.",
    ),
    "thinned": (
        "The maps draw {drawn} of the {n} rows: those that stand out and a random sample of "
        "the others. Every row is in the computation.",
        "Les cartes montrent {drawn} des {n} individus : les plus remarquables et un "
        "échantillon au hasard des autres. Tous entrent dans le calcul.",
    ),
    "tables.cut": (
        "The table of rows holds the {held} rows of {n} that contribute most.",
        "Le tableau des individus contient les {held} individus sur {n} qui contribuent le plus.",
    ),
    "b.search": ("Search", "Chercher"),
    "b.csv": ("Download CSV", "Télécharger en CSV"),
    "b.more": ("Show more", "Voir plus"),
    "b.rows": ("{shown} of {count} rows", "{shown} lignes sur {count}"),
    "b.copy": ("Copy", "Copier"),
    "b.copied": ("Copied", "Copié"),
    "b.sort": ("Sort by this column", "Trier selon cette colonne"),
}
