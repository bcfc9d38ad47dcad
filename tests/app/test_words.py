"""The words of the page: the same keys in both languages, each of them used; and the command."""

import re
import subprocess
import sys
from importlib import resources

import pytest
from click.testing import CliRunner

from gramian._browser.app.recipe import KERNELS, METHODS, ROLES
from gramian._study.language import texts
from gramian.cli import main

EN, FR = texts("en", "app"), texts("fr", "app")
FILES = {
    path.name: path.read_text("utf-8")
    for path in resources.files("gramian._browser.app").joinpath("static").iterdir()
}
SOURCES = "".join(FILES.values())
MADE = {"kernel.scale", "kernel.degree", *(f"role.{role}" for role in ROLES)}
MADE |= {"only", "supplementary"}
MADE |= {f"method.{method}" for method in METHODS} | {"axis", "class", "selected", "crashed"}
MADE |= {f"export.{what}" for what in re.findall(r'"(\w+)"', SOURCES.split("EXPORTS = ")[1][:90])}


def test_languages_have_the_same_keys_and_blanks():
    assert list(EN) == list(FR)
    for key, text in EN.items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", FR[key])), key


def test_every_text_is_used_and_every_text_that_is_used_is_there():
    named = set(re.findall(r'text(?:s\[|s\.|\(|=)"?([\w.-]+)"?', SOURCES))
    named |= set(re.findall(r'text\([^")]*\? "([\w.]+)" : "([\w.]+)"', SOURCES)[0])
    unused = [k for k in EN if not (k in named or k in MADE or k.startswith("fix."))]
    assert unused == []
    assert [k for k in named | MADE if "." in k and k not in {*EN, "event.tests"}] == []


def test_modules_are_small_and_texts_reach_the_page_as_text():
    assert sum(text.count("\n") for name, text in FILES.items() if name.endswith(".js")) <= 1000
    for name, text in FILES.items():
        if name.endswith(".js"):
            assert text.startswith("// @ts-check") and text.count("\n") < 300
            banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function"
            assert not re.search(banned, text), name
    assert "http" not in FILES["index.html"] and "style=" not in FILES["index.html"]
    assert KERNELS["gaussian"] == "scale"


def test_the_app_is_light():
    folder = resources.files("gramian._browser.app")
    files = [*folder.iterdir(), *folder.joinpath("static").iterdir()]
    assert sum(len(path.read_bytes()) for path in files if path.is_file()) < 5_000_000


def test_the_command_says_what_is_wrong():
    runner = CliRunner()
    answer = runner.invoke(main, ["app", "nowhere.csv", "--no-browser"])
    assert answer.exit_code == 3 and "nowhere.csv" in answer.output
    assert runner.invoke(main, ["app", "--port", "99999999"]).exit_code == 2
    assert "--no-browser" in runner.invoke(main, ["app", "--help"]).output


@pytest.mark.slow
def test_the_command_prints_its_address_and_ends_when_interrupted(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n2,3\n4,1\n")
    command = [sys.executable, "-m", "gramian", "app", str(tmp_path / "x.csv"), "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as run:
        address = run.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#[\w-]{43}\n", address)
        run.send_signal(2)
        assert run.wait(30) == 0
        assert "Traceback" not in run.stderr.read()
