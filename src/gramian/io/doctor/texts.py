"""Texts that are numbers after all: with units, decimal commas, words for missing, limits."""

import math
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
import pandas as pd

from gramian._study.language import Setting
from gramian.io.doctor.vocabulary import MISSING_WORDS, TIME_WORDS, word_set, words_of
from gramian.io.notes import Finding, finding

# Digits of other scripts are letters to those who read the numbers; float() takes them, and 1_000.
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NONFINITE = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}
_MAX_NUMBER_LENGTH = 1_000  # characters: more are an attack, and take their time
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
_MAX_DISTINCT = 5_000  # distinct texts that are looked at
_MAX_LOST_SHARE = 0.5  # of the cells that may be missing or limits
_MIN_NUMBER_SHARE = 0.5  # of the distinct texts that must be numbers
_MIN_DISTINCT = 5  # numbers under which a text such as 2WD is a category
_UNITS = word_set(
    """
    mg g kg µg μg ug ng pg t lb lbs oz mm cm m km in ft yd mi µm μm nm ml l dl cl µl μl ul gal s
    sec min h hr hrs d day days wk mo yr yrs year years % ‰ $ € £ usd eur gbp k °c °f c f mmhg
    bpm pa kpa hpa bar atm j kj kcal cal w kw kwh v mv a ma hz khz mhz ppm ppb mol mmol µmol
    nmol mg/l g/l µg/l ug/l ng/l mg/dl mmol/l mg/kg g/kg km/h m/s mph ha m2 m² m3 m³ cm2 cm3 iu
    ui
    """
)


_UNIT_WORDS = word_set(
    """
    - – -- – ntu ph unit units unitless unité sans psu fnu counts count n individuals ind ind/m2 cfu
    deg degc °n °e dbh log index score µs/cm us/cm ms/cm mgl mg.l-1 mgc/m3 t/ha m/s2 none
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


def number(text: str) -> float | None:
    """Return a text as a number, NaN and infinities included; None where it is none."""
    text = text.strip()
    if len(text) > _MAX_NUMBER_LENGTH:
        return None
    if NUMBER.fullmatch(text):
        return float(text)
    value = _NONFINITE.get(text.lstrip("+-").lower()) if len(text) < 12 else None
    return -value if value is not None and text.startswith("-") else value


def are_dates(column: pd.Series) -> bool:
    """Whether nearly all texts are dates or times."""
    levels = pd.Series(column.dropna().unique()[:_MAX_DISTINCT]).astype(str)
    if not len(levels):
        return False
    return bool(levels.map(lambda text: _DATE.fullmatch(text) is not None).mean() >= 0.9)


def times_of(name: str, column: pd.Series) -> pd.Series | None:
    """Return a column of dates, or of years by its name, as numbers that sort; None for others."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return column
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column if TIME_WORDS & set(words_of(name)) else None
    if column.isna().any() or not are_dates(column):
        return None
    texts = column.astype(str)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a day and a month that may be exchanged
        times = [pd.to_datetime(texts, errors="coerce", dayfirst=first) for first in (False, True)]
    return min(times, key=lambda parsed: int(parsed.isna().sum()))


def numbers_of(column: pd.Series, *, forced: bool = False) -> Reading | None:
    """Return texts as numbers where nearly all of them are; None where they are texts.

    If `forced`, every number is taken, with whatever unit, and the rest is missing.
    """
    counts = Counter(str(text).strip() for text in column.dropna())
    if not counts or (len(counts) > _MAX_DISTINCT and not forced):
        return None
    parts = {text: _part(text) for text in counts}
    numbers = {text: np.nan if value is None else value for text, (value, _) in parts.items()}
    lost = Counter({text: counts[text] for text, (value, _) in parts.items() if value is None})
    units: Counter[str] = Counter()
    for text, (value, kind) in parts.items():
        if value is not None and kind != "comma":
            units[kind] += counts[text]
    if not forced and (
        len(lost) > (1 - _MIN_NUMBER_SHARE) * len(parts)
        or any(kind == "word" for _, kind in parts.values())  # that of a category, perhaps
        or lost.total() > _MAX_LOST_SHARE * counts.total()
        or not _are_units(units, numbers)
    ):
        return None
    values = column.map(lambda text: np.nan if pd.isna(text) else numbers[str(text).strip()])
    return Reading(
        values.astype(float),
        Counter({text: k for text, k in lost.items() if parts[text][1] == "missing"}),
        Counter({text: k for text, k in lost.items() if parts[text][1] == "limit"}),
        units,
        next((text for text, (_, kind) in parts.items() if kind == "comma"), ""),
    )


def is_unit(cell: str) -> bool:
    """Whether a cell holds nothing but a unit: °C, (mg/L), [-], %."""
    bare = cell.strip()
    inner = bare.strip("()[] ").lower().replace("·", "/")
    if bare != inner and bare[:1] in "([" and len(inner) <= 15 and number(inner) is None:
        return True
    parts = [part for part in re.split(r"[/ .*]", inner) if part]
    known = [p for p in parts if p.rstrip("0123456789²³^-⁻¹") in _UNITS or p in _UNITS]
    return inner in _UNITS | _UNIT_WORDS or (bool(parts) and len(known) == len(parts))


def _are_units(units: Counter[str], numbers: dict[str, float]) -> bool:
    """Whether what follows numbers measures them: 4WD and 1st are categories."""
    written = [unit for unit in units if unit]
    if not written:
        return True
    known = all(unit.lower() in _UNITS for unit in written)
    return known if len(units) > 1 else known or len(set(numbers.values())) >= _MIN_DISTINCT


def _part(text: str) -> tuple[float | None, str]:
    """Return a text as a number and its unit, or None and why it is none."""
    if NUMBER.fullmatch(text):
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


_MAX_TITLES = 20  # lines above a table


def titles_above(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first rows, empty ones left out before, are no part of the table."""
    filled = [sum(bool(cell) for cell in row) for row in rows]
    widths = Counter(count for count in filled if count > 1)
    if not widths or len(rows) < 3:
        return 0
    width = widths.most_common(1)[0][0]
    first = list(zip(rows[:_MAX_TITLES], filled, strict=False))
    count = sum(1 for _ in takewhile(lambda pair: _is_title(*pair, width), first))
    # Several cells above a header of words that stands above numbers are titles, too.
    loose = sum(1 for _ in takewhile(lambda pair: _is_title(*pair, width, 2), first))
    if loose > count and width > 2 and _starts_body(rows[loose : loose + 3], width):
        count = loose
    if count < len(rows) and all(number(cell) is not None for cell in rows[count] if cell):
        return 0  # a title stands above a header, not above numbers
    if width == 2 and count and not _starts_table(rows[count:]):
        return 0  # the header of R, which leaves out the name over the names
    whole = sum(cells >= width - 1 for cells in filled[count:])
    return count if count < len(rows) - 1 and whole >= 0.6 * (len(rows) - count) else 0


def _is_title(row: Sequence[str], cells: int, width: int, part: int = 3) -> bool:
    if not any(cell and number(cell) is None for cell in row):
        return False
    if width == 2:
        return len(row) == 1
    return cells <= max(1, width // part)


def _starts_body(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a full row of words stands above a row most of which are numbers."""
    if len(rows) < 2:
        return False
    header, *below = ([cell for cell in row if cell] for row in rows)
    numbers = [sum(number(cell.replace(",", ".")) is not None for cell in row) for row in below]
    if len(header) < width - 1 or any(number(cell) is not None for cell in header):
        return False
    return any(2 * count >= width for count in numbers)


def _starts_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a header of words stands above numbers."""
    if len(rows) < 2 or any(number(cell) is not None for cell in rows[0]):
        return False
    return len(rows[0]) == 2 and any(number(cell) is not None for cell in rows[1])


def title_findings(titles: Sequence[str], skip: int | None) -> list[Finding]:
    """Report the lines that were taken for titles, unless `skip` set them."""
    if not titles or skip is not None:
        return []
    setting = Setting("skip", (0,))
    cell = repr(" ".join(titles[0].replace("\t", " ").split()).strip(" ,;|\"'"))[:60]
    return [finding("title-rows", setting=setting, default="skipped", n=len(titles), cell=cell)]
