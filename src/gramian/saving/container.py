"""The file: safetensors whose header carries a digest of every other bit (safetensors lives here).

The digest is the SHA-256 of the file with 64 zeros in its own place. Arrays are tensors; the tree
that says what they are is JSON, in a tensor of bytes called "manifest".
"""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from gramian._blocks import budget_bytes, require
from gramian._check import path as checked_path
from gramian.errors import InputError
from gramian.io.files import aside

__all__ = ["SCHEMA", "read", "write"]

SCHEMA = 1
_FORMAT = "gramian"
_BLANK = b"0" * 64
_MARK = b'"sha256":"'
_MOST_HEADER = 100_000_000
_CHUNK = 1 << 22


def write(path: str | Path, manifest: Any, tensors: dict[str, np.ndarray]) -> None:
    """Write a model file: aside, synced, and put in its place in one step."""
    safetensors = _safetensors()
    text = json.dumps(manifest, allow_nan=False, separators=(",", ":")).encode("ascii")
    every = tensors | {"manifest": np.frombuffer(text, dtype=np.uint8)}
    about = {"format": _FORMAT, "schema": str(SCHEMA), "sha256": _BLANK.decode()}
    target = checked_path(path)
    try:
        with aside(target) as name:
            safetensors.numpy.save_file(every, name, metadata=about)
            _sign(name)
    except (OSError, safetensors.SafetensorError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{target} cannot be written: {reason[:200]}") from error
    _sync_folder(target.parent)


def _safetensors() -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise InputError("saving needs safetensors: pip install 'gramian[io]'") from error
    return safetensors


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sign(path: str) -> None:
    """Put the digest in its place and wait until all is on the disk."""
    with open(path, "r+b") as file:
        size = int.from_bytes(file.read(8), "little")
        at = 8 + _place(file.read(size))
        file.seek(0)
        digest = sha256()
        while piece := file.read(_CHUNK):
            digest.update(piece)
        file.seek(at)
        file.write(digest.hexdigest().encode())
        file.flush()
        os.fsync(file.fileno())


def _place(header: bytes) -> int:
    at = header.find(_MARK)
    if at < 0 or header.count(_MARK) != 1:
        raise InputError("the model file has no digest: it was not written by gm.save")
    return at + len(_MARK)


def read(path: str | Path) -> tuple[Any, dict[str, np.ndarray]]:
    """Return the manifest and the arrays of a model file, or say why it is refused."""
    safetensors = _safetensors()
    source = checked_path(path)
    try:
        require(2.0 * source.stat().st_size, budget_bytes(None), f"loading {source}", "free some")
        data = source.read_bytes()
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error.strerror}") from error
    header = _header(data, source)
    _check_digest(data, header, source)
    schema = json.loads(header)["__metadata__"].get("schema", "")
    if not schema.isdigit() or int(schema) > SCHEMA:
        raise InputError(
            f"{source} has schema {schema[:20]}, written by a newer Gramian; this one reads up to "
            f"{SCHEMA}: upgrade with pip install -U gramian"
        )
    try:
        tensors = safetensors.numpy.load(data)
        manifest = json.loads(tensors.pop("manifest").tobytes())
    except (safetensors.SafetensorError, LookupError, ValueError, RecursionError) as error:
        raise InputError(f"{source} is damaged: {str(error)[:150]}") from error
    return manifest, tensors


def _header(data: bytes, source: Path) -> bytes:
    """Return the header of a file that says it is ours."""
    size = int.from_bytes(data[:8], "little")
    header = data[8 : 8 + size] if 2 <= size <= min(len(data) - 8, _MOST_HEADER) else b""
    try:
        about = json.loads(header)["__metadata__"]
        is_ours = about["format"] == _FORMAT
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if data[:1] == b"\x80" or data[:4] == b"PK\x03\x04":
            raise InputError(
                f"{source} is a pickle or an archive, not a model of gm.save: it is not opened, "
                "because that could run code"
            ) from error
        raise InputError(
            f"{source} is not a model file, or it is damaged or cut off: fit and save again"
        ) from error
    if not is_ours:
        raise InputError(f"{source} is a safetensors file, but not one of gm.save")
    return header


def _check_digest(data: bytes, header: bytes, source: Path) -> None:
    at = 8 + _place(header)
    digest = sha256(memoryview(data)[:at])
    digest.update(_BLANK)
    digest.update(memoryview(data)[at + len(_BLANK) :])
    if digest.hexdigest().encode() != data[at : at + len(_BLANK)]:
        raise InputError(
            f"{source} is damaged or cut off: its SHA-256 is not the one it was saved with; fit "
            "and save again, or take another copy"
        )
