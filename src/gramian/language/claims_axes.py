"""Claims about axes: noise, variables, groups, supplementary columns, stability."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = {
    "axes": (
        "{count} axes stand above noise; together they carry {share} of the inertia ({p}).",
        "{count} axes dépassent le bruit ; ensemble ils portent {share} de l’inertie ({p}).",
    ),
    "axes.one": (
        "One axis stands above noise; it carries {share} of the inertia ({p}).",
        "Un axe dépasse le bruit ; il porte {share} de l’inertie ({p}).",
    ),
    "axes.counts": (
        "If each individual was counted once and for itself, {count} axes stand above noise; "
        "together they carry {share} of the inertia ({p}).",
        "Si chaque individu a été compté une fois et pour lui-même, {count} axes dépassent le "
        "bruit ; ensemble ils portent {share} de l’inertie ({p}).",
    ),
    "axes.counts.one": (
        "If each individual was counted once and for itself, one axis stands above noise; it "
        "carries {share} of the inertia ({p}).",
        "Si chaque individu a été compté une fois et pour lui-même, un axe dépasse le bruit ; il "
        "porte {share} de l’inertie ({p}).",
    ),
    "axes.k.counts": (
        "Axis {k} carries {share} of the inertia and, if each individual was counted once and for "
        "itself, stands above noise ({p}).",
        "L’axe {k} porte {share} de l’inertie et, si chaque individu a été compté une fois et pour "
        "lui-même, dépasse le bruit ({p}).",
    ),
    "axes.k": (
        "Axis {k} carries {share} of the inertia and stands above noise ({p}).",
        "L’axe {k} porte {share} de l’inertie et dépasse le bruit ({p}).",
    ),
    "axes.k.deflated": (
        "Axis {k} carries {share} of the inertia and stands above noise once the axes before it "
        "are taken off ({p}).",
        "L’axe {k} porte {share} de l’inertie et dépasse le bruit une fois ôtés les axes qui le "
        "précèdent ({p}).",
    ),
    "nothing": (
        "No axis was told apart from noise ({p}), and nothing else was found that could be: this "
        "does not show that there is nothing. The figures are drawn so that you can see it.",
        "Aucun axe n’a été distingué du bruit ({p}), et rien d’autre n’a été trouvé : cela ne "
        "montre pas qu’il n’y a rien. Les figures sont là pour que vous en jugiez.",
    ),
    "none.axes": (
        "No axis was told apart from noise ({p}); this does not show that there is none.",
        "Aucun axe n’a été distingué du bruit ({p}) ; cela ne montre pas qu’il n’y en a pas.",
    ),
    "variable.opposes": (
        "Axis {k} opposes {positive} (positive side) to {negative} (negative side).",
        "L’axe {k} oppose {positive} (côté positif) à {negative} (côté négatif).",
    ),
    "variable.positive": (
        "{names} grow towards the positive side of axis {k}.",
        "{names} croissent vers le côté positif de l’axe {k}.",
    ),
    "variable.positive.one": (
        "{names} grows towards the positive side of axis {k}.",
        "{names} croît vers le côté positif de l’axe {k}.",
    ),
    "variable.negative": (
        "{names} grow towards the negative side of axis {k}.",
        "{names} croissent vers le côté négatif de l’axe {k}.",
    ),
    "variable.negative.one": (
        "{names} grows towards the negative side of axis {k}.",
        "{names} croît vers le côté négatif de l’axe {k}.",
    ),
    "group.axis.separates": (
        "Axis {k} separates the groups of {group}{among}, which explain {eta2} of it ({p}){sides}.",
        "L’axe {k} sépare les groupes de {group}{among}, qui en expliquent {eta2} ({p}){sides}.",
    ),
    "group.axis.linked": (
        "Axis {k} is linked to {group}{among}, which explains {eta2} of it ({p}){sides}.",
        "L’axe {k} est lié à {group}{among}, qui en explique {eta2} ({p}){sides}.",
    ),
    "group.axis.little": (
        "The groups of {group}{among} differ a little on axis {k}: they explain {eta2} of it "
        "({p}){sides}.",
        "Les groupes de {group}{among} diffèrent un peu sur l’axe {k} : ils en expliquent {eta2} "
        "({p}){sides}.",
    ),
    "sides.both": (
        ": {low} on the negative side, {high} on the positive side",
        " : {low} du côté négatif, {high} du côté positif",
    ),
    "sides.low": (": {low} on the negative side", " : {low} du côté négatif"),
    "sides.high": (": {high} on the positive side", " : {high} du côté positif"),
    "sides.none": ("", ""),
    "group.columns": (
        "The groups of {group}{among} differ ({p}), in {columns}.",
        "Les groupes de {group}{among} diffèrent ({p}), par {columns}.",
    ),
    "group.whole": (
        "The groups of {group}{among} differ ({p}), though no single column shows it by itself.",
        "Les groupes de {group}{among} diffèrent ({p}), sans qu’une colonne le montre à elle "
        "seule.",
    ),
    "group.objects": (
        "The groups of {group}{among} differ ({p}).",
        "Les groupes de {group}{among} diffèrent ({p}).",
    ),
    "group.kernel": (
        "{group} explains {kernel} of axis {kaxis} of kernel PCA ({p}), against {pca} of a "
        "principal axis (axis {paxis}): the kernel map shows more.",
        "{group} explique {kernel} de l’axe {kaxis} de l’ACP à noyau ({p}), contre {pca} d’un axe "
        "principal (axe {paxis}) : la carte à noyau en montre plus.",
    ),
    "among.all": ("", ""),
    "among.some": (" ({count} of {n} rows have one)", " ({count} des {n} individus en ont un)"),
    "group.column": ("{name} ({eta2} explained)", "{name} ({eta2} expliqués)"),
    "tie": (
        "The supplementary variable {name} goes with axis {k} (r = {r}, {p}).",
        "La variable supplémentaire {name} va avec l’axe {k} (r = {r}, {p}).",
    ),
    "stability.firm": (
        "Axis {k} hardly turns when rows are drawn anew: by {angle}° as a rule.",
        "L’axe {k} tourne à peine quand on rééchantillonne les individus : de {angle}° en règle "
        "générale.",
    ),
    "stability.fair": (
        "Axis {k} turns somewhat when rows are drawn anew, by {angle}° as a rule: its main "
        "features "
        "hold, its details may not.",
        "L’axe {k} tourne un peu quand on rééchantillonne les individus, de {angle}° en règle "
        "générale : ses grands traits tiennent, ses détails peut-être pas.",
    ),
    "stability.loose": (
        "Axis {k} turns a lot when rows are drawn anew, by {angle}° as a rule: do not build on its "
        "direction alone.",
        "L’axe {k} tourne beaucoup quand on rééchantillonne les individus, de {angle}° en règle "
        "générale : ne bâtissez rien sur sa seule direction.",
    ),
    "stability.together": (
        "Read axes {axes} together: they turn into each other when rows are drawn anew, while the "
        "space they span turns by {angle}° as a rule.",
        "Lisez les axes {axes} ensemble : ils se mêlent quand on rééchantillonne les individus, "
        "tandis que l’espace qu’ils engendrent tourne de {angle}° en règle "
        "générale.",
    ),
    "stability.together.loose": (
        "Axes {axes} turn into each other when rows are drawn anew, and the space they span turns "
        "by {angle}° as a rule: do not build on their directions.",
        "Les axes {axes} se mêlent quand on rééchantillonne les individus, et "
        "l’espace qu’ils engendrent tourne de {angle}° en règle générale : ne bâtissez rien sur "
        "leurs directions.",
    ),
    "stability.tied": (
        "Axis {k} has nearly the same eigenvalue as its neighbour: the space of both is "
        "determined, not the axis itself.",
        "L’axe {k} a presque la même valeur propre que son voisin : l’espace des deux est "
        "déterminé, non l’axe lui-même.",
    ),
    "stability.carried": (
        "{names} alone makes {share} of axis {k}{why}. Without it, {rest}.",
        "{names} fait à lui seul {share} de l’axe {k}{why}. Sans lui, {rest}.",
    ),
    "stability.carried.several": (
        "{names} make {share} of axis {k} between them. Without them, {rest}.",
        "{names} font ensemble {share} de l’axe {k}. Sans eux, {rest}.",
    ),
    "carried.why": (", by {why}", ", par {why}"),
    "carried.nowhy": ("", ""),
    "carried.stays": (
        "the axis turns by {angle}° and carries {share} of the inertia: it does not rest on {rows}",
        "l’axe tourne de {angle}° et porte {share} de l’inertie : il ne repose pas sur {rows}",
    ),
    "carried.turns": (
        "the axis nearest to this one, {angle}° away, carries {share} of the inertia: read the "
        "table again without {rows}",
        "l’axe le plus proche de celui-ci, à {angle}°, porte {share} de l’inertie : relisez le "
        "tableau sans {rows}",
    ),
    "it": ("it", "lui"),
    "them": ("them", "eux"),
}
