"""`python -m benchmarks [SUITE …]`: us and the peers side by side."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.runner import machine
from benchmarks.suites import SUITES


@click.command("benchmarks")
@click.argument("suites", nargs=-1)
@click.option(
    "--size", "sizes", type=int, multiple=True, help="Numbers of points, in place of the suite's."
)
@click.option("--data", "kinds", multiple=True, help="Kinds of data, in place of the suite's.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write the tables here too.")
def main(
    suites: tuple[str, ...], sizes: tuple[int, ...], kinds: tuple[str, ...], output: str | None
) -> None:
    """Run us and the peers side by side and print time, memory and accuracy."""
    unknown = set(suites) - set(SUITES)
    if unknown:
        raise click.UsageError(f"unknown suite {min(unknown)!r}: use {', '.join(SUITES)}")
    sections = [f"# Benchmarks\n\n{machine()}"]
    for name in suites or ("small", "kernel-pca", "transform"):
        run, usual_sizes, usual_kinds = SUITES[name]
        sections.append(run(list(sizes) or usual_sizes, list(kinds) or usual_kinds))
        click.echo(sections[-1] + "\n")
    if output:
        Path(output).write_text("\n\n".join(sections) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
