"""The file: safetensors whose header carries a digest of every other bit.

The digest is the SHA-256 of the file with 64 zeros in its own place. Arrays are tensors; the tree
that says what they are is JSON, in a tensor of bytes called "manifest". The header is written here,
always in one order, so that one model gives one file to the last bit.

JSON is read only after its size, its depth and its cost were looked at: `json` makes up to 24 bytes
of objects out of one byte of text ("[]," is a list), so that a file of a few megabytes could fill a
machine. What a text will cost is known from counts of its marks.
"""

import json
import math
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from gramian._core.check import path as checked_path
from gramian._core.parallel import budget_bytes, require_memory
from gramian.errors import InputError
from gramian.io.files import atomic_write

SCHEMA = 1
# What may be made of a file: so many times its size, and so many bytes more. Honest models stay
# far below (their arrays are made once), and no file of a few megabytes can fill a machine.
ALLOWED_RATIO = 4.0
ALLOWED_BYTES = 128e6
_FORMAT = "gramian"
_ZEROS = b"0" * 64
_DIGEST_KEY = b'"sha256":"'
_MAX_HEADER_BYTES = 100_000_000
_MAX_DIMENSIONS = 8
_SCHEMA_NUMBER = re.compile(r"[1-9][0-9]{0,5}")  # `isdigit` takes "²" too
_DTYPES = {
    name: np.dtype(f"<{name[0].lower()}{int(name[1:]) // 8}")
    for name in ("F64", "F32", "F16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8")
} | {"BOOL": np.dtype(bool)}
_DTYPE_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
MAX_DEPTH = 1_000  # lists and objects inside one another; a kernel of 200 terms has 400
_MAX_DIGITS = 1_300  # of a whole number
# Bytes that CPython takes for what a mark begins: a list, an object, half a text, another value.
_COSTS = {b"[": 88, b"{": 300, b'"': 32, b",": 40}
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1


def write(path: str | Path, manifest: Any, tensors: dict[str, np.ndarray]) -> None:
    """Write a model file aside, sync it, and put it in its place in one step."""
    text = json.dumps(manifest, allow_nan=False, separators=(",", ":")).encode("ascii")
    arrays = tensors | {"manifest": np.frombuffer(text, dtype=np.uint8)}
    # Wide numbers first: then every array is aligned.
    arrays = dict(sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize))
    head, at = _header_bytes(arrays)
    pieces = [np.ascontiguousarray(a).reshape(-1).view(np.uint8) for a in arrays.values()]
    digest = sha256(head)
    for piece in pieces:
        digest.update(piece.data)
    with atomic_write(checked_path(path), "wb") as file:
        file.write(head[:at] + digest.hexdigest().encode() + head[at + len(_ZEROS) :])
        for piece in pieces:
            file.write(piece.data)


def _header_bytes(arrays: dict[str, np.ndarray]) -> tuple[bytes, int]:
    """Return the start of a file, with zeros for its digest, and where that belongs."""
    about = {"format": _FORMAT, "schema": str(SCHEMA), "sha256": _ZEROS.decode()}
    header: dict[str, Any] = {"__metadata__": about}
    start = 0
    for name, a in arrays.items():
        place = [start, start := start + a.nbytes]
        kind = _DTYPE_NAMES[a.dtype]
        header[name] = {"dtype": kind, "shape": list(a.shape), "data_offsets": place}
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, 8 + _digest_place(text)


def _digest_place(header: bytes) -> int:
    at = header.find(_DIGEST_KEY)
    if at < 0 or header.count(_DIGEST_KEY) != 1:
        raise InputError("the model file has no digest: it was not written by gm.save")
    return at + len(_DIGEST_KEY)


def read(path: str | Path) -> tuple[Any, dict[str, np.ndarray], float]:
    """Return the manifest and the arrays of a model file, or say why it is refused.

    The last value is how many bytes may be made of them: see `ALLOWED_RATIO`.
    """
    source = checked_path(path)
    data = _bytes(source)
    allowance = ALLOWED_RATIO * len(data) + ALLOWED_BYTES
    text, header = _header(data, source, allowance)
    _check_digest(data, text, source)
    _check_schema(header["__metadata__"].get("schema"), source)
    try:
        tensors = views(header, memoryview(data)[8 + len(text) :])
        written = tensors.pop("manifest", np.empty(0)).tobytes()
        manifest = parse(written, allowance)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source} is damaged: {str(error)[:150]}") from error
    if not isinstance(manifest, dict) or "model" not in manifest:
        raise InputError(f"{source} is damaged: its manifest has no model")
    return manifest, tensors, allowance - cost(written)


def _bytes(source: Path) -> bytes:
    """Return what a file holds; a device or a pipe, which may never end, is not opened."""
    if "\0" in str(source) or (source.exists() and not source.is_file()):
        raise InputError(f"{str(source)[:200]!r} is not a regular file: give a model file")
    try:
        require_memory(
            2.0 * source.stat().st_size, budget_bytes(None), f"loading {source}", "free some"
        )
        return source.read_bytes()
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error.strerror}") from error


def _header(data: bytes, source: Path, allowance: float) -> tuple[bytes, dict[str, Any]]:
    """Return the header of a file that says it is ours, as it is written and as it is read."""
    size = int.from_bytes(data[:8], "little")
    text = data[8 : 8 + size] if 2 <= size <= min(len(data) - 8, _MAX_HEADER_BYTES) else b""
    try:
        header = parse(text, allowance)
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
    if not isinstance(schema, str) or not _SCHEMA_NUMBER.fullmatch(schema):
        raise InputError(f"{source} has no schema: it was not written by gm.save")
    if int(schema) > SCHEMA:
        raise InputError(
            f"{source} has schema {schema}, written by a newer Gramian; this one reads up to "
            f"{SCHEMA}: upgrade with pip install -U gramian"
        )


def _check_digest(data: bytes, header: bytes, source: Path) -> None:
    at = 8 + _digest_place(header)
    digest = sha256(memoryview(data)[:at])
    digest.update(_ZEROS)
    digest.update(memoryview(data)[at + len(_ZEROS) :])
    if digest.hexdigest().encode() != data[at : at + len(_ZEROS)]:
        raise InputError(
            f"{source} is damaged or cut off: its SHA-256 is not the one it was saved with; fit "
            "and save again, or take another copy"
        )


def views(header: dict[str, Any], body: memoryview) -> dict[str, np.ndarray]:
    """Return the arrays that a header describes, read-only and where they are.

    Places must follow one another without a gap, end with the file, and hold as many bytes as the
    shape needs: then no array is larger than what is really there, and none lies over another.
    """
    entries = {name: _entry(name, e) for name, e in header.items() if name != "__metadata__"}
    at, arrays = 0, {}
    for name, (dtype, shape, place) in sorted(entries.items(), key=lambda item: item[1][2]):
        start, stop = place
        if start != at or stop - start != math.prod(shape) * dtype.itemsize:
            raise InputError(f"array {name[:20]!r} is not where, or not as large as, it should be")
        raw = np.frombuffer(body[start:stop], dtype=np.uint8)
        if dtype.kind == "b" and raw.max(initial=0) > 1:
            raise InputError("it has a truth value that is neither true nor false")
        arrays[name] = raw.view(dtype).reshape(shape)
        at = stop
    if at != len(body):
        raise InputError(f"its arrays end at byte {at} of {len(body)}")
    return arrays


def _entry(name: str, entry: Any) -> tuple[np.dtype[Any], list[int], list[int]]:
    """Return type, shape and place of an array, each checked."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise InputError(f"array {name[:20]!r} is not described as safetensors are")
    kind, shape, place = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in _DTYPES:
        raise InputError(f"array {name[:20]!r} is of type {str(kind)[:20]}, which is not saved")
    if not _are_counts(shape) or len(shape) > _MAX_DIMENSIONS:
        raise InputError(f"array {name[:20]!r} has no shape")
    if not _are_counts(place) or len(place) != 2:
        raise InputError(f"array {name[:20]!r} has no place")
    return _DTYPES[kind], shape, place


def _are_counts(values: Any) -> bool:
    return isinstance(values, list) and all(type(v) is int and 0 <= v < 2**62 for v in values)


def cost(text: bytes) -> int:
    """Return about how many bytes the objects of a JSON text will take, from above."""
    return len(text) + sum(text.count(mark) * size for mark, size in _COSTS.items())


def parse(text: bytes, allowance: float) -> Any:
    """Return the values of a JSON text whose cost is within the allowance.

    Refused are what JSON itself does not know (NaN), numbers that no double holds, whole numbers of
    absurd length, and objects that name a part twice: other readers would take the other one.
    """
    if cost(text) > allowance:
        raise InputError(f"its tree would take {cost(text)} bytes of memory, too many for its size")
    if depth(text) > MAX_DEPTH:
        raise InputError(f"its tree is deeper than {MAX_DEPTH} levels")
    return json.loads(
        text.decode("utf-8"),
        parse_int=_whole,
        parse_float=_finite,
        parse_constant=_no_number,
        object_pairs_hook=_unique_keys,
    )


def depth(text: bytes) -> int:
    """Return how many lists and objects are open at once, at most."""
    marks = np.frombuffer(_STRING.sub(b"", text), dtype=np.uint8)
    return int(np.cumsum(_STEPS[marks], dtype=np.int64).max(initial=0))


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise InputError(f"it has a number of {len(digits)} digits")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits) if len(digits) <= _MAX_DIGITS else math.inf
    if math.isinf(value):
        raise InputError(f"it has the number {digits[:20]}, which no double holds")
    return value


def _no_number(word: str) -> Any:
    raise InputError(f"it has {word} where a number belongs")


def _unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise InputError("one of its parts is named twice")
    return values
