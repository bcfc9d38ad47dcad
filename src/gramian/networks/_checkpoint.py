"""Work done so far, in a file: arrays and text only, and nothing of other data is taken."""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from gramian.errors import InputError
from gramian.networks._files import read_bytes, written

__all__ = ["Checkpoint", "fingerprint"]

_VERSION = 1
_EVERY = 5.0  # seconds between two saves
_LARGEST = 4_000_000_000  # bytes, unpacked


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
        if path is not None and Path(path).exists():
            self._load(read_bytes(path))

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
        with written(self.path, "wb") as file:
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
        except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise InputError(f"{name} is not a checkpoint that can be read: remove it") from error
        if version != _VERSION or digest != self.digest:
            raise InputError(
                f"{name} belongs to other data or options: remove it, or give another path"
            )
