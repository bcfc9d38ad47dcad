"""`gramian bench`."""

from __future__ import annotations

import click

from gramian.cli.errors import debug_option

__all__ = ["command"]


@click.command("bench")
@click.argument("suites", nargs=-1)
@click.option(
    "--size", "sizes", type=int, multiple=True, help="Numbers of points, in place of the suite's."
)
@click.option("--data", "kinds", multiple=True, help="Kinds of data, in place of the suite's.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write the tables here too.")
@click.option("-f", "--force", is_flag=True, help="Overwrite what is there.")
@debug_option
def command(
    suites: tuple[str, ...],
    sizes: tuple[int, ...],
    kinds: tuple[str, ...],
    output: str | None,
    force: bool,
) -> None:
    """Run us and the peers side by side and print time, memory and accuracy."""
    from gramian.bench.runner import machine
    from gramian.bench.suites import SUITES
    from gramian.cli.output import check_free, write_text

    unknown = set(suites) - set(SUITES)
    if unknown:
        raise click.UsageError(f"unknown suite {min(unknown)!r}: use {', '.join(SUITES)}")
    check_free(output, force)
    sections = [f"# Benchmarks\n\n{machine()}"]
    for name in suites or ("small", "kernel-pca", "transform"):
        run, usual_sizes, usual_kinds = SUITES[name]
        sections.append(run(list(sizes) or usual_sizes, list(kinds) or usual_kinds))
        click.echo(sections[-1] + "\n")
    if output:
        write_text("\n\n".join(sections) + "\n", output, force)
