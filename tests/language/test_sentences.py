"""The files of sentences: the same in every language, none unused, none missing."""

import ast
import re
import string
import tomllib

import pytest
from tests.source import MODULES, SOURCE, tree

from gramian._study.language import LANGUAGES, texts

EN = texts("en")
OTHERS = [language for language in LANGUAGES if language != "en"]


def placeholders(template):
    return sorted(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


@pytest.mark.parametrize("language", OTHERS)
def test_languages_have_the_same_keys_and_placeholders(language):
    other = texts(language)
    assert list(other) == list(EN)
    assert [k for k in EN if set(placeholders(EN[k])) != set(placeholders(other[k]))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_are_translated(language):
    long = [key for key, text in EN.items() if len(re.findall(r"\w+", text)) > 4]
    assert [key for key in long if texts(language)[key] == EN[key]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_holds_texts_only(language):
    tables = tomllib.loads(
        (SOURCE / "_study" / "language" / f"{language}.toml").read_text(encoding="utf-8")
    )
    assert set(tables) <= {"app", "sentences", "figures", "points", "summary"}
    assert all(isinstance(text, str) for table in tables.values() for text in table.values())
    assert not any("(s)" in text for text in tables["sentences"].values())
    assert not any(re.search(" {2}|\u00a0|\u202f", text) for text in tables["sentences"].values())


def test_one_is_said_with_no_more_than_several():
    for key in EN:
        if key.endswith(".one") and key.removesuffix(".one") in EN:
            several = placeholders(EN[key.removesuffix(".one")])
            assert set(placeholders(EN[key])) <= {*several, "n"}, key


def strings():
    """Return the string constants of the package, and its f-strings as patterns."""
    constants, patterns = set(), set()
    for module in MODULES:
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [getattr(part, "value", None) for part in node.values]
                if any(isinstance(part, str) and "." in part for part in parts):
                    patterns.add(tuple(p if isinstance(p, str) else None for p in parts))
    for path in (SOURCE / "report" / "templates").glob("*.j2"):
        constants |= set(re.findall(r"""["']([\w.-]+)["']""", path.read_text(encoding="utf-8")))
    constants |= {text.replace("-", "_") for text in constants}  # kinds of findings
    regex = {"".join("(.*)" if p is None else re.escape(p) for p in parts) for parts in patterns}
    return constants, [re.compile(each) for each in regex if each.strip("(.*)\\")]


SAID = {"Sentence": "", "say": "", "voice": "", "plain": "", "raw": "", "template": ""}
SAID |= {"Failure": "cli.", "phrase": "cli."}
SAID |= {"note": "note.", "finding": "note.", "report": "note.", "Count": "unit."}
FINDINGS = ("finding", "report")  # a kind, then a key where it has its own


def keys_said():
    """Yield the keys that stand in calls, with the place of the call."""
    for module in MODULES:
        for node in ast.walk(tree(module)):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            first = node.args[1] if name in FINDINGS and len(node.args) > 1 else node.args[0]
            for choice in (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,):
                if name in FINDINGS and getattr(choice, "value", None) == "":
                    choice = node.args[0]  # without a key of its own, that of its kind
                if name in SAID and isinstance(getattr(choice, "value", None), str):
                    text = choice.value.replace("-", "_") if name in FINDINGS else choice.value
                    yield f"{SAID[name]}{text}", f"{module}:{node.lineno}"
    for path in (SOURCE / "report" / "templates").glob("*.j2"):
        for key in re.findall(r"""say\(["']([^"']+)["']""", path.read_text(encoding="utf-8")):
            yield key, path.name


@pytest.mark.slow
def test_every_sentence_that_is_said_exists():
    said = list(keys_said())
    assert len(said) > 200
    assert [(key, place) for key, place in said if key not in EN] == []


@pytest.mark.slow
def test_every_sentence_is_used():
    constants, patterns = strings()
    said = {key for key, _ in keys_said()}

    def made(text, depth=3):
        """Whether the package can write this text: as it is, or as an f-string of such texts."""
        if text in constants or not text:
            return True
        found = (p.fullmatch(text) for p in patterns) if depth else ()
        return any(m and all(made(part, depth - 1) for part in m.groups()) for m in found)

    keys = {k for k in EN if not (k.endswith(".one") and k.removesuffix(".one") in EN)}
    common = {k for k in keys if "." not in k or k.startswith("unit.")}  # words of everywhere
    assert sorted(k for k in keys if not (k in said if k in common else made(k))) == []
