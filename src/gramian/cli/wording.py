"""What the library says, in the words of the command line: missing='mean' is --missing mean.

Notes and errors that carry their sentence are said with a spelling of their settings; the texts of
other errors are searched for settings.
"""

from __future__ import annotations

import re
import shlex

import click

from gramian.language import Options

__all__ = ["in_options", "spelling"]

_OTHER_NAMES = {"n_components": "components", "random_state": "seed", "rank": "nystrom"}
_METHODS = {
    "PCA": "pca",
    "KernelPCA": "kernel-pca",
    "ClassicalMDS": "classical-mds",
    "MDS": "mds",
}
_QUOTED = r"'[^']*'|\"[^\"]*\""
_VALUE = rf"{_QUOTED}|\[[^\]]*\]|-?\d+(?:\.\d+)?|True|False|None"
_SETTING = re.compile(
    rf"(?<![\w.])(?<!\w\()(?P<name>[a-z_]+)=(?P<value>{_VALUE})?"
    rf"(?P<more>(?:(?:,| or|, or) (?:{_QUOTED}))*)"
)
_CALL = re.compile(rf"\b(?:gm\.)?({'|'.join(_METHODS)})\((?:([a-z_]+)=({_VALUE}))?\)")
_CLASS = re.compile(rf"\bgm\.({'|'.join(_METHODS)})\b")


def spelling(command: click.Command) -> Options:
    """Return how a command spells settings."""
    words = {
        name: (option.opts[-1], option.secondary_opts[-1] if option.secondary_opts else None)
        for name, option in _options(command).items()
    }
    return Options(words)


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by the names of arguments."""
    options = {p.name: p for p in command.params if isinstance(p, click.Option) and p.name}
    return options | {ours: options[name] for ours, name in _OTHER_NAMES.items() if name in options}


def in_options(text: str, command: click.Command) -> str:
    """Return a message with settings as options, where the command has them."""
    options = _options(command)
    if "method" in options:
        text = _CALL.sub(lambda match: _call(options, *match.groups()), text)
        text = _CLASS.sub(lambda match: f"--method {_METHODS[match[1]]}", text)

    def setting(match: re.Match[str]) -> str:
        option = _as_option(options, match["name"], match["value"])
        return match[0] if option is None else option + re.sub(r"['\"]", "", match["more"])

    text = _SETTING.sub(setting, text)
    for name, option in options.items():
        text = re.sub(rf"^{name}(?=: )", option.opts[-1], text)
        if "_" in name:  # such a word is no English
            text = re.sub(rf"(?<![\w'-]){name}(?![\w'=])", option.opts[-1], text)
    return text


def _call(options: dict[str, click.Option], method: str, name: str | None, value: str) -> str:
    option = _as_option(options, name, value) if name else ""
    return f"--method {_METHODS[method]} {option or ''}".rstrip()


def _as_option(options: dict[str, click.Option], name: str, value: str | None) -> str | None:
    """Return one setting as an option, or None where it is none."""
    option = options.get(name)
    if option is None:
        return None
    if option.is_flag:
        opposite = option.secondary_opts or [""]
        return {None: option.opts[-1], "True": option.opts[-1], "False": opposite[-1]}.get(value)
    if value in (None, "True", "None"):
        return option.opts[-1]
    if value == "False":
        return f"{option.opts[-1]} no"
    texts = [text[1:-1] for text in re.findall(_QUOTED, value)] or [value]
    return " ".join(f"{option.opts[-1]} {shlex.quote(text)}" for text in texts)
