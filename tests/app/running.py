"""A server of the app in a thread, and a client that speaks to it over the loopback interface."""

import http.client
import json
import pickle
import threading
import time
from contextlib import contextmanager

from gramian._browser.app import server as web
from gramian._browser.app.worker import Workers, run
from gramian.errors import InputError


class Inline:
    """A worker without a process: what it computes is pickled all the same."""

    is_alive = True

    def call(self, job):
        job = pickle.loads(pickle.dumps(job))
        try:
            return pickle.loads(pickle.dumps(run(job)))
        except (TypeError, ValueError) as error:
            raise InputError(str(error)) from error

    def stop(self):
        self.is_alive = False


class InlineWorkers(Workers):
    """Workers that start no process, which takes a second."""

    def _start(self):
        return Inline()


class Client:
    """Requests with the token and the session of one tab."""

    def __init__(self, server, port):
        self.server, self.port, self.session = server, port, ""

    def send(self, method, path, body=None, headers=None, **own):
        """Return the status, the headers and the body of an answer."""
        own = {web.TOKEN: self.server.token, web.SESSION: self.session} | own
        own = {name: value for name, value in (own | (headers or {})).items() if value is not None}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            link.request(method, path, body, own)
            answer = link.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            link.close()

    def json(self, path, value=None):
        """Return the JSON of an answer that must succeed."""
        body = None if value is None else json.dumps(value).encode()
        status, _, content = self.send("GET" if value is None else "POST", path, body)
        assert status in (200, 202), (status, content[:300])
        return json.loads(content)

    def start(self):
        """Start a session."""
        self.session = ""
        about = self.json("/api/session", {})
        self.session = about["session"]
        return about

    def upload(self, name, content):
        """Open a file."""
        status, _, body = self.send("POST", f"/api/open?name={name}", content)
        assert status == 200, body
        return json.loads(body)

    @property
    def own(self):
        """The session, seen from inside."""
        return self.server.sessions[self.session]

    def wait(self, kind, revision=None, seconds=60):
        """Return the first event of a kind of the current revision."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for event in self.own.since(0):
                asked = self.own.revision if revision is None else revision
                if event["type"] == kind and event.get("revision") == asked:
                    return event
                failed = event["type"] == "failed" and event["revision"] == asked
                assert not failed or kind == "failed", event
            time.sleep(0.02)
        raise AssertionError(f"no event {kind}: {self.own.since(0)}")


@contextmanager
def app_server(given=None, language="en", workers=None):
    """Yield a client of a server that answers; fits run in its threads unless workers are given."""
    server = web.Server(given, language=language, workers=workers or InlineWorkers())
    at = web.listen()
    ready = threading.Event()
    running = web.running(server, ready.set)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [at]}, daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield Client(server, at.getsockname()[1])
    finally:
        running.should_exit = True
        thread.join(15)
        server.workers.close()
        at.close()
