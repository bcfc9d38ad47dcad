"""Tables for the doctor: clean ones as people have them, and faults to plant in them."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd
from tests.io.files import xlsx

__all__ = ["FAULTS", "Planted", "clean", "written"]

Rng = np.random.Generator


def _book(rows: list[list[Any]]) -> bytes:
    """Return a workbook with these rows of numbers, texts and empty cells."""
    cells = [[escape(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return xlsx(cells)


@dataclass(frozen=True)
class Planted:
    """A table with a fault: which finding it should give, about which column."""

    data: Any  # a frame, or the bytes of a file
    kinds: tuple[str, ...]  # any of which is right
    column: str | None = None
    role: str = ""  # that the column must not have


def _latent(rng: Rng, n: int) -> np.ndarray:
    return rng.standard_normal(n)


# name → a column of n numbers with a factor z behind them
MEASURES: dict[str, Callable[[Rng, np.ndarray], np.ndarray]] = {
    "age": lambda g, z: np.clip(np.round(45 + 12 * z + 8 * g.standard_normal(len(z))), 18, 95),
    "weight": lambda g, z: np.round(70 + 9 * z + 8 * g.standard_normal(len(z)), 1),
    "height_cm": lambda g, z: np.round(170 + 6 * z + 6 * g.standard_normal(len(z))),
    "income": lambda g, z: np.round(np.exp(10 + 0.4 * z + 0.4 * g.standard_normal(len(z))), -2),
    "children": lambda g, z: g.poisson(1.6, len(z)).astype(float),
    "visits": lambda g, z: g.negative_binomial(2, 0.2, len(z)).astype(float),
    "satisfaction": lambda g, z: np.clip(np.round(3 + z + 0.7 * g.standard_normal(len(z))), 1, 5),
    "q7": lambda g, z: np.clip(np.round(4 + z + g.standard_normal(len(z))), 1, 7),
    "year_built": lambda g, z: np.round(1975 + 12 * z + 8 * g.standard_normal(len(z))),
    "temperature": lambda g, z: np.round(8 + 6 * z + 5 * g.standard_normal(len(z)), 1),
    "pH": lambda g, z: np.round(7 + 0.4 * z + 0.3 * g.standard_normal(len(z)), 2),
    "humidity": lambda g, z: np.clip(np.round(60 + 12 * z + 9 * g.standard_normal(len(z))), 3, 100),
    "price": lambda g, z: np.round(np.exp(3 + 0.5 * z + 0.3 * g.standard_normal(len(z))), 2),
    "balance": lambda g, z: np.round(400 * z + 500 * g.standard_normal(len(z))),
    "population": lambda g, z: np.round(np.exp(9 + z + 0.8 * g.standard_normal(len(z)))),
    "hp": lambda g, z: np.round(140 + 40 * z + 30 * g.standard_normal(len(z))),
    "chol": lambda g, z: np.round(200 + 25 * z + 30 * g.standard_normal(len(z))),
    "score": lambda g, z: np.round(50 + 10 * z + 8 * g.standard_normal(len(z))),
    "concentration": lambda g, z: np.round(np.abs(3 + z + 0.9 * g.standard_normal(len(z))), 3),
    "mpg": lambda g, z: np.round(22 - 4 * z + 3 * g.standard_normal(len(z)), 1),
    "distance": lambda g, z: np.round(np.exp(1 + 0.5 * z + g.standard_normal(len(z))), 2),
    "rate": lambda g, z: np.round(0.3 + 0.05 * z + 0.05 * g.standard_normal(len(z)), 4),
}
GROUPS = {"sex": ["f", "m"], "region": ["north", "south", "east"], "diet": ["a", "b", "c", "d"]}


def clean(rng: Rng) -> pd.DataFrame:
    """Return a table as people have them: ages, counts, scales, years, prices, perhaps names."""
    n = int(rng.choice([15, 25, 40, 60, 120, 250, 400]))
    if rng.random() < 0.15:
        return _questionnaire(rng, n)
    p = int(rng.integers(3, 11))
    z = _latent(rng, n)
    names = rng.choice(list(MEASURES), p, replace=False)
    frame = pd.DataFrame({str(k): MEASURES[k](rng, z) for k in names})
    for name in rng.choice(list(GROUPS), rng.integers(0, 3), replace=False):
        frame[str(name)] = rng.choice(GROUPS[name], n)
    if rng.random() < 0.4:
        frame.insert(
            0, "name", [f"{w}{k}" for k, w in enumerate(rng.choice(["Al", "Bo", "Ci"], n))]
        )
    return frame.drop_duplicates(ignore_index=True)


def _questionnaire(rng: Rng, n: int) -> pd.DataFrame:
    """Return answers from 1 to 5 or 7, and an age."""
    z, most = _latent(rng, n), int(rng.choice([5, 7]))
    items = {
        f"item{k}": np.clip(np.round((most + 1) / 2 + z + rng.standard_normal(n)), 1, most)
        for k in range(1, int(rng.integers(6, 13)))
    }
    return pd.DataFrame({"age": MEASURES["age"](rng, z), **items}).drop_duplicates(
        ignore_index=True
    )


def _measured(rng: Rng) -> tuple[pd.DataFrame, str]:
    """Return a clean table of at least 25 rows, and one of its columns of measures."""
    frame = clean(rng)
    while len(frame) < 25:
        frame = clean(rng)
    columns = [c for c in frame if frame[c].dtype == float and frame[c].nunique() > 9]
    return frame, str(rng.choice(columns or ["age"]))


def _put(rng: Rng, frame: pd.DataFrame, name: str, values: Any) -> pd.DataFrame:
    """Return the table with a column more, somewhere behind the first."""
    frame = frame.drop(columns=name, errors="ignore")
    frame.insert(int(rng.integers(1, frame.shape[1] + 1)), name, values)
    return frame


def identifier(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    name = str(rng.choice(["ID", "patient_id", "SubjectID", "id", "sample.id", "id_client", "No"]))
    if rng.random() < 0.25:  # names that no list holds
        name = str(rng.choice(["employee number", "ref_client", "tag", "n° dossier"]))
    codes = rng.choice(np.arange(10_000, 99_999), len(frame), replace=False)
    if rng.random() < 0.3:  # some come twice
        codes[:2] = codes[2:4]
    return Planted(_put(rng, frame, name, codes), ("identifier",), name, "active")


def text_identifier(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    if "name" not in frame:
        frame.insert(0, "name", [f"row {k}" for k in range(len(frame))])
    codes = [f"{rng.choice(['A', 'B'])}{k:05d}" for k in rng.permutation(len(frame))]
    return Planted(_put(rng, frame, "barcode", codes), ("identifier",), "barcode", "group")


def index(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    name = str(rng.choice(["index", "X", "row", "obs", "nr", "Unnamed: 0", "V0"]))
    start = int(rng.choice([0, 1]))
    values = np.arange(start, start + len(frame))
    return Planted(_put(rng, frame, name, values), ("index", "identifier"), name, "active")


def category(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    names = ["race", "sex", "group", "cyl", "treatment", "region", "status", "blood_type", "Class"]
    name = str(rng.choice([*names, "smoker", "site", "marital.status"]))
    codes = rng.integers(0, int(rng.integers(2, 7)), len(frame)) + int(rng.choice([0, 1]))
    if rng.random() < 0.25:
        name, codes = str(rng.choice(["smk", "v12", "kat"])), rng.integers(1, 4, len(frame))
    codes[:2] = codes.min(), codes.min() + 1
    return Planted(_put(rng, frame, name, codes), ("category",), name, "active")


def binary(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    name = str(rng.choice(["treated", "fumeur", "low", "ht", "employed"]))
    codes = (rng.random(len(frame)) < 0.4).astype(int) + int(rng.choice([0, 1]))
    codes[:2] = codes.min(), codes.min() + 1
    return Planted(_put(rng, frame, name, codes), ("category",), name, "active")


def postal(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    name = str(rng.choice(["zip", "ZIP code", "postcode", "postal_code", "zipcode"]))
    places = rng.integers(10_000, 99_999, 20)
    return Planted(
        _put(rng, frame, name, rng.choice(places, len(frame))), ("identifier",), name, "active"
    )


def _rows(rng: Rng, n: int) -> np.ndarray:
    return rng.choice(n, max(1, int(n * rng.uniform(0.02, 0.12))), replace=False)


def missing_code(rng: Rng) -> Planted:
    frame, name = _measured(rng)
    high = frame[name].max()
    codes = [-999.0, -9999.0] + [c for c in (-99.0,) if frame[name].min() >= 0]
    codes += [c for c in (999.0, 9999.0, 99999.0) if c > 2.2 * high]
    values = frame[name].to_numpy(copy=True)
    if (values.min() < 0) and high - values.min() > 300:  # -999 is an ordinary value there
        codes = [-99999.0]
    values[_rows(rng, len(frame))] = rng.choice(codes)
    return Planted(frame.assign(**{name: values}), ("missing-code",), name)


def missing_word(rng: Rng) -> Planted:
    frame, name = _measured(rng)
    texts = frame[name].astype(str).to_numpy(dtype=object, copy=True)
    texts[_rows(rng, len(frame))] = rng.choice(
        ["ND", "n.d.", "-", "?", "missing", ".", "#DIV/0!", "pending"]
    )
    return Planted(frame.assign(**{name: texts}), ("missing-code", "spoiled-numbers"), name)


def censored(rng: Rng) -> Planted:
    frame, name = _measured(rng)
    texts = frame[name].astype(str).to_numpy(dtype=object, copy=True)
    texts[_rows(rng, len(frame))] = rng.choice(["<0.5", "< 1", ">100", "<0.05"])
    return Planted(frame.assign(**{name: texts}), ("censored",), name, "ignored")


def units(rng: Rng) -> Planted:
    frame, name = _measured(rng)
    unit = str(rng.choice([" mg", "kg", " %", " ml", "cm", " mmol/l"]))
    texts = [f"{x:g}{unit}" for x in frame[name]]
    return Planted(frame.assign(**{name: texts}), ("units",), name, "ignored")


def mixed_units(rng: Rng) -> Planted:
    frame, name = _measured(rng)
    pair = [(" mg", " g"), ("kg", "g"), (" cm", " m"), (" ml", "")][int(rng.integers(4))]
    texts = [f"{x:g}{pair[int(rng.random() < 0.3)]}" for x in frame[name]]
    texts[0] = f"{frame[name].iloc[0]:g}{pair[1]}"
    return Planted(frame.assign(**{name: texts}), ("units",), name, "active")


def decimal_comma(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    name = "dose"
    texts = [f"{x:.2f}".replace(".", ",") for x in rng.lognormal(2, 0.5, len(frame))]
    return Planted(_put(rng, frame, name, texts), ("decimal-comma",), name, "ignored")


def composition(rng: Rng) -> Planted:
    n, p = int(rng.integers(12, 120)), int(rng.integers(3, 9))
    parts = rng.dirichlet(rng.uniform(1, 6, p), n)
    total, places = [(1.0, 3), (100.0, 1), (1.0, 8)][int(rng.integers(3))]
    frame = pd.DataFrame(np.round(total * parts, places), columns=[f"part{k}" for k in range(p)])
    if rng.random() < 0.4:  # among other columns
        frame = pd.DataFrame(total * parts, columns=frame.columns)
        frame["pH"] = MEASURES["pH"](rng, _latent(rng, n))
        frame["depth_m"] = np.round(rng.gamma(3, 2, n), 1)
    return Planted(frame, ("composition",))


def contingency(rng: Rng) -> Planted:
    n, p = int(rng.integers(5, 25)), int(rng.integers(4, 9))
    rates = np.outer(rng.lognormal(3, 0.9, n), rng.lognormal(0, 0.5, p)) * rng.lognormal(
        0, 0.4, (n, p)
    )
    frame = pd.DataFrame(rng.poisson(rates), columns=[f"opinion {k}" for k in range(p)])
    frame.insert(0, "word", [f"word {chr(97 + k)}" for k in range(n)])
    return Planted(frame, ("contingency", "counts"))


def abundances(rng: Rng) -> Planted:
    n, p = int(rng.integers(15, 60)), int(rng.integers(8, 40))
    place, optimum = rng.uniform(0, 10, n), rng.uniform(0, 10, p)
    rates = rng.lognormal(1, 1, p) * np.exp(-((place[:, None] - optimum) ** 2) / 4)
    table = rng.poisson(rates).astype(float)
    table = table[:, table.any(axis=0)]
    if rng.random() < 0.4:
        table = np.round(table * rng.uniform(0.3, 2, table.shape), 2)  # covers
    return Planted(pd.DataFrame(table).add_prefix("sp"), ("counts", "contingency"))


def dates(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    days = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 900, len(frame)), unit="D")
    form = str(
        rng.choice(["%Y-%m-%d", "%d/%m/%Y", "%d %b %Y", "%Y%m%d", "%m/%d/%y", "%Y-%m-%d %H:%M"])
    )
    texts: Any = days.strftime(form)
    if form == "%Y%m%d":
        texts = texts.astype(int)
    return Planted(_put(rng, frame, "date", texts), ("date",), "date", "active")


def calendar(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    name, most = [("Month", 12), ("day", 28), ("month", 12), ("hour", 23)][int(rng.integers(4))]
    values = rng.integers(1, most + 1, len(frame))
    return Planted(_put(rng, frame, name, values), ("date",), name, "active")


def constant(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    return Planted(_put(rng, frame, "flat", float(rng.integers(0, 5))), ("constant",), "flat")


def collinear(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    n = len(frame)
    frame = frame.assign(a1=rng.normal(10, 2, n), a2=rng.normal(5, 1, n), a3=rng.normal(8, 3, n))
    total = frame[["a1", "a2", "a3"]].sum(axis=1)
    noise = float(rng.choice([0.0, 0.003])) * total.std()
    frame["total"] = total + noise * rng.standard_normal(n)
    return Planted(frame, ("collinear",), "total")


def copied_column(rng: Rng) -> Planted:
    frame, name = _measured(rng)
    factor = float(rng.choice([1.0, 2.54, 0.001, -1.0]))
    return Planted(frame.assign(again=frame[name] * factor + (factor < 0)), ("copied-column",))


def copied_rows(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    if "name" in frame:
        frame = frame.drop(columns="name")
    again = frame.iloc[rng.choice(len(frame), int(rng.integers(1, 4)), replace=False)]
    return Planted(pd.concat([frame, again], ignore_index=True), ("copied-rows",))


def empty_rows(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    frame = frame.astype(object).where(frame.notna(), None)
    frame.loc[rng.choice(len(frame), int(rng.integers(1, 4)), replace=False)] = None
    return Planted(frame.infer_objects(), ("empty-rows",))


def genes(rng: Rng) -> Planted:
    n, p = int(rng.integers(200, 1_000)), int(rng.integers(6, 20))
    names = [
        [f"ENSG{k:011d}" for k in range(n)],
        [f"GENE{k}" for k in range(n)],
        [f"{k}_at" for k in range(n)],
    ][int(rng.integers(3))]
    X = rng.lognormal(3, 1, (n, 1)) * rng.lognormal(0, 0.3, (n, p))
    frame = pd.DataFrame(X, columns=[f"ctrl_{k}" for k in range(p)])
    frame.insert(0, str(rng.choice(["gene", "", "probe_id"])), names)
    return Planted(frame, ("genes-in-rows",))


def titles(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    tops = [["Table 1. Results of the survey"], ["Ministry of data, 2021", "source: own"]]
    tops += [["Export 2024-03-01", "", "All regions"]]
    top = tops[int(rng.integers(3))]
    if rng.random() < 0.5:
        rows = [[line] for line in top if line] + [list(map(str, frame.columns))]
        rows += [[v if isinstance(v, str) else float(v) for v in row] for row in frame.to_numpy()]
        width = frame.shape[1]
        return Planted(_book([row + [None] * (width - len(row)) for row in rows]), ("title-rows",))
    sep = str(rng.choice([",", ";", "\t"]))
    text = "\n".join(top) + "\n" + frame.to_csv(index=False, sep=sep)
    return Planted(text.encode(), ("title-rows",))


def names_elsewhere(rng: Rng) -> Planted:
    frame, _ = _measured(rng)
    frame = frame.drop(columns="name", errors="ignore")
    places = [f"{w} {k}" for k, w in enumerate(rng.choice(["Lake", "Mount", "Fort"], len(frame)))]
    name = str(rng.choice(["place", "Make", "country", "label"]))
    return Planted(_put(rng, frame, name, places), ("row-names",), name)


def asymmetric(rng: Rng) -> Planted:
    n = int(rng.integers(8, 40))
    X = rng.standard_normal((n, 3))
    D = np.round(10 * np.linalg.norm(X[:, None] - X, axis=2), 2)
    i, j = rng.choice(n, 2, replace=False)
    D[i, j] += 0.5
    if rng.random() < 0.5:
        D = np.round(D * rng.uniform(0.98, 1.02, D.shape), 2)
    labels = [f"town {k}" for k in range(n)]
    frame = pd.DataFrame(D, columns=labels)
    frame.insert(0, "", labels)
    return Planted(frame, ("asymmetric",))


FAULTS = (
    identifier, text_identifier, index, category, binary, postal, missing_code, missing_word,
    censored, units, mixed_units, decimal_comma, composition, contingency, abundances, dates,
    calendar, constant, collinear, copied_column, copied_rows, empty_rows, genes, titles,
    names_elsewhere, asymmetric,
)  # fmt: skip


def written(frame: pd.DataFrame, rng: Rng) -> tuple[str, Any]:
    """Return a table as a file of some format, or as it is."""
    how = str(rng.choice(["csv", "semicolon", "tab", "xlsx", "parquet", "frame"]))
    if how == "frame" and not (frame.columns == "").any():
        return how, frame
    if how == "xlsx" and frame.shape[1] <= 26 and len(frame) <= 500:
        cells = frame.astype(object).where(frame.notna(), None).to_numpy()
        rows = [[v if isinstance(v, str) or v is None else float(v) for v in row] for row in cells]
        return how, io.BytesIO(_book([list(map(str, frame.columns)), *rows]))
    if how == "parquet" and not (frame.columns == "").any():
        file = io.BytesIO()
        frame.to_parquet(file, index=False)
        return how, io.BytesIO(file.getvalue())
    sep = {"semicolon": ";", "tab": "\t"}.get(how, ",")
    return {";": "semicolon", "\t": "tab"}.get(sep, "csv"), io.BytesIO(
        frame.to_csv(index=False, sep=sep).encode()
    )
