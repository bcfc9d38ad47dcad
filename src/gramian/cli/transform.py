"""`gramian transform`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from gramian._study.language import Count, Sentence
from gramian.cli.errors import Failure, phrase, tell
from gramian.cli.large import large_table, memory_option, transform_blocks
from gramian.cli.options import common_options, reading_options, take_reading_options

if TYPE_CHECKING:
    import pandas as pd

    from gramian._estimators.fit import Fit
    from gramian.cli.models import Estimator
    from gramian.io import Source

# The model knows its columns: what each would be for in an analysis of its own is no matter.
_SILENT_NOTES = ("roles", "group", "constant", "one_value", "ignored", "duplicate_rows", "genes")


@click.command("transform")
@click.argument("model")
@click.argument("data")
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="CSV or TSV; standard output by default."
)
@click.option("--device", metavar="NAME", help="Device of the computation: cpu or cuda.")
@click.option(
    "--limits", is_flag=True, help="Add T² and Q of each row, and whether both are within limits."
)
@memory_option
@reading_options
@common_options
def command(
    model: str, data: str, output: str, device: str | None, limits: bool, **options: Any
) -> None:
    """Place the rows of DATA on the axes of MODEL, a file that `gramian fit` saved.

    Columns are found by name; those that the model does not use are left out. A model that was
    fitted with --missing iterative fills in what is missing in new rows too; one of categories
    takes a missing answer as its fit did.
    """
    import gramian as gm
    from gramian.cli.fit import coordinate_table
    from gramian.cli.output import as_json, check_free, csv_text, progress, read_source, write_text
    from gramian.errors import InputError

    force, quiet, json = options.pop("force"), options.pop("quiet"), options.pop("as_json")
    check_free(output, force)
    try:
        fitted: Estimator = gm.load_model(model, device=device)
    except InputError as error:
        raise Failure("reason", 5, reason=str(error)) from error
    settings, memory = take_reading_options(options), options.pop("memory")
    names = getattr(fitted, "feature_names_in_", None)
    large = None if json else large_table(data, memory, settings, quiet, names)
    if large is not None:
        if limits:
            raise Failure("model.blocks", 3)
        transform_blocks(fitted, large, output)
        return
    if _traits(fitted).is_precomputed:
        settings.setdefault("kind", "table")
    may_miss = names is not None and not _columns_without_gaps(fitted, names)
    silent = (*_SILENT_NOTES, "missing") if may_miss else _SILENT_NOTES
    source = read_source(data, settings, quiet, silent=silent)
    source = _without_codes(fitted, source, settings)
    rows = _rows(fitted, source)
    with progress(phrase("placing", rows=Count("row", len(source)))):
        table = coordinate_table(fitted.transform(rows), source.names)
    flags = _limits(fitted, rows, table.index) if limits else None
    if json:
        parts = {"names": source.names, "coordinates": table.to_numpy()}
        text = as_json(parts if flags is None else parts | {"limits": flags.to_dict("list")})
    else:
        text = csv_text(table if flags is None else table.join(flags), output)
    write_text(text, output, force)


def _limits(fitted: Estimator, rows: Any, index: pd.Index) -> pd.DataFrame:
    """Return T², Q, whether both are within the limits of the model, and columns that are not."""
    from gramian.errors import InputError

    try:
        table = fitted.limits(rows).set_axis(index)
    except (AttributeError, InputError) as error:
        raise Failure("model.limits", 3, reason=str(error)) from error
    flags = table[["t2", "q", "inside"]].rename(columns=str)
    if "columns" in table:
        flags["columns"] = ["; ".join(map(str, names)) for names in table["columns"]]
    return flags


def _traits(model: object) -> Fit:
    """Return a model as a fit: one without axes has the traits of none."""
    from gramian._estimators.fit import Fit

    return model if isinstance(model, Fit) else Fit()


def _without_codes(fitted: Estimator, source: Source, settings: dict[str, Any]) -> Source:
    """Read codes for missing as the fit did: a few new rows alone do not tell them from values."""
    from dataclasses import replace

    import pandas as pd

    from gramian._core.array import to_dense, to_numpy
    from gramian.io.doctor.numbers import mend_new_rows

    training = getattr(fitted, "training_", None)
    if source.table is None or training is None or training.kind != "table":
        return source
    columns, questions = list(training.columns or ()), _traits(fitted).questions
    given = getattr(fitted, "feature_names_in_", ())
    names = [c for c in given if c in columns and c not in questions]
    if not names:
        return source
    rows = training.rows[:, [columns.index(name) for name in names]]
    known = pd.DataFrame(to_numpy(to_dense(rows)), columns=names)
    table, findings = mend_new_rows(source.table, known, settings.get("as_number", ()))
    if not findings:
        return source
    for text in findings:
        tell("warning", text)
    return replace(source, table=table).complete(settings.get("missing", "keep"))


def _rows(fitted: Estimator, source: Source) -> Any:
    """Return what the model takes: its own columns, whatever roles they were given now."""
    names = getattr(fitted, "feature_names_in_", None)
    if source.table is None:
        if names is not None:
            raise Failure("model.table", 3, kind=Sentence(f"cli.kind.{source.kind}"))
        return source.data
    if names is None:
        width = getattr(fitted, "n_features_in_", None)  # of an array or a tensor
        if width is None:
            raise Failure("model.objects", 3)
        rows = source.active()  # the columns of numbers in their order
        if rows.shape[1] != width:
            raise Failure("model.width", 3, width=width, found=rows.shape[1])
        _refuse_missing(rows)
        return rows.to_numpy()
    absent = [name for name in names if name not in source.table]
    if absent:
        raise Failure("model.column", 3, name=repr(absent[0]), n=len(names))
    rows = source.table[list(names)]
    _refuse_missing(rows[_columns_without_gaps(fitted, names)])
    return rows


def _refuse_missing(rows: pd.DataFrame) -> None:
    missing = rows.isna().any(axis=1)
    if missing.any():
        raise Failure("model.missing", 3, row=repr(str(missing.idxmax())))


def _columns_without_gaps(fitted: Estimator, names: Iterable[str]) -> list[str]:
    """Return the columns that must have a value in each row: numbers that the model cannot fill."""
    fit = _traits(fitted)
    return [] if fit.fills_missing else [name for name in names if name not in fit.questions]
