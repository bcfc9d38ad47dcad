"""Files: whole or not at all, of a reasonable size, and no network that is not one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from gramian._blocks import human
from gramian.errors import InputError
from gramian.io.files import replaced
from gramian.networks.network import Network

__all__ = ["build", "read_bytes", "written"]

_LARGEST = 1_000_000_000  # bytes


@contextmanager
def written(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file beside `path` that takes its place, synced, when all is written."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(replaced(path, mode))
        except OSError as error:
            raise InputError(
                f"path={str(path)[-200:]!r} cannot be written: {error.strerror}"
            ) from error
        yield file


def read_bytes(path: str | Path) -> bytes:
    """Return the contents of a file, or say why not."""
    try:
        size = Path(path).stat().st_size
        if size > _LARGEST:
            raise InputError(f"{path} has {human(size)}: files above {human(_LARGEST)} are refused")
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def build(
    path: Any,
    names: Sequence[Any],
    ends: Sequence[tuple[int, int]],
    weights: Sequence[float],
    columns: dict[str, Any] | None = None,
) -> Network:
    """Return the network of a file; refuse loops, repeated edges and weights that are none."""
    name = str(path)[-120:]
    if len(set(names)) < len(names):
        raise InputError(f"{name}: two nodes have the same name: give each its own")
    seen: set[tuple[int, int]] = set()
    for (i, j), w in zip(ends, weights, strict=True):
        pair = f"{str(names[i])[:40]!r} and {str(names[j])[:40]!r}"
        if i == j:
            raise InputError(f"{name}: node {str(names[i])[:40]!r} has a loop: remove it")
        if (min(i, j), max(i, j)) in seen:
            raise InputError(f"{name}: the edge between {pair} is there twice: keep one")
        if not math.isfinite(w) or w == 0:
            raise InputError(f"{name}: the weight between {pair} is {w}: it must be finite, not 0")
        seen.add((min(i, j), max(i, j)))
    return Network.from_edges(names, ends, weights, columns)
