"""The file: safetensors whose header carries a digest of every other bit (safetensors lives here).

The digest is the SHA-256 of the file with 64 zeros in its own place. Arrays are tensors; the tree
that says what they are is JSON, in a tensor of bytes called "manifest".
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from gramian._blocks import budget_bytes, require
from gramian._check import path as checked_path
from gramian.errors import InputError
from gramian.io.files import aside
from gramian.saving.manifest import cost, parsed
from gramian.saving.tensors import views

__all__ = ["ALLOWED", "SCHEMA", "SPARE", "read", "write"]

SCHEMA = 1
# What may be made of a file: so many times its size, and so many bytes more. Honest models stay
# far below (their arrays are made once), and no file of a few megabytes can fill a machine.
ALLOWED = 4.0
SPARE = 128e6
_FORMAT = "gramian"
_BLANK = b"0" * 64
_MARK = b'"sha256":"'
_MOST_HEADER = 100_000_000
_CHUNK = 1 << 22
_NUMBER = re.compile(r"[1-9][0-9]{0,5}")  # `isdigit` takes "²" too


def write(path: str | Path, manifest: Any, tensors: dict[str, np.ndarray]) -> None:
    """Write a model file: aside, synced, and put in its place in one step."""
    safetensors = _safetensors()
    text = json.dumps(manifest, allow_nan=False, separators=(",", ":")).encode("ascii")
    every = tensors | {"manifest": np.frombuffer(text, dtype=np.uint8)}
    about = {"format": _FORMAT, "schema": str(SCHEMA), "sha256": _BLANK.decode()}
    with aside(checked_path(path)) as name:
        try:
            safetensors.numpy.save_file(every, name, metadata=about)
        except safetensors.SafetensorError as error:
            raise OSError(f"{str(error)[:150]}") from error
        _sign(name)


def _safetensors() -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise InputError("saving needs safetensors: pip install 'gramian[io]'") from error
    return safetensors


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


def read(path: str | Path) -> tuple[Any, dict[str, np.ndarray], float]:
    """Return the manifest and the arrays of a model file, or say why it is refused.

    The last value is how many bytes may be made of them: see `ALLOWED`.
    """
    source = checked_path(path)
    data = _bytes(source)
    allowance = ALLOWED * len(data) + SPARE
    text, header = _header(data, source, allowance)
    _check_digest(data, text, source)
    _check_schema(header["__metadata__"].get("schema"), source)
    try:
        tensors = views(header, memoryview(data)[8 + len(text) :])
        written = tensors.pop("manifest", np.empty(0)).tobytes()
        manifest = parsed(written, allowance)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source} is damaged: {str(error)[:150]}") from error
    if not isinstance(manifest, dict) or "model" not in manifest:
        raise InputError(f"{source} is damaged: its manifest has no model")
    return manifest, tensors, allowance - cost(written)


def _bytes(source: Path) -> bytes:
    """Return what a file holds; a device or a pipe, which may never end, is not opened."""
    if "\0" in str(source) or (source.exists() and not source.is_file()):
        raise InputError(f"{str(source)[:200]!r} is no file: give the path of a model of gm.save")
    try:
        require(2.0 * source.stat().st_size, budget_bytes(None), f"loading {source}", "free some")
        return source.read_bytes()
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error.strerror}") from error


def _header(data: bytes, source: Path, allowance: float) -> tuple[bytes, dict[str, Any]]:
    """Return the header of a file that says it is ours, as it is written and as it is read."""
    size = int.from_bytes(data[:8], "little")
    text = data[8 : 8 + size] if 2 <= size <= min(len(data) - 8, _MOST_HEADER) else b""
    try:
        header = parsed(text, allowance)
        is_ours = header["__metadata__"]["format"] == _FORMAT
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
    return text, header


def _check_schema(schema: Any, source: Path) -> None:
    """Refuse what is no number of a schema, and one that is not known yet."""
    if not isinstance(schema, str) or not _NUMBER.fullmatch(schema):
        raise InputError(f"{source} has no schema: it was not written by gm.save")
    if int(schema) > SCHEMA:
        raise InputError(
            f"{source} has schema {schema}, written by a newer Gramian; this one reads up to "
            f"{SCHEMA}: upgrade with pip install -U gramian"
        )


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
