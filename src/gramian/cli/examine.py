"""`gramian examine`."""

from __future__ import annotations

from typing import Any

import click

from gramian._study.language.labels import escape_controls
from gramian.cli.options import common, reading, reading_options


@click.command("examine")
@click.argument("data")
@reading
@common
def command(data: str, **options: Any) -> None:
    """Look at DATA as a doctor would: what may be wrong with it, what was done about it, and the
    option that changes that. Nothing is analysed.
    """
    import gramian as gm
    from gramian.cli.errors import voice, worded
    from gramian.cli.output import as_json, read_source

    _, quiet, json = options.pop("force"), options.pop("quiet"), options.pop("as_json")
    settings = reading_options(options)
    source = read_source(data, settings, quiet, tells=False)
    findings = gm.io.examine(source)
    if json:
        records = [
            {
                "kind": found.kind,
                "column": found.column,
                "default": found.default,
                "remedy": found.remedy,
                "text": worded(found),
            }
            for found in findings
        ]
        click.echo(as_json({"data": source.title, "findings": records}), nl=False)
        return
    lines = [f"{found.kind}: {worded(found)}" for found in findings]
    click.echo(escape_controls("\n".join(lines or [voice().raw("doctor.clean")]) + "\n"), nl=False)
