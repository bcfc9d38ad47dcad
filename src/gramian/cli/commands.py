"""The group of commands, and the short ones; the others are imported when they are called."""

from importlib import import_module
from typing import Any

import click

from gramian import __version__
from gramian._study.language.labels import escape_controls
from gramian.cli.errors import Failure, catch_errors, debug_option, phrase, voice, word_message
from gramian.cli.options import common_options, reading_options, take_reading_options

_COMMANDS = {
    "app": "Open a file in the app: a page of this computer's browser.",
    "report": "Analyse a file and write a page of HTML that reads the result.",
    "examine": "Say what may be wrong with a table, and what mends it.",
    "fit": "Fit a method to a file; print its reading and save the model.",
    "transform": "Place the rows of a file on the axes of a saved model.",
    "replicates": "Say how many replicates the networks of a table need, on a page.",
    "datasets": "List the data sets, or write one as CSV.",
    "completion": "Print the completion script of a shell.",
}


class _Commands(click.Group):
    """A group that imports a command when it is called, and turns errors into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        known = super().get_command(ctx, cmd_name)
        return known or import_module(f"gramian.cli.{cmd_name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        with catch_errors(ctx):
            return super().invoke(ctx)


_EXAMPLES = """\b
Examples:
  gramian report table.csv                      a page, report.html
  gramian report counts.csv --method ca --language fr
  gramian fit table.csv -o model.gramian        save a model
  gramian transform model.gramian new.csv -o places.csv
  gramian datasets iris | gramian report - -o iris.html
"""


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EXAMPLES
)
@click.version_option(__version__, prog_name="gramian")
@debug_option
def main() -> None:
    """Look at data through kernels: PCA, kernel PCA and MDS of a file, read in full."""


@main.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of SHELL.

    For bash, add this line to ~/.bashrc: eval "$(gramian completion bash)"
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    if script is not None:
        click.echo(script(main, {}, "gramian", "_GRAMIAN_COMPLETE").source())


@main.command("examine")
@click.argument("data")
@reading_options
@common_options
def examine(data: str, **options: Any) -> None:
    """Look at DATA as a doctor would: what may be wrong with it, what was done about it, and the
    option that changes that. Nothing is analysed.
    """
    import gramian as gm
    from gramian.cli.output import as_json, read_source

    _, quiet, json = options.pop("force"), options.pop("quiet"), options.pop("as_json")
    source = read_source(data, take_reading_options(options), quiet, warn=False)
    findings = gm.io.examine(source)
    if json:
        fields = ("kind", "column", "default", "remedy")
        records = [
            {name: getattr(found, name) for name in fields} | {"text": word_message(found)}
            for found in findings
        ]
        click.echo(as_json({"data": source.title, "findings": records}), nl=False)
        return
    is_french = voice().language == "fr"  # which has no words for the kinds
    lines = [f"{'' if is_french else f'{f.kind}: '}{word_message(f)}" for f in findings]
    click.echo(escape_controls("\n".join(lines or [voice().raw("doctor.clean")]) + "\n"), nl=False)


@main.command("datasets")
@click.argument("name", required=False)
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="CSV or TSV; standard output by default."
)
@common_options
def datasets(name: str | None, output: str, as_json: bool, quiet: bool, force: bool) -> None:
    """List the data sets, or write the one called NAME.

    gramian datasets iris | gramian report - -o iris.html
    """
    from gramian.cli import output as out
    from gramian.datasets.catalogue import ENTRIES

    if name is not None and name not in ENTRIES:
        raise Failure("datasets", 3, name=repr(name), known=", ".join(ENTRIES))
    out.check_free(output, force)
    if name is not None:
        from gramian.datasets import load

        d = load(name)
        table = d.data if d.kind == "distances" else d.data.join(d.groups)
        text = out.as_json(table.to_dict("list")) if as_json else out.csv_text(table, output)
    elif as_json:
        entries = ENTRIES.items()
        fields = ("kind", "shape", "description")
        text = out.as_json([{"name": k} | {f: getattr(e, f) for f in fields} for k, e in entries])
    else:
        sizes = ((key, *entry.shape) for key, entry in ENTRIES.items())
        lines = [f"{key:<21} {n:>4} × {p:<4} {phrase(f'dataset.{key}')}\n" for key, n, p in sizes]
        text = "".join(lines)
    out.write_text(text, output, force)
