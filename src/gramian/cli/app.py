"""`gramian app`."""

import click

from gramian.cli.errors import debug_option, language_option, phrase, voice
from gramian.cli.options import threads_option


@click.command("app")
@click.argument("data", required=False)
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="A free one by default.")
@language_option
@threads_option
@debug_option
def command(data: str | None, no_browser: bool, port: int) -> None:
    """Open DATA in the app: a page of this computer's browser, served to it alone.

    The address holds a token; nothing leaves the computer. Without DATA, drop a file onto the page.
    Stop it with Ctrl-C.
    """
    import gramian as gm

    def announce(address: str) -> None:
        click.echo(address)
        click.echo(phrase("app.stop"), err=True)

    gm.app(data, port=port, browser=not no_browser, language=voice().language, announce=announce)
