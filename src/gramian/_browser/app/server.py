"""The server: routes, and the rules that keep every other page and machine out.

It listens on 127.0.0.1 only. Requests of the interface carry a token of 256 bits in a header; it
reaches the page in the fragment of the address, which is sent to no server. `Host`, `Origin` and
`Sec-Fetch-Site` must be those of the page itself. There are no cookies and no CORS headers, bodies
are counted while they arrive, and no path that a browser sends is opened.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module, resources
from pathlib import PurePosixPath
from threading import Thread
from typing import Any
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from gramian import __version__
from gramian._browser.app.worker import Workers
from gramian._study.language import LANGUAGES, texts

HOST = "127.0.0.1"
MAX_UPLOAD = 200_000_000  # bytes of a file
MAX_REQUEST = 20_000_000  # bytes of anything else: the numbers of two million rows
MAX_SESSIONS = 16
KEEP_ALIVE = 0.5  # seconds between signs of life of the stream of events
TOKEN, SESSION = "x-gramian-token", "x-gramian-session"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Refused(HTTPException):
    """A request that is refused, with the reason as one sentence."""


class Guard:
    """Lets requests of the page itself through, adds the headers, and counts bodies."""

    def __init__(self, app: Any, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before anything of its body is read."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web sockets

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            status, text = refusal
            await JSONResponse({"error": text}, status)(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers, port = Headers(scope=dict(scope)), scope["server"][1]
        hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
        if headers.getlist("host") and headers.getlist("host") != [headers["host"]]:
            return 400, "There is more than one Host."
        if headers.get("host", "").lower() not in hosts:
            return 403, "The address is not that of this app."
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in hosts}:
            return 403, "The request comes from another site."
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, "The request comes from another site."
        if str(scope["path"]).startswith("/api/"):
            own = headers.get(TOKEN, "").encode()
            if not secrets.compare_digest(own, self.token.encode()):
                return 403, "The token is missing or wrong: open the address that was printed."
            largest = MAX_UPLOAD if scope["path"] in _LARGE else MAX_REQUEST
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > largest:
                return 413, f"The request is larger than {largest} bytes."
        return None


class Server:
    """The sessions of one process, and the answers to requests."""

    def __init__(
        self, given: Any = None, *, language: str = "en", workers: Workers | None = None
    ) -> None:
        self.token = secrets.token_urlsafe(32)
        self.language = language
        self._given = given
        self.workers = workers or Workers()
        self.sessions: dict[str, Any] = {}
        self.is_closing: Callable[[], bool] = lambda: False
        reads = (self.map, self.reading, self.events)
        posts: tuple[Any, ...] = (self.open, self.state, self.recipe, self.cancel, self.test)
        posts += (self.preview, self.select, self.export)
        routes = [
            Route("/", self.page),
            Route("/static/{folder}/{name}", self.static),
            Route("/api/session", self.start, methods=["POST"]),
            *(Route(f"/api/{answer.__name__}", answer) for answer in reads),
            *(Route(f"/api/{answer.__name__}", answer, methods=["POST"]) for answer in posts),
        ]
        handlers: dict[Any, Any] = {HTTPException: _as_json, Exception: _as_json}
        inner = Starlette(routes=routes, exception_handlers=handlers, lifespan=self._life)
        self.app = Guard(inner, self.token)

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        self.workers.warm()
        # The page is served at once; what its first request needs is imported meanwhile.
        Thread(target=import_module, args=("gramian._browser.app.exports",), daemon=True).start()
        try:
            yield
        finally:
            for session in self.sessions.values():
                session.listener = lambda: None
            self.workers.close()

    # The page and its modules: they hold nothing secret.

    async def page(self, request: Request) -> Response:
        """Return the page."""
        return _file("gramian._browser.app", "index.html")

    async def static(self, request: Request) -> Response:
        """Return a module or a style of the app or of the map, by its plain name."""
        folder = request.path_params["folder"]
        if folder not in ("app", "map"):
            raise Refused(404, "There is no such file.")
        return _file(f"gramian._browser.{folder}", request.path_params["name"])

    # Sessions: each tab has its own, and none sees another's.

    def given(self) -> Any:
        """Return the data of the command line, None where there are none."""
        from gramian._browser.app.session import Data

        return None if self._given is None else Data.of(self._given)

    async def start(self, request: Request) -> Response:
        """Start the session of a tab."""
        asked = (await _json(request)).get("language")
        language = asked if asked in LANGUAGES else self.language
        if len(self.sessions) >= MAX_SESSIONS:
            oldest = next(iter(self.sessions))
            self.sessions.pop(oldest).stop()
        key = secrets.token_urlsafe(16)
        given = await _work(self.given)
        from gramian._browser.app.recipe import KERNELS, METHODS
        from gramian._browser.app.session import Session
        from gramian.datasets.catalogue import ENTRIES

        self.sessions[key] = Session(self.workers, language)
        return JSONResponse(
            {
                "session": key,
                "version": __version__,
                "language": language,
                "given": None if given is None else given.name,
                "methods": list(METHODS),
                "kernels": KERNELS,
                "datasets": [name for name, entry in ENTRIES.items() if entry.kind == "table"],
                "texts": texts(language, "app"),
                "largest": MAX_UPLOAD,
            }
        )

    def _session(self, request: Request) -> Any:
        session = self.sessions.get(request.headers.get(SESSION, ""))
        if session is None:
            raise Refused(410, "This tab is not known any more: reload the page.")
        return session

    async def open(self, request: Request) -> Response:
        """Open an upload, a shipped data set, or the data of the command line."""
        from gramian._browser.app.session import Data

        session, query = self._session(request), request.query_params
        if "dataset" in query:
            data = await _work(Data.dataset, query["dataset"])
        elif "name" in query:
            name = PurePosixPath(query["name"].replace("\\", "/")).name[:200] or "data"
            data = Data(name, await _body(request, MAX_UPLOAD), "upload")
        else:
            data = await _work(self.given)
        if data is None:
            raise Refused(422, "Choose a file.")
        return JSONResponse(await _work(session.open, data))

    async def state(self, request: Request) -> Response:
        """Open a state file."""
        from gramian._browser.app.exports import open_state

        session = self._session(request)
        text = await _body(request, MAX_UPLOAD)
        return JSONResponse(await _work(open_state, session, text))

    async def recipe(self, request: Request) -> Response:
        """Change the recipe."""
        action = await _json(request)
        return JSONResponse(await _work(self._session(request).act, action), 202)

    async def cancel(self, request: Request) -> Response:
        """Stop the job that runs."""
        await _work(self._session(request).stop, True)
        return JSONResponse({})

    async def test(self, request: Request) -> Response:
        """Start the tests."""
        await _work(self._session(request).test)
        return JSONResponse({})

    async def preview(self, request: Request) -> Response:
        """Return the map of another kernel at once."""
        spec = (await _json(request)).get("kernel")
        content = await _work(self._session(request).preview, spec)
        return Response(content, media_type="application/octet-stream")

    async def select(self, request: Request) -> Response:
        """Return what is particular to some rows."""
        rows = (await _json(request)).get("rows")
        return JSONResponse(await _work(self._session(request).selection, rows))

    async def map(self, request: Request) -> Response:
        """Return the payload of the map."""
        from gramian._browser.map import payload

        session = self._session(request)

        def make() -> bytes:
            study = session.current()
            return payload(study, language=session.language).as_bytes()

        return Response(await _work(make), media_type="application/octet-stream")

    async def reading(self, request: Request) -> Response:
        """Return what is said beside the map."""
        parts = request.query_params.get("axes", "1,2").split(",")
        if len(parts) != 2 or not all(part.isdecimal() and len(part) < 5 for part in parts):
            raise Refused(422, "axes: write two numbers, such as 1,2.")
        axes = (int(parts[0]), int(parts[1]))
        return JSONResponse(await _work(self._session(request).reading, axes))

    async def export(self, request: Request) -> Response:
        """Return a file to download."""
        from gramian._browser.app.exports import export

        asked = await _json(request)
        file = await _work(export, self._session(request), str(asked.get("what")), asked)
        name = quote(file.name, safe="")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(file.content, media_type=file.kind, headers=headers)

    async def events(self, request: Request) -> Response:
        """Return the stream of events, one JSON object a line."""
        session = self._session(request)
        after = request.query_params.get("after", "0")
        sequence = int(after) if after.isdecimal() and len(after) < 12 else 0
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        session.listener = partial(loop.call_soon_threadsafe, ready.set)

        async def lines() -> AsyncIterator[str]:
            nonlocal sequence
            yield "\n"
            while not (self.is_closing() or await request.is_disconnected()):
                ready.clear()
                for event in session.since(sequence):
                    sequence = event["sequence"]
                    yield json.dumps(event, ensure_ascii=False) + "\n"
                try:
                    await asyncio.wait_for(ready.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield "\n"  # an answer that nobody reads any more fails here

        return StreamingResponse(lines(), media_type="application/x-ndjson")


_LARGE = ("/api/open", "/api/state")


async def _work(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run work in a thread; what the library refuses becomes an answer in its own words."""
    from gramian.errors import IndefiniteError, InputError, InputTypeError

    try:
        return await run_in_threadpool(function, *arguments)
    except (InputError, InputTypeError, IndefiniteError, MemoryError, ImportError) as error:
        raise Refused(422, str(error) or type(error).__name__) from error


async def _body(request: Request, largest: int) -> bytes:
    """Return a body that is counted while it arrives: its length may be a lie or missing."""
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > largest:
                raise Refused(413, f"The request is larger than {largest} bytes.")
            parts.append(part)
    except ClientDisconnect as error:
        raise Refused(400, "The request ended early.") from error
    return b"".join(parts)


async def _json(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request."""
    try:
        value = json.loads(await _body(request, MAX_REQUEST) or b"{}")
    except (ValueError, RecursionError) as error:
        raise Refused(400, "The request is no JSON.") from error
    if not isinstance(value, dict):
        raise Refused(400, "The request is no JSON object.")
    return value


def _file(package: str, name: str) -> Response:
    """Return a file of the static folder of a package; only plain names are looked up."""
    folder = resources.files(package).joinpath("static")
    kind = _KINDS.get(PurePosixPath(name).suffix)
    if kind is None or name not in {entry.name for entry in folder.iterdir()}:
        raise Refused(404, "There is no such file.")
    return Response(folder.joinpath(name).read_bytes(), media_type=kind)


async def _as_json(request: Request, error: Exception) -> Response:
    """Return a refusal as JSON; an error of the app itself says what it is."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code)
    return JSONResponse({"error": f"{type(error).__name__}: {str(error)[:300]}"}, 500)


def listen(port: int = 0) -> socket.socket:
    """Return a socket of the loopback interface, at a free port unless one is given."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
    except OSError:
        made.close()
        raise
    return made


def serve(server: Server, at: socket.socket, started: Callable[[], None] | None = None) -> None:
    """Answer requests until the process is interrupted."""
    running(server, started).run(sockets=[at])


def running(server: Server, started: Callable[[], None] | None = None) -> uvicorn.Server:
    """Return the server of uvicorn, quiet, with bounded headers."""
    config = uvicorn.Config(
        server.app,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        http="h11",
        h11_max_incomplete_event_size=32_768,
        limit_concurrency=200,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=2,
    )
    made = uvicorn.Server(config)
    server.is_closing = lambda: made.should_exit  # so that streams end first
    if started is not None:
        startup = made.startup

        async def start(sockets: list[socket.socket] | None = None) -> None:
            await startup(sockets=sockets)
            started()

        made.startup = start  # type: ignore[method-assign]
    return made
