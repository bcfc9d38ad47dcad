"""`gramian fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gramian._study.language import Count
from gramian._study.language.labels import escape_controls
from gramian.cli.errors import Failure, phrase, tell, voice, word_message
from gramian.cli.large import LargeTable, fit_blocks, memory_option
from gramian.cli.options import (
    common_options,
    method_options,
    reading_options,
    take_reading_options,
)

if TYPE_CHECKING:
    import pandas as pd

    from gramian._core.array import Array
    from gramian._reading.summary import Summary
    from gramian.cli.models import Estimator, Plan
    from gramian.io import Source

_OUTSIDE = (("groups", "Groups"), ("supplementary", "Supplementary variables"))


@click.command("fit")
@click.argument("data")
@click.option("-o", "--output", metavar="MODEL", help="Save the model here (name.gramian).")
@click.option("--coordinates", metavar="FILE", help='Write the coordinates as CSV, or "-".')
@click.option(
    "--components", metavar="Q", help="Axes: a number, a share such as 0.9, or kaiser, elbow, …"
)
@click.option("--kernel", metavar="NAME[:P=V,…]", help="kernel-pca: such as matern:nu=1.5,scale=2.")
@click.option("--nystrom", metavar="RANK", type=int, help="kernel-pca: number of landmarks.")
@click.option(
    "--indefinite",
    type=click.Choice(["clip", "flip", "krein"]),
    help="kernel-pca: what to do with negative eigenvalues (an error by default).",
)
@click.option(
    "--correction", type=click.Choice(["lingoes", "cailliez"]), help="classical-mds: additive."
)
@click.option("--scaling", type=click.Choice(["ratio", "interval", "ordinal"]), help="For mds.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--device", metavar="NAME", help="kernel-pca: cpu or cuda (needs torch).")
@memory_option
@method_options
@reading_options
@common_options
def command(data: str, output: str | None, coordinates: str | None, **options: Any) -> None:
    """Fit a method to DATA (a file, a folder of graphs, or - for standard input).

    PCA for a table of numbers, CA for counts, MCA for categories, FAMD for both, classical MDS for
    distances, kernel PCA for graphs and sequences, unless --method says otherwise. What was guessed
    about the file is reported on standard error. PCA and kernel PCA read large files in blocks.
    """
    from gramian.cli.models import plan_of
    from gramian.cli.output import check_free, csv_text, progress, read_source, write_text

    force, quiet, json = options.pop("force"), options.pop("quiet"), options.pop("as_json")
    for path in (output, coordinates):
        check_free(path, force)
    if output == "-":
        raise Failure("out.model", 4)
    settings, memory = take_reading_options(options), options.pop("memory")
    blocks = fit_blocks(data, memory, settings, options, output, coordinates, quiet)
    if blocks is not None:
        if coordinates != "-":
            _print(*blocks, json)
        return
    source = read_source(data, settings, quiet)
    plan = plan_of(source, options)
    if not quiet and plan.chosen is not None:
        tell("note", plan.chosen)
    name, size = type(plan.model).__name__, Count("row", len(source))
    with progress(phrase("fitting", name=name, rows=size)):
        fitted = plan.model.fit(plan.X)
    printout = _overview(fitted, source, plan)
    if output:
        import gramian as gm

        gm.save_model(fitted, output)
    names = [str(label) for label in plan.X.index] if source.kind == "table" else source.names
    table = coordinate_table(fitted.coordinates_, names)
    if coordinates:
        write_text(csv_text(table, coordinates), coordinates, force)
    if coordinates != "-":
        _print(fitted, source, printout, json)


def _print(fitted: Estimator, source: Source | LargeTable, printout: Summary, json: bool) -> None:
    """Print the overview of a fit in the language of the command, or its numbers as JSON."""
    from gramian.cli.output import as_json

    if json:
        click.echo(as_json(_numbers(fitted, source, printout)), nl=False)
        return
    speaker = voice()
    text = printout.text(lambda text: speaker.rewrite(text, "summary"))
    click.echo(escape_controls(f"{text}\n"), nl=False)


def coordinate_table(Z: Array, names: list[str] | pd.Index | None) -> pd.DataFrame:
    """Return coordinates as a table with the names of the rows."""
    import pandas as pd

    return pd.DataFrame(Z, index=names, columns=[f"axis{k + 1}" for k in range(Z.shape[1])])


def _overview(fitted: Estimator, source: Source, plan: Plan) -> Summary:
    """Return what is printed of a fit: with the names of graphs, and the columns placed after."""
    from dataclasses import replace

    import pandas as pd

    table = None
    if source.kind == "table":
        parts = [part for part in (plan.groups, plan.supplementary) if part is not None]
        outside = pd.concat(parts, axis=1) if parts else pd.DataFrame()
        columns = [column for column in outside if outside[column].nunique() > 1]
        table = outside[columns] if columns else None
    printout = fitted.summary(table=table)
    if source.kind not in ("graphs", "sequences"):
        return printout
    rows = printout.tables["Individuals"]
    named = rows.set_axis([source.names[k] for k in rows.index])
    return replace(printout, tables=printout.tables | {"Individuals": named})


def _numbers(
    fitted: Estimator, source: Source | LargeTable, printout: Summary
) -> dict[str, object]:
    """Return the numbers of a fit under the names of its attributes."""
    from gramian import MDS

    # The association of columns with the first axes: η² of groups, correlations.
    outside = {
        key: {
            column: {"statistic": row[::2], "p_value": row[1::2]}
            for column, row in zip(table.index, table.to_numpy(), strict=True)
        }
        for key, name in _OUTSIDE
        if (table := printout.outside.get(name)) is not None
    }
    return {
        "method": type(fitted).__name__,
        "parameters": {k: repr(v) for k, v in fitted.get_params(deep=False).items()},
        "title": source.title,
        "n_individuals": len(source),
        "n_components": fitted.n_components_,
        "inertia": fitted.inertia_,
        "eigenvalues": fitted.eigenvalues_,
        "inertia_ratio": fitted.inertia_ratio_,
        "solver": fitted.solver_,
        **({"stress": fitted.stress_} if isinstance(fitted, MDS) else {}),
        **outside,
        "notes": [word_message(text) for text in source.notes],
        "warnings": [word_message(text) for text in source.warnings],
    }
