"""English."""

TEXTS = {
    "and": " and ",
    "comma": ", ",
    "others": "{names} and {count} others",
    "percent": "{x} %",
    "p.small": "p &lt; 0.001",
    "p.equal": "p = {x}",
    "lang": "en",
    "report": "Report",
    "made": "Made by Gramian {version}; seed {seed}; nothing in this page is fetched or sent.",
    "noscript": "The figures and tables need JavaScript; the text stands without it.",
    # headings
    "h.summary": "In short",
    "h.data": "What was read, what was done",
    "h.dimension": "How many axes?",
    "h.maps": "Maps",
    "h.axes": "The axes, read",
    "h.outliers": "Rows that stand apart",
    "h.stability": "Would other rows say the same?",
    "h.linearity": "Straight lines or curves?",
    "h.tables": "Tables",
    "h.code": "Do it again in Python",
    "h.versions": "Versions and seed",
    "h.warnings": "Before you believe it",
    "axis": "Axis {k}",
    "contents": "Contents",
    # what was done
    "what.table": "{n} rows and {p} active columns were analysed by principal component analysis "
    "(PCA) of the standardised columns, so that each column counts the same whatever its unit.",
    "what.distances": "{n} objects, known by the distances between them, were placed by classical "
    "multidimensional scaling: a map whose distances are as near to those given as can be.",
    "what.graphs": "{n} graphs were compared by the Weisfeiler–Lehman kernel ({n_iter} "
    "refinements, normalised), which counts the neighbourhoods they share, and placed by kernel "
    "PCA.",
    "what.sequences": "{n} sequences were compared by the spectrum kernel (runs of {k} letters, "
    "normalised), which counts the runs they share, and placed by kernel PCA.",
    "what.graphs.other": "{n} graphs were compared by the kernel {kernel} and placed by kernel "
    "PCA.",
    "what.sequences.other": "{n} sequences were compared by the kernel {kernel} and placed by "
    "kernel PCA.",
    "what.fit": "The report reads a fit that was made beforehand: {estimator}, on {n} rows.",
    "roles.supplementary": "Placed afterwards, without a part in the axes: {names}.",
    "roles.groups": "Groups that are only read on the axes: {names}.",
    "thinned": "The maps draw {drawn} of the {n} rows: those that stand out and a random sample of "
    "the others. Every row is in the computation.",
    "tables.cut": "The table of rows holds the {held} rows of {n} that contribute most.",
    "missing.drop-rows": "Rows with a missing value were left out. Other choices: leave out the "
    "columns (drop-columns), or fill in the column’s mean or median (mean, median).",
    "missing.mean": "Leaving out every row with a missing value would have cost more than half of "
    "them: the column’s mean was filled in, which makes rows look more alike than they are. Other "
    "choices: drop-rows, drop-columns, median.",
    "clean": "Nothing unusual was found in the data.",
    # facts
    "fact.constant": "Constant, and therefore left out: {names}.",
    "fact.few_rows": "There are only {n} rows: everything below is uncertain, and the tests see "
    "strong effects only.",
    "fact.wide": "There are more columns ({p}) than rows ({n}): some columns go with an axis by "
    "chance alone, so trust names that a second experiment confirms.",
    "fact.heard": "{text}",
    "fact.negative": "The distances are not those of points in a Euclidean space: {share} of the "
    "inertia is negative, no map can show it, and the shares of the axes exceed 100 % in all.",
    "failed": "This part could not be computed: {reason}",
    # summary
    "sum.table": "{n} rows described by {p} columns.",
    "sum.distances": "{n} objects described by their distances.",
    "sum.graphs": "{n} graphs described by the neighbourhoods they share.",
    "sum.sequences": "{n} sequences described by the runs of letters they share.",
    "sum.fit": "{n} rows, on the axes of {estimator}.",
    "sum.empty": "There is nothing to interpret: the axes of this table are no larger than those "
    "of a table whose columns have nothing to do with each other. The figures are given so that "
    "you can see this; do not read a meaning into them.",
    "sum.bent": "No straight axis stands out of noise, and yet this is no noise: read the kernel "
    "map.",
    "sum.axes.one": "One axis stands out of noise; it carries {share} of the inertia.",
    "sum.axes": "{q} axes stand out of noise; together they carry {share} of the inertia.",
    "sum.untested.one": "One axis is worth reading, by the shape of the spectrum; it carries "
    "{share} of the inertia.",
    "sum.untested": "{q} axes are worth reading, by the shape of the spectrum; together they carry "
    "{share} of the inertia.",
    "sum.outliers.none": "No row stands apart from the others more than chance allows.",
    "sum.outliers.one": "One row stands apart: {names}.",
    "sum.outliers": "{count} rows stand apart: {names}.",
    # dimension
    "dim.parallel.none": "The largest axis carries {share} of the inertia; when the columns are "
    "shuffled independently of each other, the largest does so too ({reference} in one shuffle out "
    "of twenty, {p}). No axis stands out of noise.",
    "dim.parallel.one": "One axis is larger than in tables whose columns were shuffled "
    "independently of each other (parallel analysis at the 5 % level).",
    "dim.parallel": "{q} axes are larger than in tables whose columns were shuffled independently "
    "of each other (parallel analysis at the 5 % level).",
    "dim.votes": "The {rules} other rules keep between {low} and {high} axes; most of all rules "
    "keep {consensus}. They ask different questions (how much is explained, where the curve "
    "bends, what could be predicted), so they need not agree; this report reads what stands out "
    "of noise.",
    "dim.untested": "Without columns that could be shuffled there is no test against noise. The "
    "number of axes rests on the shape of the spectrum: most rules keep {consensus}.",
    "dim.single": "There is a single axis, so there is nothing to choose.",
    "dim.many": "The first {read} are described below; the others are in the tables.",
    # axes
    "axes.none": "No axis stands out of noise, so none is described.",
    "axis.share": "It carries {share} of the inertia ({cumulated} with the axes before it).",
    "axis.share.first": "It carries {share} of the inertia.",
    "axis.noise": "It is larger than noise would make it ({p}).",
    "axis.firm": "It hardly moves when rows are drawn anew (by {angle}° as a rule): it can be read "
    "with confidence.",
    "axis.fair": "It moves somewhat when rows are drawn anew (by {angle}° as a rule): its main "
    "features hold, its details may not.",
    "axis.loose": "It moves a lot when rows are drawn anew (by {angle}° as a rule): do not build "
    "on it alone.",
    "axis.tied_axes": "Its eigenvalue is too close to that of its neighbour: only the plane of "
    "both is determined, not the axis itself.",
    "axis.opposes": "It opposes {positive} (positive side) to {negative} (negative side).",
    "axis.positive": "It follows {names}: they grow together towards the positive side.",
    "axis.negative": "It follows {names}: they grow together towards the negative side.",
    "axis.tied.one": "One variable of {p} has a correlation of at least 0.5 with it, in absolute "
    "value.",
    "axis.tied": "{count} variables of {p} have a correlation of at least 0.5 with it, in absolute "
    "value.",
    "axis.group.clear": "It separates the groups of {group}: {low} on the negative side, {high} on "
    "the positive side. They explain {eta2} of it ({p}, corrected for the number of tests).",
    "axis.group.likely": "It probably separates the groups of {group}: {low} on the negative side, "
    "{high} on the positive side. They explain {eta2} of it ({p}, corrected for the number of "
    "tests).",
    "axis.number": "The supplementary variable {name} goes with it (r = {r}, {p}).",
    "axis.outside.none": "None of the supplementary columns and groups goes with it.",
    "axis.pull": "{name} alone makes {share} of this axis.",
    "axis.pull.why": "{name} alone makes {share} of this axis, by {why}.",
    "axis.half": "Half of it is the work of {half} rows out of {n}.",
    "axis.ends": "It runs from {low} (negative end) to {high} (positive end).",
    "why.high": "a high {name} ({z} sd)",
    "why.low": "a low {name} ({z} sd)",
    # outliers
    "out.intro": "A row is named when it lies farther out than chance allows in a normal cloud, at "
    "the 5 % level corrected for the number of rows: along the axes (an extreme of what the others "
    "do) or across them (it does something else). 1 is the limit.",
    "out.none": "No row lies farther out than that.",
    "out.along": "{name}: {x} times the limit along the axes.",
    "out.across": "{name}: {x} times the limit across the axes.",
    "out.both": "{name}: {x} times the limit along the axes, {y} times across them.",
    "out.why": "Mostly {why}.",
    "out.more": "{count} more are in the table.",
    # stability
    "sta.intro": "The analysis was repeated on {count} samples of the rows, drawn with "
    "replacement. The angle says how far an axis turns from sample to sample.",
    "sta.firm.one": "The first axis keeps its direction.",
    "sta.firm": "The first {count} axes keep their directions.",
    "sta.none": "No axis keeps its direction well enough to be read by itself.",
    "sta.unidentified": "Axes {axes} have eigenvalues closer than their sampling errors: they may "
    "change places or turn into each other, and only the space they span means something.",
    "sta.bias": "Drawing a row twice makes a table look more ordered than it is, so that the "
    "eigenvalues of the samples lie above those of the table: compare their spread, not level.",
    "sta.ellipses": "Each ellipse holds a row in 95 % of the samples.",
    # linearity
    "lin.for": "There is evidence that straight axes are not enough: axes {j} and {k}, though not "
    "correlated, depend on one another ({p}, permutation test on {n} rows). The cloud is bent, "
    "hollow or in clusters.",
    "lin.weak": "There is weak evidence that straight axes are not enough: axes {j} and {k} may "
    "depend on one another ({p}, permutation test on {n} rows).",
    "lin.against": "There is no evidence that straight axes are not enough: knowing one axis tells "
    "nothing about another ({p}, permutation test on {n} rows).",
    "lin.power": "With so few rows only a strong bend would be seen.",
    "lin.kernel": "Beside it stands kernel PCA with a Gaussian kernel of scale {scale} on the "
    "standardised columns (the median rule){approximate}.",
    "lin.kernel.other": "Beside it stands kernel PCA with the kernel {kernel} on the standardised "
    "columns{approximate}.",
    "lin.approximate": ", computed from {rank} landmarks",
    "lin.agree": "The first two axes of both say the same (correlation {t} after rotation).",
    "lin.near": "The first two axes of both resemble each other (correlation {t} after rotation).",
    "lin.differ": "The first two axes of both differ (correlation {t} after rotation).",
    "lin.group": "{group} explains {kernel} of a kernel axis (axis {kaxis}), against {pca} of a "
    "principal axis (axis {paxis}).",
    # figures
    "fig.scree": "Inertia of each axis, with what noise would give",
    "fig.scree.plain": "Inertia of each axis",
    "fig.scree.alt": "Bar chart of the share of inertia of the first {count} axes; the first "
    "carries {share}.",
    "fig.individuals": "The rows on axes {j} and {k}",
    "fig.objects": "The objects on axes {j} and {k}",
    "fig.individuals.alt": "Scatter plot of {n} points on axes {j} and {k}, which carry {share} of "
    "the inertia.",
    "fig.variables": "The variables on axes {j} and {k}",
    "fig.variables.alt": "Arrows of the variables in the circle of correlations of axes {j} and "
    "{k}.",
    "fig.contributions": "What axis {k} is made of",
    "fig.contributions.rows": "Contributions to axis {k}",
    "fig.contributions.alt": "Bar chart of the largest contributions to axis {k}; the largest is "
    "{name}.",
    "fig.stability": "Where the rows lie when the sample changes",
    "fig.stability.alt": "The map of axes 1 and 2 with an ellipse around each point.",
    "fig.kernel": "Kernel PCA of the same rows",
    "fig.kernel.alt": "Scatter plot of {n} points on the first two axes of kernel PCA.",
    "fig.pca": "PCA",
    "fig.shepard": "Distances in the map against those given",
    "fig.shepard.alt": "Scatter plot of the distances in the map against the distances given; "
    "points near the line are well shown.",
    # tables
    "tab.rules": "The rules",
    "tab.eigenvalues": "Eigenvalues",
    "tab.individuals": "Rows",
    "tab.variables": "Variables",
    "tab.categories": "Groups",
    "tab.supplementary": "Supplementary variables",
    "tab.stability": "Stability of the axes",
    "tab.outliers": "Rows that stand apart",
    "tab.dependence": "Dependence between axes",
    "col.label": "name",
    "col.rule": "rule",
    "col.asks": "what it asks",
    "col.q": "axes",
    "col.value": "value",
    "col.threshold": "threshold",
    "col.p_value": "p-value",
    "col.axis": "axis",
    "col.axes": "axes",
    "col.eigenvalue": "eigenvalue",
    "col.share": "inertia %",
    "col.cumulated": "cumulated %",
    "col.coordinate": "axis {k}",
    "col.correlation": "r {k}",
    "col.cos2": "cos² {k}",
    "col.contribution": "ctr % {k}",
    "col.v_test": "v-test {k}",
    "col.eta2": "η² {k}",
    "col.distance2": "distance²",
    "col.variable": "grouping",
    "col.category": "group",
    "col.low": "low",
    "col.high": "high",
    "col.angle": "angle °",
    "col.subspace": "space °",
    "col.identified": "identified",
    "col.along": "along",
    "col.across": "across",
    "col.alignment": "alignment",
    "yes": "yes",
    "no": "no",
    "rule.other": "the rule {name} keeps {q} axes",
    "rule.other.one": "the rule {name} keeps one axis",
    # buttons
    "b.search": "Search",
    "b.csv": "Download CSV",
    "b.more": "Show more",
    "b.rows": "{shown} of {count} rows",
    "b.copy": "Copy",
    "b.copied": "Copied",
    "b.sort": "Sort by this column",
}
