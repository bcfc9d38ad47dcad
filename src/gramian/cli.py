"""The command `gramian`."""

from __future__ import annotations

import click

from gramian import __version__

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gramian")
def main() -> None:
    """Look at data through kernels."""


@main.command()
@click.argument("suites", nargs=-1)
@click.option(
    "--size", "sizes", type=int, multiple=True, help="Numbers of points, in place of the suite's."
)
@click.option("--data", "kinds", multiple=True, help="Kinds of data, in place of the suite's.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write the tables here too.")
def bench(
    suites: tuple[str, ...], sizes: tuple[int, ...], kinds: tuple[str, ...], output: str | None
) -> None:
    """Run us and the peers side by side and print time, memory and accuracy."""
    from gramian.bench.runner import machine
    from gramian.bench.suites import SUITES

    unknown = set(suites) - set(SUITES)
    if unknown:
        raise click.UsageError(f"unknown suite {min(unknown)!r}: use {', '.join(SUITES)}")
    sections = [f"# Benchmarks\n\n{machine()}"]
    for name in suites or ("small", "kernel-pca", "transform"):
        run, usual_sizes, usual_kinds = SUITES[name]
        sections.append(run(list(sizes) or usual_sizes, list(kinds) or usual_kinds))
        click.echo(sections[-1] + "\n")
    if output:
        with open(output, "w", encoding="utf-8") as file:
            file.write("\n\n".join(sections) + "\n")
