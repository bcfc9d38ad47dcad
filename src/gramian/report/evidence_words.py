"""Outliers, stability and curves in words."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gramian.report.axis_words import FAIR, why_words
from gramian.report.escape import Markup, escape
from gramian.report.linearity import Linearity
from gramian.report.outliers import reasons
from gramian.report.say import Say
from gramian.report.study import Study

__all__ = [
    "linearity_words",
    "outlier_words",
    "revealed_words",
    "short",
    "stability_words",
    "verdict_words",
]

_LISTED = 8
_SEEN = 0.5  # share of an axis that a grouping explains, to be told


def outlier_words(s: Study, say: Say) -> tuple[list[Markup], list[Markup]]:
    """Return an introduction, and one item for each of the first rows that stand apart."""
    if "outliers" in s.failures:
        return [say("failed", reason=s.failures["outliers"])], []
    intro = [say("out.intro")]
    if not len(s.outliers):
        return [*intro, say("out.none")], []
    items = []
    for name, position, along, across in s.outliers[:_LISTED].itertuples(name=None):
        key = "both" if along > 1 and across > 1 else "along" if along > 1 else "across"
        x = across if key == "across" else along
        text = say(f"out.{key}", name=say.name(name), x=say.fixed(x), y=say.fixed(across))
        why = reasons(s.subject.table, int(position))
        items.append(text + (" " + say("out.why", why=why_words(why, say)) if why else ""))
    if len(s.outliers) > _LISTED:
        intro.append(say("out.more", count=len(s.outliers) - _LISTED))
    return intro, items


def stability_words(s: Study, say: Say) -> list[Markup]:
    """Return what resampling says about the axes."""
    if s.stability is None:
        return [say("failed", reason=s.failures.get("stability", ""))]
    out = [say("sta.intro", count=s.resamples)]
    axes = s.stability.axes
    firm = (axes["angle"] < FAIR) & axes["identified"]
    count = int(firm.cumprod().sum())
    if s.q > 0 or not s.tested:  # directions of axes that are noise are not worth a sentence
        out.append(say.count("sta.firm", count, count=count) if count else say("sta.none"))
    values = s.stability.eigenvalues
    if (values["low"] > values["estimate"]).any():
        out.append(say("sta.bias"))
    for group in s.stability.unidentified:
        named = say.listed([escape(str(k)) for k in group])
        out.append(say("sta.unidentified", axes=named))
    return out


def verdict_words(s: Study, say: Say) -> Markup:
    """Say whether straight axes are enough, as far as the test can tell."""
    linearity = s.linearity
    assert linearity is not None
    j, k = linearity.dependence.index[int(np.argmin(linearity.dependence["p_value"]))]
    p = linearity.p_value
    key = "lin.for" if p < 0.01 else "lin.weak" if p < 0.05 else "lin.against"
    return say(key, j=j, k=k, p=say.p(p), n=linearity.tested)


def linearity_words(s: Study, say: Say) -> list[Markup]:
    """Return the evidence for or against curves."""
    linearity = s.linearity
    assert linearity is not None
    out = [verdict_words(s, say)]
    if linearity.tested < 40 and linearity.p_value >= 0.05:
        out.append(say("lin.power"))
    near = Markup("") if linearity.rank is None else say("lin.approximate", rank=linearity.rank)
    out.append(_kernel_words(linearity, say, near))
    t = linearity.agreement
    key = "lin.agree" if t >= 0.9 else "lin.near" if t >= 0.7 else "lin.differ"
    out.append(say(key, t=say.fixed(t)))
    if linearity.separation is not None:
        eta2 = linearity.separation[[("pca", "eta2"), ("kernel", "eta2")]].to_numpy().max(axis=1)
        visible = (eta2 >= _SEEN) | linearity.separation.index.isin(linearity.revealed)
        out += revealed_words(s, say, list(linearity.separation.index[visible]))
    return out


def _kernel_words(linearity: Linearity, say: Say, near: Markup) -> Markup:
    kernel = linearity.fit.kernel_
    if linearity.kernel is None:
        return say("lin.kernel", scale=say.number(float(kernel.scale)), approximate=near)
    return say("lin.kernel.other", kernel=escape(short(kernel)), approximate=near)


def short(kernel: Any) -> str:
    """Return a kernel as it is written, its numbers in a few digits."""
    return re.sub(r"\d+\.\d{4,}", lambda m: f"{float(m[0]):.4g}", repr(kernel))[:200]


def revealed_words(s: Study, say: Say, groups: list[Any]) -> list[Markup]:
    """Return how much of an axis some groupings explain, in kernel PCA and in PCA."""
    assert s.linearity is not None
    out = []
    for group in groups:
        assert s.linearity.separation is not None
        row = s.linearity.separation.loc[group]
        out.append(
            say(
                "lin.group",
                group=say.name(group),
                kernel=say.percent(row["kernel", "eta2"]),
                kaxis=int(row["kernel", "axis"]),
                pca=say.percent(row["pca", "eta2"]),
                paxis=int(row["pca", "axis"]),
            )
        )
    return out
