"""`gramian datasets`."""

from __future__ import annotations

from typing import Any

import click

from gramian.cli.options import common

__all__ = ["command"]


@click.command("datasets")
@click.argument("name", required=False)
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="CSV or TSV; standard output by default."
)
@common
def command(name: str | None, output: str, as_json: bool, quiet: bool, force: bool) -> None:
    """List the data sets, or write the one called NAME.

    gramian datasets iris | gramian report - -o iris.html
    """
    import gramian as gm
    from gramian.cli import output as out
    from gramian.cli.errors import Failure

    known = gm.datasets.names()
    if name is not None and name not in known:
        raise Failure(f"there is no data set {name!r}: use {', '.join(known)}", 3)
    out.check_free(output, force)
    if name is None:
        sets = [gm.datasets.load(each) for each in known]
        rows = [
            {"name": d.name, "kind": d.kind, "shape": d.data.shape, "description": d.description}
            for d in sets
        ]
        text = out.as_json(rows) if as_json else "".join(_line(row) for row in rows)
    else:
        d = gm.datasets.load(name)
        table = d.data if d.kind == "distances" else d.data.join(d.groups)
        text = out.as_json(table.to_dict("list")) if as_json else out.csv_text(table, output)
    out.write_text(text, output, force)


def _line(row: dict[str, Any]) -> str:
    n, p = row["shape"]
    first = str(row["description"]).split(". ")[0].rstrip(".")
    return f"{row['name']:<17} {n:>5} × {p:<5} {first}.\n"
