"""One tab: its data, its recipes (with undo), the study of the latest one, and what happened.

The session holds no numbers of its own: data are read and examined by `gramian.io`, fitted and
tested by `gramian.study` in a process of its own, and drawn from the payload of the map.
"""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, RLock, Thread
from typing import Any

import numpy as np

import gramian as gm
from gramian._browser.app.recipe import KERNELS, ROLES, Recipe, kernel_of
from gramian._browser.app.worker import Cancelled, Worker, Workers
from gramian._core.pairs import Points
from gramian._core.parallel import available_memory
from gramian._estimators.preview import Preview
from gramian._study.language import Voice, texts
from gramian._study.record import Study
from gramian.errors import InputError
from gramian.io import Finding, Source
from gramian.plots.style import clean

MAX_HISTORY = 200  # recipes that can be undone
MAX_EVENTS = 500  # that a page which was away can still get
MAX_COLUMNS = 2_000  # that a page lists
MAX_ARROWS = 60  # of variables
MAX_FOUND = 40  # lines that describe a selection
SELECTION_LEVEL = 0.05  # for all tests of a selection together
LONG_FIT = 10.0  # seconds, from which on one is asked before a fit
SHORT_JOB = 5.0  # seconds, up to which a job whose recipe changed may end by itself
MAX_LEFT = 2  # of them at a time
LONG_STUDY = 20.0  # seconds, from which on tests wait for a click
MEMORY_SHARE = 0.5  # of the free memory, from which on one is asked before a fit
_PAIRWISE = {"classical-mds": 2.0, "mds": 3.0, "kernel-pca": 1.0}  # squares of n that are held


@dataclass(frozen=True)
class Data:
    """Data that a session may read: those of the command line, an upload, or a shipped set."""

    name: str
    content: Any  # a path, bytes, a table in memory, or a fitted estimator
    kind: str  # "path", "upload", "dataset", "memory" or "fit"

    @classmethod
    def of(cls, data: Any) -> Data:
        """Return what was given to `gm.app`."""
        if isinstance(data, str | Path):
            return cls(Path(data).name, str(data), "path")
        if hasattr(data, "get_params") and hasattr(data, "fit"):
            return cls(type(data).__name__, data, "fit")
        source = gm.io.as_source(data)
        return cls(source.title, data, "memory")

    @classmethod
    def dataset(cls, name: str) -> Data:
        """Return a data set that comes with the library."""
        if name not in gm.datasets.names():
            known = ", ".join(gm.datasets.names())
            raise InputError(f"dataset={name[:40]!r} is unknown: use one of {known}")
        return cls(name, gm.datasets.load(name), "dataset")

    def read(self, options: dict[str, Any]) -> Source:
        """Return the data as a recipe reads them."""
        if self.kind == "upload":
            return gm.io.read(_Named(self.content, self.name), **options)
        if isinstance(self.content, Source) and options:
            raise InputError("read: a Source has been read: give gm.app the file or the frame")
        return gm.io.as_source(self.content, **options)

    def of_file(self) -> bytes | None:
        """Return the bytes of the file that holds the data, None where there is none."""
        if self.kind == "path" and Path(self.content).is_file():
            return Path(self.content).read_bytes()
        return bytes(self.content) if self.kind == "upload" else None

    def digest(self) -> str:
        """Return a fingerprint, by which a state file knows its data again."""
        content = self.of_file()
        content = f"{self.kind}:{self.name}".encode() if content is None else content
        return hashlib.sha256(content).hexdigest()


class _Named(io.BytesIO):
    """Bytes that know the name of their file."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


def estimate(n: int, p: int, method: str, tests: bool = False) -> dict[str, float]:
    """Return about how many seconds and bytes a fit takes, or a study with all its tests.

    Measured on one core of a laptop, as an order of magnitude: people want to know whether to wait.
    """
    if method in _PAIRWISE:
        seconds = 2e-8 * n**2 * (1 + p / 50) * (40 if method == "mds" else 1)
        size = 8.0 * n**2 * _PAIRWISE[method]
    else:
        seconds, size = 0.02 + 2e-9 * n * p * min(n, p), 32.0 * n * p
    if tests:
        seconds = 2 + (200 * seconds if method in _PAIRWISE else 60 * seconds + 5e-5 * n * p)
    return {"seconds": round(seconds, 3), "bytes": size}


class Session:
    """One tab of the app."""

    def __init__(self, workers: Workers, language: str = "en") -> None:
        self.workers, self.language = workers, language
        self.lock, self.news = RLock(), Condition()
        self.data: Data | None = None
        self.source: Source | None = None  # None for a fitted estimator
        self.history: list[Recipe] = [Recipe()]
        self.position = 0
        self.revision = 0
        self.study: Study | None = None
        self.events: list[dict[str, Any]] = []
        self.listener: Callable[[], None] = lambda: None
        self._sequence = 0
        self._worker: Worker | None = None
        self._preview: Preview | None = None
        self._is_stopped = False
        self._is_short = False  # the job that runs
        self._left = 0  # jobs of earlier recipes that still run

    @property
    def recipe(self) -> Recipe:
        """The recipe of the screen."""
        return self.history[self.position]

    # Events: a page reads them in order, and those it missed.

    def emit(self, kind: str, **values: Any) -> None:
        """Tell the page what happened."""
        with self.news:
            self._sequence += 1
            self.events.append({"type": kind, "sequence": self._sequence, **values})
            del self.events[:-MAX_EVENTS]
            self.news.notify_all()
        self.listener()

    def since(self, sequence: int) -> list[dict[str, Any]]:
        """Return the events after one."""
        with self.news:
            return [event for event in self.events if event["sequence"] > sequence]

    # Data and recipes.

    def open(self, data: Data, recipe: Recipe | None = None) -> dict[str, Any]:
        """Read data, and start the fit of their recipe."""
        recipe = recipe or Recipe()
        with self.lock:
            source = self._read(data, recipe)
            self.data, self.source = data, source
            self.history, self.position = [recipe], 0
            return self._restart()

    def _read(self, data: Data, recipe: Recipe) -> Source | None:
        if data.kind == "fit":
            return None
        return recipe.prepare(data.read(recipe.read))

    def act(self, action: dict[str, Any]) -> dict[str, Any]:
        """Change the recipe as a page asks, and start its fit."""
        with self.lock:
            if self.data is None:
                raise InputError("open: there are no data yet: open a file first")
            name = action.get("action")
            if name in ("undo", "redo"):
                step = -1 if name == "undo" else 1
                if not 0 <= self.position + step < len(self.history):
                    raise InputError(f"{name}: there is nothing to {name}")
                recipe = self.history[self.position + step]
                self.source = self._read(self.data, recipe)
                self.position += step
            elif name != "run":
                recipe = self._next(str(name), action)
                source = self._read(self.data, recipe)
                self.source = source
                del self.history[self.position + 1 :]
                self.history.append(recipe)
                del self.history[:-MAX_HISTORY]
                self.position = len(self.history) - 1
            return self._restart(confirm=action.get("confirm") is True)

    def _next(self, name: str, action: dict[str, Any]) -> Recipe:
        """Return the recipe after an action."""
        recipe, value = self.recipe, action.get("value")
        if self.source is None and name != "set":
            raise InputError(f"{name}: a fitted estimator has its data: open the file instead")
        if name == "set":  # entries of the recipe
            entries = value if isinstance(value, dict) else {}
            if self.source is None and set(entries) - {"clusters", "seed"}:
                raise InputError("set: a fitted estimator keeps its method: open the file instead")
            return recipe.replace(**entries)
        assert self.source is not None
        if name == "fix" and isinstance(value, dict):
            return recipe.with_setting(str(value.get("name")), value.get("value"))
        if name == "role" and isinstance(value, dict) and value.get("role") in ROLES:
            column = str(value.get("column"))
            if column not in map(str, self.source.roles):
                raise InputError(f"role: there is no column {column[:60]!r}")
            return recipe.with_role(column, value["role"], self.source)
        rows = self.names_of(action.get("rows"))
        if name == "group":
            text = str(action.get("name") or "").strip()[:60] or f"group {len(recipe.groups) + 1}"
            return recipe.replace(groups=recipe.groups | {text: {text: rows}})
        if name == "only":
            return recipe.replace(only=rows).without(set(recipe.supplementary_rows) - set(rows))
        if name == "supplementary":
            listed = dict.fromkeys([*recipe.supplementary_rows, *rows])
            return recipe.replace(supplementary_rows=list(listed))
        raise InputError(f"action={name[:40]!r} is not known: reload the page")

    def names_of(self, rows: Any) -> list[str]:
        """Return the names of rows of the map, by their numbers."""
        study = self.current()
        index = [str(label) for label in study.subject.index]
        if not isinstance(rows, list) or not rows:
            raise InputError("rows: nothing is selected: draw around some points first")
        if not all(type(k) is int and 0 <= k < len(index) for k in rows):
            raise InputError("rows: they are not those of this map: select them again")
        return [index[k] for k in sorted(set(rows))]

    def current(self) -> Study:
        """Return the study of the screen."""
        if self.study is None:
            raise InputError("map: there is no fit yet: wait for the map")
        return self.study

    def _restart(self, confirm: bool = False) -> dict[str, Any]:
        """Start the fit of the recipe, unless one must be asked first, and describe it."""
        self._leave()
        self.revision += 1
        self._preview = None
        cost = self.cost()
        free = MEMORY_SHARE * available_memory()
        waits = (cost["seconds"] > LONG_FIT or cost["bytes"] > free) and not confirm
        if not waits:
            self._start(tests=False)
        return self.description() | {"estimate": cost, "waits": waits}

    def cost(self, tests: bool = False) -> dict[str, float]:
        """Return about what the fit of the recipe takes."""
        if self.source is None:
            shape, method = (1, 1), "pca"
        else:
            p = max(len(self.source.columns("active")), 1)
            shape, method = (len(self.source), p), self.recipe.method
            if self.source.kind != "table":
                method = method if method in _PAIRWISE else "classical-mds"
        return estimate(*shape, method, tests)

    # Jobs.

    def job(self, tests: bool) -> dict[str, Any]:
        """Return what a process needs for the recipe."""
        assert self.data is not None
        options = self.recipe.settings()
        if self.source is None:
            options = {name: options[name] for name in ("clusters", "seed")}
        data = self.data.content if self.source is None else self.source
        return {"data": data, "options": options, "tests": tests}

    def _start(self, tests: bool) -> None:
        worker, revision = self.workers.take(), self.revision
        cost = self.cost(tests)
        self._worker, self._is_stopped = worker, False
        self._is_short = cost["seconds"] < SHORT_JOB
        self.emit("started", revision=revision, tests=tests, estimate=cost)
        arguments = (worker, self.job(tests), revision, tests)
        Thread(target=self._run, args=arguments, daemon=True).start()

    def _run(self, worker: Worker, job: dict[str, Any], revision: int, tests: bool) -> None:
        """Run a job; its result counts only if no other recipe came meanwhile."""
        start = time.monotonic()
        study: Study | None = None
        error = ""
        try:
            study = worker.call(job)
        except Cancelled:
            self.workers.stop(worker)
        except InputError as refused:
            error = str(refused)
        with self.lock:
            if self._worker is worker:
                self._worker = None
            elif worker.is_alive:  # it was left to end by itself
                self._left -= 1
            self.workers.give(worker)
            if revision != self.revision or self._is_stopped:
                return
            seconds = round(time.monotonic() - start, 3)
            if study is None:
                text = error or texts(self.language, "app")["crashed"]
                self.emit("failed", revision=revision, tests=tests, text=text)
                return
            self.study = study
            self.emit(
                "tested" if tests else "exact",
                revision=revision,
                seconds=seconds,
                method=study.subject.method or study.fit.method_name,
                rows=study.subject.n,
            )
            if not tests and self.cost(tests=True)["seconds"] <= LONG_STUDY:
                self._start(tests=True)

    def test(self) -> None:
        """Start the tests of the screen."""
        with self.lock:
            self.current()
            if self._worker is None:
                self._start(tests=True)

    def _leave(self) -> None:
        """Give up the job that runs: a short one may end by itself, so that its process stays."""
        if self._worker is not None and self._left < MAX_LEFT and self._is_short:
            self._worker, self._left = None, self._left + 1
        else:
            self.stop()

    def stop(self, announce: bool = False) -> None:
        """Stop the job that runs, if any."""
        with self.lock:
            worker, self._worker, self._is_stopped = self._worker, None, True
        if worker is not None:
            self.workers.stop(worker)
            Thread(target=self.workers.warm, daemon=True).start()
            if announce:
                self.emit("stopped", revision=self.revision)

    # What a page shows.

    def description(self) -> dict[str, Any]:
        """Return the data, their columns and findings, and the recipe."""
        assert self.data is not None
        out: dict[str, Any] = {
            "revision": self.revision,
            "name": self.data.name,
            "recipe": self.recipe.to_json(),
            "undo": self.position > 0,
            "redo": self.position + 1 < len(self.history),
            "columns": [],
            "n_columns": 0,
            "findings": [],
            "kind": "fit",
        }
        source = self.source
        if source is None:
            return out
        out |= {"kind": source.kind, "rows": len(source), "n_columns": len(source.roles)}
        if source.table is not None:
            gaps = source.table.isna().sum()
            out["columns"] = [
                {
                    "name": str(name),
                    "role": role,
                    "number": source.table[name].dtype.kind in "iufb",
                    "missing": int(gaps[name]),
                }
                for name, role in list(source.roles.items())[:MAX_COLUMNS]
            ]
        out["findings"] = [self._finding(found) for found in gm.io.examine(source)]
        return out

    def _finding(self, found: Finding) -> dict[str, Any]:
        """Return a finding in words, with the buttons that change what was done about it."""
        setting, fixes = found.setting, []
        for value in (setting.values or ()) if setting is not None else ():
            assert setting is not None
            label = self._spell(setting.name, (value,)).strip("“”")
            fixes.append({"name": setting.name, "value": value, "label": label})
        text = Voice(self.language, self._spell).say(found.sentence)
        return {"kind": found.kind, "column": found.column, "text": text, "fixes": fixes}

    def _spell(self, name: str, values: tuple[Any, ...] | None) -> str:
        """Return the words of the button of a setting, as sentences name it."""
        words = texts(self.language, "app")
        value = values[0] if values else ""
        parts = value if isinstance(value, list) else [str(value)] if value != "" else []
        listed = ", ".join(str(part)[:40] for part in parts[:3]) + (" …" if len(parts) > 3 else "")
        key = next((k for k in (f"fix.{name}.{value}", f"fix.{name}") if k in words), "")
        label = words[key].format(value=listed) if key else f"{name}={listed}"
        return f"“{label.strip(' :=')}”"

    def preview(self, spec: Any) -> bytes:
        """Return the map of a kernel at once: float32 x and y of each row in turn."""
        study, recipe = self.current(), self.recipe.replace(kernel=spec)
        if recipe.kernel is None or recipe.method != "kernel-pca" or study.subject.kind != "table":
            raise InputError("preview: it is for kernel PCA of a table: choose that method")
        with self.lock:
            if self._preview is None:
                self._preview = gm.KernelPCA(2, random_state=0).preview(study.subject.X)
                self._preview.last = np.asarray(study.fit.coordinates_, dtype=float)[:, :2]
            quick = self._preview
        return quick(kernel_of(recipe.kernel)).astype("<f4").tobytes()

    def usual_scale(self) -> float | None:
        """Return the scale that the rule of the kernel gives these rows: the middle of a slider."""
        spec, study = self.recipe.kernel or {"name": "gaussian"}, self.current()
        if study.subject.method != "kernel-pca" or study.subject.kind != "table":
            return None
        if KERNELS[spec["name"]] != "scale":
            return None
        rows = np.asarray(study.subject.X, dtype=float)
        return float(kernel_of({"name": spec["name"]}).resolve(Points(rows)).scale)  # type: ignore[attr-defined]

    def selection(self, rows: Any) -> dict[str, Any]:
        """Return what is particular to rows of the map: v-tests, corrected for their number."""
        names, study = set(self.names_of(rows)), self.current()
        index = study.subject.index
        chosen = np.array([str(label) in names for label in index])
        table = study.subject.X if study.subject.everything is None else study.subject.everything
        out: dict[str, Any] = {"rows": int(chosen.sum()), "of": len(index), "tests": 0, "found": []}
        if chosen.all() or study.subject.kind in ("graphs", "sequences", "distances", "fit"):
            return out
        frame = table.loc[index]
        ignored = [] if self.source is None else self.source.columns("ignored")
        frame = frame.drop(columns=[name for name in ignored if name in frame])
        numbers = frame.select_dtypes("number").dropna(axis=1, how="all")
        levels = frame.select_dtypes(exclude="number").nunique()
        kept = levels.index[levels <= max(2, len(index) // 2)]
        tests = numbers.shape[1] + int(levels[kept].sum())
        if not tests:
            return out
        labels = np.where(chosen, "selected", "other")
        columns = frame[[*numbers.columns, *kept]]
        found = gm.clusters.describe(labels, columns, alpha=SELECTION_LEVEL / tests).classes
        found = found[found["class"] == "selected"]
        found = found.reindex(found["v_test"].abs().sort_values(ascending=False).index)
        keep = ["variable", "category", "v_test", "mean", "overall_mean"]
        keep += ["share_of_class", "overall_share"]
        records = [
            {name: _plain(row[name]) for name in keep}
            for row in found.head(MAX_FOUND).to_dict("records")
        ]
        return out | {"tests": tests, "found": records, "more": max(len(found) - MAX_FOUND, 0)}

    def reading(self, axes: tuple[int, int]) -> dict[str, Any]:
        """Return what is said and drawn beside the map: claims, variables, inertia, placed rows."""
        study = self.current()
        q = study.fit.n_components_
        if not 1 <= min(axes) <= max(axes) <= q:
            raise InputError(f"axes={axes} do not exist: the fit has {q}")
        claims = [
            {"text": c.say(self.language), "kind": c.kind, "axis": c.axis, "tested": c.tested}
            for c in study.claims
        ]
        positions = {id(c): k for k, c in enumerate(study.claims)}
        return {
            "revision": self.revision,
            "method": study.fit.method_name,
            "short": [positions[id(c)] for c in study.short if id(c) in positions],
            "claims": claims,
            "tested": study.tested or bool(study.claims),
            "cost": self.cost(tests=True),
            "shares": [float(x) for x in np.asarray(study.shares)[:12]],
            "above": study.q if study.tested else None,
            "variables": _variables(study, axes),
            "placed": _supplementary_points(study, axes),
            "usual_scale": self.usual_scale(),
            "n_axes": min(q, 6),
            "n_clusters": None if study.classes is None else int(study.classes.found.n_clusters),
            "warnings": list(study.fit_warnings),
        }


def _plain(value: Any) -> Any:
    """Return a cell as JSON has it: missing ones are null."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return None if value is None else clean(value)


def _variables(study: Study, axes: tuple[int, int]) -> dict[str, Any]:
    """Return the columns on two axes: correlations where there are any, else coordinates."""
    fit, method = study.fit, study.subject.method
    if method == "mca":
        table, measure = fit.categories(), "coordinate"
    elif fit.has_variables or method in ("ca", "famd", "mfa"):
        table = fit.variables()
        measure = "correlation" if method == "pca" else "coordinate"
    elif study.subject.kind == "table":
        table, measure = fit.variables(study.subject.X), "correlation"
    else:
        return {"measure": "", "points": [], "left_out": 0}
    if measure not in table:
        measure = "coordinate"
    xy = table[measure][list(axes)].to_numpy(dtype=float)
    long = np.argsort(-np.nan_to_num((xy**2).sum(axis=1)), kind="stable")[:MAX_ARROWS]
    names = [" = ".join(map(str, n)) if isinstance(n, tuple) else str(n) for n in table.index]
    known = [k for k in long if np.isfinite(xy[k]).all()]
    points = [{"name": clean(names[k]), "x": float(xy[k, 0]), "y": float(xy[k, 1])} for k in known]
    return {"measure": measure, "points": points, "left_out": len(xy) - len(points)}


def _supplementary_points(study: Study, axes: tuple[int, int]) -> list[dict[str, Any]]:
    """Return the supplementary rows on two axes."""
    rows = study.subject.placed
    if rows is None:
        return []
    Z = np.asarray(study.fit.transform(rows), dtype=float)
    i, j = axes[0] - 1, axes[1] - 1
    return [
        {"label": clean(name), "x": float(z[i]), "y": float(z[j]), "inside": None}
        for name, z in zip(rows.index, Z, strict=True)
    ]
