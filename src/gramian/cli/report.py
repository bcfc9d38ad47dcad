"""`gramian report`."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from gramian._study.language.labels import escape_controls
from gramian.cli.options import (
    common_options,
    method_options,
    reading_options,
    take_reading_options,
)

if TYPE_CHECKING:
    from gramian.io.notes import Note


@click.command("report")
@click.argument("data")
@click.option(
    "-o", "--output", metavar="FILE", default="report.html", show_default=True, help="The page."
)
@click.option("--title", metavar="TEXT", help="The heading; the file's name by default.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--kernel",
    metavar="NAME[:P=V,…]",
    help="Kernel of kernel-pca, and of the comparison with PCA.",
)
@click.option("--clusters", metavar="K", help='Classes of the rows: a number, or "auto".')
@click.option(
    "--supplementary-rows", metavar="ROW", multiple=True, help="Rows to project: a,b or repeat."
)
@click.option(
    "--order",
    type=click.Choice(["auto", "ignored"]),
    help="Whether the order of rows may matter (checked by default).",
)
@click.option("--design", metavar="FORMULA", help='Factors to test, such as "treatment * time".')
@click.option("--within", metavar="COLUMN", help="Subjects that were measured several times.")
@click.option("--remove", metavar="COLUMN", help="A batch, or several (a+b), to remove first.")
@click.option(
    "--samples", metavar="FILE", help="A second table, one row per sample: groups and numbers."
)
@click.option(
    "--all-rows",
    is_flag=True,
    help="Analyse every row of a text file over 64 MB; a random sample of 12 MB otherwise.",
)
@method_options
@reading_options
@common_options
def command(data: str, output: str, **options: Any) -> None:
    """Analyse DATA and write a page that reads the result.

    DATA is a table, distances, a folder of graphs, a FASTA file, or - for standard input. What may
    be wrong with a table is reported first (gramian examine says only that). The method is PCA for
    numbers, CA for counts, MCA for categories, FAMD for both, MDS for distances, unless --method
    says otherwise. The page is one HTML file that needs no network.
    """
    import gramian as gm
    from gramian._study.language import Count
    from gramian.cli.errors import Failure, phrase, voice, word_message
    from gramian.cli.large import sample_of
    from gramian.cli.output import as_json, check_free, progress, read_source, tell_all

    force, quiet, json = options.pop("force"), options.pop("quiet"), options.pop("as_json")
    check_free(output, force)
    if output == "-":
        raise Failure("out.report", 4)
    settings, every = take_reading_options(options), options.pop("all_rows")
    if (samples := options.pop("samples")) is not None:
        settings["samples"], every = samples, True
    with nullcontext((data, ())) if every else sample_of(data, options["seed"]) as (part, sampled):
        source = read_source(part, settings, quiet=True, warn=False)
    if sampled:
        source = replace(source, path=data, notes=[*sampled, *source.notes])
    rows, clusters, kernel = (options[k] for k in ("supplementary_rows", "clusters", "kernel"))
    names = [name.strip() for text in rows for name in text.split(",") if name.strip()]
    options["supplementary_rows"] = names or None
    options["clusters"] = int(clusters) if clusters and clusters.isdigit() else clusters
    if kernel is not None:
        from gramian.cli.models import kernel as named_kernel

        options["kernel"] = named_kernel(kernel, source.kind)
    title = options.pop("title")
    chosen = {name: value for name, value in options.items() if value is not None}
    notes: Sequence[Note] = source.notes
    try:
        with progress(phrase("analysing", rows=Count("row", len(source)))):
            study = gm.study(source, title=title, **chosen)
        notes = study.subject.reasons
    finally:  # what was guessed is of use to those whose table was refused, too
        tell_all([] if quiet else notes, source.warnings)
    speaker = voice()
    with progress(phrase("writing")):
        gm.report.write(
            study, output, force=force, language=speaker.language, spelling=speaker.spelling
        )
    outcome = {
        "report": output,
        "kind": source.kind,
        "n_individuals": len(source),
        "notes": [word_message(text) for text in notes],
        "warnings": [word_message(text) for text in source.warnings],
    }
    click.echo(as_json(outcome) if json else escape_controls(f"{output}\n"), nl=False)
