"""Entries as lines of text: call | pairs | which plain inputs fit | options.

The call, which is the name too, is an expression of the input `x` and of its plain numbers `v`.
Pairs, of the result `r` and the truth `t`, are `got ~ want`, several of them parted by `;`, or an
expression that gives them. What fits is an expression of `v`, or the name of a function of it.
Options are the words that name the input in a refusal, and other fields of `Entry`. A line that is
indented continues the one before. Names are those of the module of the table, of `gramian`, and of
what entries share.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from tests import surface

import gramian as gm

from .. import truth
from ..cell import Entry
from . import common, exceptions

NAMES = surface.public("gramian") | {"np": np, "k": gm.kernels}
NAMES |= {**vars(truth), **vars(common), **vars(exceptions)}
NAMES |= {"KLR": gm.KernelLogisticRegression, "PCR": gm.PrincipalComponentRegression}
NAMES |= {"PCC": gm.PrincipalComponentClassifier}


def read(text: str, names: dict[str, Any], arguments: str = "X") -> list[Entry]:
    """Return the entries of a table, its names looked up in those of a module first."""
    lines = re.sub(r"\n +", " ", text.strip()).splitlines()
    return [_entry(line, NAMES | names, arguments) for line in lines if line]


def _entry(line: str, names: dict[str, Any], arguments: str) -> Entry:
    call, pairs, fits, options = (c.strip() for c in f"{line} | | |".split("|")[:4])
    words, more = re.fullmatch(r"((?:[\w ]+(?=,|$))?),? ?(.*)", options).groups()
    fits = f"{fits}(v)" if fits.isidentifier() and fits != "False" else fits or "True"
    return Entry(
        call,
        eval(f"lambda x, v: {call}", names),
        eval(f"lambda r, t: [{', '.join(_pair(p) for p in pairs.split(';'))}]", names),
        words or arguments,
        eval(f"lambda v: {fits}", names),
        **eval(f"dict({more})", names),
    )


def _pair(text: str) -> str:
    got, is_pair, want = text.partition(" ~ ")
    return f"({got}, {want})" if is_pair else f"*({got})"
