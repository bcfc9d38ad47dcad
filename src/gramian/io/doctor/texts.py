"""Texts that are numbers after all: with units, decimal commas, words for missing, limits."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gramian.io.doctor.vocabulary import MISSING_WORDS, listed

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_LIMIT = re.compile(r"[<>≤≥]=?\s*[+-]?(\d+[.,]?\d*|[.,]\d+)\s*\S{0,8}", re.ASCII | re.IGNORECASE)
_UNIT = re.compile(
    r"([$€£]?)\s*([+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?)\s*"
    r"([a-zA-Zµμ°%‰Ω][a-zA-Zµμ°%²³/.^*0-9-]{0,9}|[%‰$€£])?"
)
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([ T]\d{1,2}:\d{2}.*)?|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})"
    r"([ T]\d{1,2}:\d{2}.*)?|\d{1,2}[ -][A-Za-zéûôà]{3,9}\.?[ -](\d{4}|\d{2})"
    r"|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{4}-\d{2}|[A-Za-z]{3} \d{4}|\d{1,2}:\d{2}(:\d{2})?"
)
_LOOK = 5_000  # distinct texts that are looked at
_MOST = 0.5  # of the cells that may be missing or limits
_NUMBERS = 0.5  # of the distinct texts that must be numbers
_DISTINCT = 5  # numbers under which a text such as 2WD is a category
_UNITS = listed(
    """
    mg g kg µg μg ug ng pg t lb lbs oz mm cm m km in ft yd mi µm μm nm ml l dl cl µl μl ul gal s
    sec min h hr hrs d day days wk mo yr yrs year years % ‰ $ € £ usd eur gbp k °c °f c f mmhg
    bpm pa kpa hpa bar atm j kj kcal cal w kw kwh v mv a ma hz khz mhz ppm ppb mol mmol µmol
    nmol mg/l g/l µg/l ug/l ng/l mg/dl mmol/l mg/kg g/kg km/h m/s mph ha m2 m² m3 m³ cm2 cm3 iu
    ui
    """
)


@dataclass(frozen=True)
class Reading:
    """A column of texts as numbers, and why it was one of texts."""

    values: pd.Series
    words: Counter[str]  # read as missing, how often each
    limits: Counter[str]  # "<0.5"
    units: Counter[str]
    comma: str  # a number with a decimal comma, or ""


def are_dates(column: pd.Series) -> bool:
    """Whether nearly all texts are dates or times.

    >>> are_dates(pd.Series(["2024-01-31", "2024-02-01"])), are_dates(pd.Series(["a", "b"]))
    (True, False)
    """
    levels = pd.Series(column.dropna().unique()[:_LOOK]).astype(str)
    if not len(levels):
        return False
    return bool(levels.map(lambda text: _DATE.fullmatch(text) is not None).mean() >= 0.9)


def numbers_of(column: pd.Series, *, forced: bool = False) -> Reading | None:
    """Return texts as numbers where nearly all of them are; None where they are texts.

    Parameters
    ----------
    column : Series of texts
    forced : bool
        Take every number that can be had, with whatever unit; the rest is missing.

    >>> numbers_of(pd.Series(["5 mg", "7 mg", "ND", "2.5 mg"])).values.tolist()
    [5.0, 7.0, nan, 2.5]
    >>> numbers_of(pd.Series(["red", "blue"])) is None
    True
    """
    counts = Counter(str(text).strip() for text in column.dropna())
    if not counts or (len(counts) > _LOOK and not forced):
        return None
    parts = {text: _part(text) for text in counts}
    if sum(value is not None for value, _ in parts.values()) < _NUMBERS * len(parts) and not forced:
        return None
    if not forced and any(kind == "word" for _, kind in parts.values()):
        return None  # another word: that of a category, perhaps
    lost = {text: counts[text] for text, (value, _) in parts.items() if value is None}
    if sum(lost.values()) > _MOST * sum(counts.values()) and not forced:
        return None
    numbers = {text: np.nan if value is None else value for text, (value, _) in parts.items()}
    values = column.map(lambda text: np.nan if pd.isna(text) else numbers[str(text).strip()])
    units: Counter[str] = Counter()
    for text, (value, kind) in parts.items():
        if value is not None and kind != "comma":
            units[kind] += counts[text]
    if not forced and not _are_units(units, numbers):
        return None
    return Reading(
        values.astype(float),
        Counter({text: k for text, k in lost.items() if parts[text][1] == "missing"}),
        Counter({text: k for text, k in lost.items() if parts[text][1] == "limit"}),
        units,
        next((text for text, (_, kind) in parts.items() if kind == "comma"), ""),
    )


def _are_units(units: Counter[str], numbers: dict[str, float]) -> bool:
    """Whether what follows numbers measures them: 4WD and 1st are categories."""
    written = [unit for unit in units if unit]
    if not written:
        return True
    known = all(unit.lower() in _UNITS for unit in written)
    return known if len(units) > 1 else known or len(set(numbers.values())) >= _DISTINCT


def _part(text: str) -> tuple[float | None, str]:
    """Return a text as a number and its unit, or None and why it is none."""
    if _NUMBER.fullmatch(text):
        return float(text), ""
    if text.lower() in MISSING_WORDS:
        return None, "missing"
    if _LIMIT.fullmatch(text):
        return None, "limit"
    if _THOUSANDS.fullmatch(text):
        return None, "word"  # 1,234 may be 1.234 or 1234
    if _COMMA.fullmatch(text):
        return float(text.replace(",", ".")), "comma"
    match = _UNIT.fullmatch(text)
    if match is None or ("," in text and "." in text):
        return None, "word"
    return float(match[2].replace(",", ".")), match[1] or match[3] or ""
