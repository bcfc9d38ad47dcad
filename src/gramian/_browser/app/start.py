"""`gm.app`: start the server, and open its page."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Callable
from pathlib import Path
from threading import Thread, Timer
from typing import Any

from gramian._core.check import flag, function, one_of, whole
from gramian._study.language import LANGUAGES
from gramian.errors import InputError, MissingExtraError


def _check_data(data: Any) -> None:
    """Refuse data that cannot be opened; the file itself is read by the first page."""
    if isinstance(data, str | Path):
        if not Path(data).exists():
            raise InputError(f"data: there is no file {str(data)[-200:]!r}: check its name")
        return
    from gramian._browser.app.session import Data

    Data.of(data)


def app(
    data: Any = None,
    *,
    port: int = 0,
    browser: bool = True,
    language: str = "en",
    announce: Callable[[str], None] = print,
) -> None:
    """Open data in the local app, and serve it until interrupted (Ctrl-C).

    The server listens on this computer only (127.0.0.1), and answers only the page whose address
    it prints: the address holds a random token. Nothing is sent anywhere else. It needs the extra
    `app`: `pip install gramian[app]`.

    Parameters
    ----------
    data : path, data frame, array, Dataset, Source or fitted estimator, optional
        The data to open first; other files are opened by dropping them onto the page.
    port : int
        Port of the server; 0 selects a free one.
    browser : bool
        Whether to open the page in a browser.
    language : "en" or "fr"
        Language of the page.
    announce : callable
        Called with the address once the server answers; by default it is printed.

    Examples
    --------
    >>> import gramian as gm
    >>> gm.app(gm.datasets.iris(), port=-1)
    Traceback (most recent call last):
    gramian.errors.InputError: port=-1 must be a whole number, at least 0 and at most 65535
    """
    whole(port, "port", 0, 65_535)
    flag(browser, "browser")
    one_of(language, "language", LANGUAGES)
    function(announce, "announce", "of the address of the page")
    try:
        from gramian._browser.app import server as web
    except ImportError as error:
        text = f"the app needs {error.name}: pip install 'gramian[app]'"
        raise MissingExtraError(text) from error
    if data is not None:
        _check_data(data)
    made = web.Server(data, language=language)
    try:
        at = web.listen(port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"port={port} cannot be used ({reason}): leave it out") from error
    address = f"http://{web.HOST}:{at.getsockname()[1]}/#{made.token}"

    def started() -> None:
        announce(address)
        if browser:
            Timer(0.1, webbrowser.open, (address,)).start()

    def serve() -> None:
        try:
            web.serve(made, at, started)
        except KeyboardInterrupt:
            pass  # the usual end
        finally:
            made.workers.close()
            at.close()

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        serve()
    else:  # a notebook has a loop of its own: the server ends with it
        Thread(target=serve, daemon=True).start()
