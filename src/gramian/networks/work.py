"""The work of a study, part by part; what is done may be kept in a file.

The file holds arrays and text only, and nothing of other data is taken from it.
"""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gramian._core.check import answer
from gramian._core.check import path as checked_path
from gramian._core.parallel import map_in_order
from gramian.errors import InputError
from gramian.io.content import file_bytes
from gramian.io.files import atomic_write, check_writable
from gramian.networks.finder import Finder, Similarity
from gramian.networks.resampling import (
    SHUFFLES,
    Unit,
    compare_experiments,
    experiment_p_values,
    separation_statistics,
    similarities_at_random,
    similarities_by_signs,
    trim_contrasts,
)

_SHUFFLES_PER_PART = 10
_EXPERIMENTS = 20  # tests of smaller experiments, at each size
_EXPERIMENTS_PER_PART = 4
_VERSION = 2
_SAVE_SECONDS = 5.0  # between two saves
_MAX_BYTES = 4_000_000_000  # unpacked


@dataclass(frozen=True, eq=False)
class Plan:
    """The data and what is to be computed of them."""

    values: np.ndarray
    codes: np.ndarray
    units: list[Unit]
    seen: list[int]  # sizes of which there are two disjoint experiments
    n_resamples: int
    n_permutations: int  # 0 for no test of conditions
    seed: int
    finder: Finder

    @property
    def experiments(self) -> list[int]:
        """The sizes of smaller experiments in which the test is repeated."""
        if self.n_permutations < SHUFFLES:
            return []
        largest = int(np.bincount(self.codes).min()) // 2
        return sorted({max(3, largest // 2), largest})

    def parts(self) -> list[tuple[str, int, int]]:
        """Return the name and the two numbers of every part of the work, in order."""
        units = range(len(self.units))
        parts = [(f"unit {c} {r}", c, r) for r in self.seen for c in units]
        parts += [(f"chance {c}", c, self.seen[-1]) for c in units]
        parts += [(f"signs {c}", c, self.seen[-1]) for c in units if self.units[c].few]
        if self.n_permutations:
            end, step = self.n_permutations + 1, _SHUFFLES_PER_PART
            parts += [(f"test {a}", a, min(a + step, end)) for a in range(0, end, step)]
        starts = range(0, _EXPERIMENTS, _EXPERIMENTS_PER_PART)
        return parts + [(f"power {r} {a}", r, a) for r in self.experiments for a in starts]


def work(
    plan: Plan,
    similarity: Similarity,
    done: Checkpoint,
    report: Callable[[int, int], None] | None,
) -> None:
    """Do the parts that are not done yet; each has random numbers of its own."""
    parts = plan.parts()
    left = [part for part in parts if part[0] not in done.parts]
    answers = map_in_order(_part, left, plan, similarity)
    for k, (name, _, _) in enumerate(parts):
        if name not in done.parts:
            done.store(name, next(answers))
        if report is not None:
            answer(report, "progress", k + 1, len(parts))


def _part(part: tuple[str, int, int], plan: Plan, similarity: Similarity) -> dict[str, np.ndarray]:
    """Return the arrays of one part of the work, by the first word of its name."""
    (name, a, b), tools = part, (plan.finder, similarity)
    kind = name.split()[0]

    def rng(*key: int) -> np.random.Generator:
        return np.random.default_rng([plan.seed, *key])

    if kind == "unit":  # the same orders at every size
        return compare_experiments(plan.units[a], b, plan.n_resamples, *tools, rng(1, a))
    if kind == "chance":
        return {"S": similarities_at_random(plan.units[a], b, *tools, rng(3, a))}
    if kind == "signs":
        S = similarities_by_signs(plan.units[a], b, plan.n_resamples, *tools, rng(1, a))
        return {"S": S}
    if kind == "test":  # shuffle number 0 leaves the samples where they are
        Z, codes = trim_contrasts(plan.values, plan.codes)
        shuffles = [(rng(2, k), k > 0) for k in range(a, b)]
        return {"T": separation_statistics(Z, codes, *tools, shuffles)}
    tests = a, _EXPERIMENTS_PER_PART, *tools, rng(4, a, b)
    return {"p": experiment_p_values(plan.values, plan.codes, *tests)}


class Checkpoint:
    """Parts of a long computation under their names; with a path, kept on disk."""

    def __init__(self, path: str | Path | None, digest: str) -> None:
        self.path, self.digest = path, digest
        self.parts: dict[str, dict[str, np.ndarray]] = {}
        self.saved = time.monotonic()
        if path is not None and checked_path(path, "checkpoint").exists():
            self._load(file_bytes(path))
        if path is not None:
            check_writable(path)

    def store(self, name: str, part: dict[str, np.ndarray]) -> None:
        """Keep a part, and save now and then."""
        self.parts[name] = part
        if self.path is not None and time.monotonic() - self.saved > _SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write all parts; the old file stays until the new one is complete."""
        if self.path is None:
            return
        head = json.dumps({"version": _VERSION, "digest": self.digest})
        arrays = {"head": np.frombuffer(head.encode(), dtype=np.uint8)}
        for name, part in self.parts.items():
            arrays |= {f"{name}|{key}": array for key, array in part.items()}
        with atomic_write(self.path, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        self.saved = time.monotonic()

    def _load(self, data: bytes) -> None:
        name = f"checkpoint={str(self.path)[-120:]!r}"
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(info.file_size for info in archive.infolist()) > _MAX_BYTES:
                    raise ValueError("it is too large")
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files}
            head = json.loads(arrays.pop("head").tobytes())
            version, digest = head["version"], head["digest"]
            for key, array in arrays.items():
                part, _, title = key.rpartition("|")
                self.parts.setdefault(part, {})[title] = array
        except Exception as error:  # a spoiled archive fails in a dozen ways
            raise InputError(f"{name} is not a checkpoint that can be read: remove it") from error
        if version != _VERSION or digest != self.digest:
            raise InputError(
                f"{name} belongs to other data or options: remove it, or give another path"
            )
