"""`gramian datasets`."""

from __future__ import annotations

from typing import Any

import click

from gramian.cli.options import common


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
    from gramian.cli import output as out
    from gramian.cli.errors import Failure
    from gramian.datasets.entries import ENTRIES

    if name is not None and name not in ENTRIES:
        raise Failure("datasets", 3, name=repr(name), known=", ".join(ENTRIES))
    out.check_free(output, force)
    if name is None:
        text = out.as_json(_rows()) if as_json else "".join(map(_line, _rows()))
    else:
        from gramian.datasets import load

        d = load(name)
        table = d.data if d.kind == "distances" else d.data.join(d.groups)
        text = out.as_json(table.to_dict("list")) if as_json else out.csv_text(table, output)
    out.write_text(text, output, force)


def _rows() -> list[dict[str, Any]]:
    """Return what is known of each data set before it is made."""
    from gramian.datasets.entries import ENTRIES

    return [
        {"name": name, "kind": e.kind, "shape": e.shape, "description": e.description}
        for name, e in ENTRIES.items()
    ]


def _line(row: dict[str, Any]) -> str:
    from gramian.cli.errors import phrase

    name, (n, p) = row["name"], row["shape"]
    return f"{name:<21} {n:>4} × {p:<4} {phrase(f'dataset.{name}')}\n"
