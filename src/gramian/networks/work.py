"""The work of a study, part by part; what is done may be kept in a file.

The file holds arrays and text only, and nothing of other data is taken from it.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gramian._check import answer
from gramian._check import path as checked_path
from gramian.errors import InputError
from gramian.io.files import check_writable, replaced
from gramian.io.opening import file_bytes
from gramian.networks import separation
from gramian.networks.finder import Finder, Similarity
from gramian.networks.resampling import resampled

__all__ = ["Checkpoint", "Plan", "fingerprint", "work"]

_CHUNK = 10  # shuffles between two checkpoints
_VERSION = 1
_EVERY = 5.0  # seconds between two saves
_LARGEST = 4_000_000_000  # bytes, unpacked


@dataclass(frozen=True, eq=False)
class Plan:
    """The data and what is to be computed of them."""

    values: np.ndarray
    residuals: np.ndarray
    codes: np.ndarray
    sizes: list[int]
    n_resamples: int
    n_permutations: int
    seed: int
    n_conditions: int
    finder: Finder

    def parts(self) -> list[tuple[str, int, int]]:
        """Return the name and the two numbers of every part of the work, in order."""
        units = [(f"unit {c} {r}", c, r) for r in self.sizes for c in range(self.n_conditions)]
        if self.n_conditions < 2 or self.n_permutations == 0:
            return units
        starts = range(0, self.n_permutations + 1, _CHUNK)
        ends = [min(start + _CHUNK, self.n_permutations + 1) for start in starts]
        return units + [(f"test {a}", a, b) for a, b in zip(starts, ends, strict=True)]


def work(
    plan: Plan,
    similarity: Similarity,
    done: Checkpoint,
    report: Callable[[int, int], None] | None,
) -> None:
    """Do the parts that are not done yet; each has random numbers of its own."""
    parts = plan.parts()
    for k, (name, a, b) in enumerate(parts):
        if name not in done.parts:
            if name.startswith("unit"):
                rng = np.random.default_rng([plan.seed, 1, a, b])
                rows = plan.values[plan.codes == a]
                part = resampled(rows, b, plan.n_resamples, plan.finder, similarity, rng)
            else:
                part = {"T": _shuffles(plan, similarity, range(a, b))}
            done.store(name, part)
        if report is not None:
            answer(report, "progress", k + 1, len(parts))


def _shuffles(plan: Plan, similarity: Similarity, numbers: range) -> np.ndarray:
    """Return the statistics of some shuffles; number 0 leaves the samples where they are."""
    shuffles = [(np.random.default_rng([plan.seed, 2, k]), k > 0) for k in numbers]
    return separation.statistics(
        plan.residuals, plan.codes, plan.sizes, plan.finder, similarity, shuffles
    )


def fingerprint(X: np.ndarray, codes: np.ndarray, options: dict[str, Any]) -> str:
    """Return a digest of the data and of everything that changes the numbers."""
    digest = hashlib.sha256(json.dumps(options, sort_keys=True, default=repr).encode())
    for array in (X, codes):
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


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
        if self.path is not None and time.monotonic() - self.saved > _EVERY:
            self.save()

    def save(self) -> None:
        """Write all parts; the old file stays until the new one is complete."""
        if self.path is None:
            return
        head = json.dumps({"version": _VERSION, "digest": self.digest})
        arrays = {"head": np.frombuffer(head.encode(), dtype=np.uint8)}
        for name, part in self.parts.items():
            arrays |= {f"{name}|{key}": array for key, array in part.items()}
        with replaced(self.path, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        self.saved = time.monotonic()

    def _load(self, data: bytes) -> None:
        name = f"checkpoint={str(self.path)[-120:]!r}"
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(info.file_size for info in archive.infolist()) > _LARGEST:
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
