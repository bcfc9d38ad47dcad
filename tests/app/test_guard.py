"""Nobody but the page itself is answered, and nothing stops the server."""

import json
import random
import re
import socket

import pytest
from tests.app.running import app_server

from gramian._browser.app import server as web
from gramian._browser.app import start
from gramian.errors import InputError

FILES = ["/", "/static/app/app.js", "/static/app/app.css", "/static/map/map.js"]
CALLS = ["/api/session", "/api/open", "/api/recipe", "/api/map", "/api/events", "/api/export"]


@pytest.fixture(scope="module")
def client():
    with app_server() as made:
        made.start()
        yield made


def alive(client):
    assert client.send("GET", "/")[0] == 200


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("token", [None, "", "wrong", "x" * 43, "ü"])
def test_the_interface_needs_the_token(client, path, token):
    headers = {web.TOKEN: None if token is None else token.encode()}
    for method in ("GET", "POST"):
        status, _, body = client.send(method, path, b"{}" if method == "POST" else None, headers)
        assert status == 403 and "token" in json.loads(body)["error"]


def test_the_token_is_long_and_of_this_server_only(client):
    assert len(client.server.token) >= 43  # 256 bits
    assert web.Server().token != client.server.token


@pytest.mark.parametrize("path", [*FILES, *CALLS])
@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:{port}", "0.0.0.0:{port}"],
)
def test_a_wrong_host_is_refused(client, path, host):
    headers = {"Host": host.format(port=client.port)}
    assert client.send("GET", path, None, headers)[0] == 403


@pytest.mark.parametrize("path", [*FILES, *CALLS])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}"])
def test_a_foreign_origin_is_refused(client, path, origin):
    headers = {"Origin": origin.format(port=client.port)}
    assert client.send("POST", path, b"{}", headers)[0] == 403


@pytest.mark.parametrize("path", [*FILES, *CALLS])
@pytest.mark.parametrize("site", ["cross-site", "same-site", "sideways"])
def test_another_site_cannot_embed_or_call_it(client, path, site):
    assert client.send("GET", path, None, {"Sec-Fetch-Site": site})[0] == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_the_page_itself_is_answered(client, name):
    own = {"Host": f"{name}:{client.port}", "Origin": f"http://{name}:{client.port}"}
    own["Sec-Fetch-Site"] = "same-origin"
    for path in FILES:
        assert client.send("GET", path, None, own)[0] == 200
    assert client.send("POST", "/api/session", b"{}", own)[0] == 200


@pytest.mark.parametrize("path", [*FILES, *CALLS, "/nothing"])
def test_headers_of_every_answer(client, path):
    _, headers, _ = client.send("GET", path, None, {web.TOKEN: None})
    names = {name.lower() for name in headers}
    assert not names & {"set-cookie", "server"}
    assert not any(name.startswith("access-control") for name in names)
    assert headers["x-content-type-options"] == "nosniff"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy and "http" not in policy and "frame-ancestors 'none'" in policy


def test_a_preflight_of_another_site_gets_nothing(client):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    status, answer, _ = client.send("OPTIONS", "/api/open", None, headers)
    assert status == 403
    assert not any(name.lower().startswith("access-control") for name in answer)


OUTSIDE = [
    "/static/app/../session.py",
    "/static/app/..%2fsession.py",
    "/static/app/%2e%2e%2f%2e%2e%2ferrors.py",
    "/static/app//etc/passwd",
    "/static/app/..\\session.py",
    "/static/../../../../etc/passwd",
    "/static/map/%00",
    "/static/gramian/errors.py",
    "/static/app/session.py",
    "//etc/passwd",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_file_outside_is_served(client, path):
    assert client.send("GET", path)[0] in (400, 404)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "C:\\windows\\x.csv", "..", ""]
)
def test_the_name_of_an_upload_opens_nothing(client, name):
    """The bytes are those that were sent; the name is a label."""
    from urllib.parse import quote

    content = b"a,b\n1,2\n2,3\n4,1\n5,7\n"
    status, _, body = client.send("POST", f"/api/open?name={quote(name, safe='')}", content)
    assert status == 200, body
    opened = json.loads(body)
    assert opened["rows"] == 4 and not re.search(r"[/\\]", opened["name"])


@pytest.mark.parametrize("query", ["?dataset=../../etc/passwd", "?path=/etc/passwd", "?dataset="])
def test_no_path_of_the_browser_is_opened(client, query):
    status, _, body = client.send("POST", f"/api/open{query}", b"")
    assert status == 422 and b"root:" not in body


def test_an_upload_that_announces_too_much_is_refused_unread(client):
    with socket.create_connection(("127.0.0.1", client.port), 10) as link:
        head = f"POST /api/open?name=x HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
        head += f"{web.TOKEN}: {client.server.token}\r\n{web.SESSION}: {client.session}\r\n"
        link.sendall(f"{head}Content-Length: {web.MAX_UPLOAD + 1}\r\n\r\n".encode())
        assert b" 413 " in link.recv(200)
    alive(client)


def test_an_upload_that_hides_its_length_is_counted(client, monkeypatch):
    monkeypatch.setattr(web, "MAX_UPLOAD", 1000)

    def chunks():
        yield b"a,b\n"
        for _ in range(5):
            yield b"1,2\n" * 100

    status, _, body = client.send("POST", "/api/open?name=x.csv", chunks())
    assert status == 413 and b"larger" in body
    alive(client)


def test_other_requests_are_smaller(client, monkeypatch):
    monkeypatch.setattr(web, "MAX_REQUEST", 50)
    assert client.send("POST", "/api/recipe", b'{"a": "' + b"x" * 100 + b'"}')[0] == 413


@pytest.mark.parametrize("body", [b"{", b"[1]", b"\xff\xfe", b"nul", b"[" * 10_000, b'"x"', b"NaN"])
def test_what_is_no_json_object_is_refused(client, body):
    assert client.send("POST", "/api/recipe", body)[0] == 400


@pytest.mark.parametrize("session", ["", "x", None])
def test_a_tab_needs_its_session(client, session):
    assert client.send("GET", "/api/map", None, {web.SESSION: session})[0] == 410


def test_tabs_are_isolated(client):
    first = client.session
    client.upload("one.csv", b"a,b\n1,2\n2,3\n4,1\n5,7\n")
    client.start()
    assert client.session != first
    status, _, body = client.send("POST", "/api/recipe", b'{"action": "undo"}')
    assert status == 422 and b"open" in body  # nothing of the other tab is there
    client.session = first
    assert client.own.data.name == "one.csv"


def test_it_listens_on_the_loopback_interface_only():
    with web.listen() as made:
        assert made.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("port", [-1, 70_000, 1.5, "80"])
def test_a_port_must_be_one(port):
    with pytest.raises(InputError, match="port"):
        start.app(port=port, browser=False)


def test_a_port_that_is_taken_is_named():
    with web.listen() as made:
        made.listen()
        with pytest.raises(InputError, match="port"):
            start.app(port=made.getsockname()[1], browser=False)


def malformed(rng, token, port):
    """A request that is not one: spoiled lines, headers, lengths, bytes."""
    good = f"POST /api/recipe HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{web.TOKEN}: {token}\r\n"
    noise = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 200)))
    kinds = [
        noise,
        noise + b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET " + b"/x" * rng.randrange(1, 2000) + b" HTTP/1.1\r\n\r\n",
        good.encode() + b"Content-Length: -1\r\n\r\n",
        good.encode() + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        good.encode() + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        good.encode() + b"Content-Length: 3\r\n\r\n" + noise[:3],
        good.encode() + b"Content-Length: 400\r\n\r\n{",
        good.encode() + noise + b"\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n".encode(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01" + noise,
    ]
    return rng.choice(kinds)


@pytest.mark.slow
def test_ten_thousand_malformed_requests_leave_it_up(client):
    rng = random.Random(0)
    for _ in range(10_000):
        with socket.create_connection(("127.0.0.1", client.port), 5) as link:
            try:
                link.sendall(malformed(rng, client.server.token, client.port))
                if rng.random() < 0.2:
                    link.settimeout(0.01)
                    link.recv(100)
            except OSError:
                pass  # closed early: that is a refusal, too
    alive(client)
    client.start()
    assert client.upload("x.csv", b"a,b\n1,2\n2,3\n4,1\n5,7\n")["rows"] == 4


@pytest.mark.slow
def test_some_malformed_requests_are_answered_with_an_error(client):
    rng = random.Random(1)
    for _ in range(60):
        with socket.create_connection(("127.0.0.1", client.port), 5) as link:
            link.sendall(malformed(rng, client.server.token, client.port))
            link.settimeout(0.05)
            try:
                answer = link.recv(100)
            except OSError:
                continue  # it waits for the rest
            assert not answer or int(answer.split()[1]) >= 400, answer
    alive(client)


def test_a_request_with_two_hosts_is_refused(client):
    with socket.create_connection(("127.0.0.1", client.port), 5) as link:
        head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nHost: evil.example\r\n\r\n"
        link.sendall(head.encode())
        assert b" 400 " in link.recv(100)
