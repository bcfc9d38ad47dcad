"""Studies and pages that several tests look at, each made once."""

import re
from functools import cache
from html import unescape

import numpy as np
import pandas as pd

import gramian as gm
from gramian.report.page import page

HOSTILE = [
    "</script><script>window.stolen=1</script>",
    "<img src=x onerror=window.stolen=1>",
    '"><b onclick="window.stolen=1">',
    "=1+1",
    "@SUM(A1)",
    "\u202egnp.exe",
    "{{ 7*7 }}",
    "%{x} $y$ & co",
]


def normal(n, p, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, p))
    return pd.DataFrame(X, columns=[f"v{j}" for j in range(p)], index=[f"r{i}" for i in range(n)])


def hostile_table():
    """Rows, columns, groups and a title that would like to run."""
    X = normal(24, 6)
    X.iloc[:12] += 3.0
    X.columns = HOSTILE[:6]
    X.index = [HOSTILE[i % 8] + (str(i) if i > 7 else "") for i in range(24)]
    X[HOSTILE[6]] = [HOSTILE[0]] * 12 + [HOSTILE[1]] * 12
    return X


@cache
def experiment():
    return gm.datasets.gene_expression(n_genes=800)


@cache
def study_of(name):
    data = {
        "experiment": experiment,
        "noise": lambda: normal(60, 8),
        "rings": lambda: gm.datasets.rings(noise=0.2),
        "iris": gm.datasets.iris,
        "cities": gm.datasets.cities,
        "hostile": hostile_table,
    }[name]()
    return gm.study(data, title=HOSTILE[0] if name == "hostile" else None)


@cache
def page_of(name, language="en"):
    return page(study_of(name), language)


def body(html):
    """The words of a page: without scripts, styles and marks."""
    html = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.S)
    text = unescape(re.sub(r"<[^>]*>", "", html))
    return re.sub(r"[ \n]+", " ", text)  # not the no-break spaces
