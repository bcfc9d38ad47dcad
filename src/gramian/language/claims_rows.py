"""Claims about rows that stand apart, about curves and about clusters."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "row": (
        "{row} stands apart, {x} times as far {where} as chance allows{why}.",
        "{row} est à part, {x} fois plus loin {where} que le hasard ne le permet{why}.",
    ),
    "rows": (
        "{count} rows stand apart: {names}.",
        "{count} individus sont à part : {names}.",
    ),
    "rows.one": ("One row stands apart: {names}.", "Un individu est à part : {names}."),
    "where.along": ("along the axes", "le long des axes"),
    "where.across": ("across the axes", "hors des axes"),
    "row.why": (": mostly {why}", " : surtout par {why}"),
    "row.nowhy": ("", ""),
    "curve.columns": (
        "The columns are not independent of one another, though no straight axis shows it ({p}): "
        "the cloud is bent, hollow or wider in some places. Look at the kernel map.",
        "Les colonnes ne sont pas indépendantes, bien qu’aucun axe droit ne le montre ({p}) : le "
        "nuage est courbe, creux ou plus large par endroits. Regardez la carte à noyau.",
    ),
    "curve.linear": (
        "The cloud is bent, hollow or wider in some places: straight axes alone would not make it "
        "so ({p}).",
        "Le nuage est courbe, creux ou plus large par endroits : des axes droits seuls ne le "
        "feraient pas ({p}).",
    ),
    "cluster.column": (
        "The rows gather in more than one place along {name} ({p} against a single one).",
        "Les individus se rassemblent en plusieurs endroits le long de {name} ({p} contre un "
        "seul).",
    ),
    "cluster": (
        "The rows fall into clusters along axis {k} ({p} against a cloud of one piece).",
        "Les individus se rangent en paquets le long de l’axe {k} ({p} contre un nuage d’un seul "
        "tenant).",
    ),
}
