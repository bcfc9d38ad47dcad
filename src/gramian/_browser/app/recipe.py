"""The recipe of a screen: how the data are read and analysed, as JSON; and the state file.

Whatever comes from a browser or a state file passes through `Recipe.from_json`, which takes known
keys with values of the right type only. A recipe is changed by making another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from gramian._core.check import is_whole
from gramian.errors import InputError
from gramian.io.source import KINDS, MISSING, Source
from gramian.kernels import Kernel, as_kernel

MAX_TEXT = 10_000  # characters of a text
MAX_ITEMS = 2_000_000  # of a list
METHODS = ("auto", "pca", "ca", "mca", "famd", "classical-mds", "mds", "kernel-pca")
# Kernels on rows of numbers that the app offers, and the parameter that its slider moves.
_SCALED = ("gaussian", "exponential", "matern", "rational_quadratic", "laplacian")
KERNELS = dict.fromkeys(_SCALED, "scale") | {"polynomial": "degree", "linear": ""}
ROLES = {"active": "active", "supplementary": "supplementary", "group": "group"}
ROLES |= {"ignored": "ignore"}  # the option of `gramian.io.read` that gives a role
STATE_VERSION = 1
Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MAX_ITEMS and all(map(_is_text, value))


def _one_of(*choices: Any) -> Check:
    return lambda value: any(value is choice or value == choice for choice in choices)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_count(least: int, most: int) -> Check:
    return lambda value: is_whole(value) and least <= value <= most


def _is_positive(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 < value < 1e300


def _optional(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_groups(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _is_text(name) and isinstance(own, dict) and all(map(_is_texts, own.values()))
        for name, own in value.items()
    )


# Options of `gramian.io.read` that a page may set; none of them names a file.
READING: dict[str, Check] = {
    **dict.fromkeys(
        ("active", "supplementary", "group", "ignore", "as_category", "as_number", "na_values"),
        _is_texts,
    ),
    **dict.fromkeys(("sep", "decimal", "thousands", "encoding", "sheet", "layer"), _is_text),
    **dict.fromkeys(("header", "transpose"), _is_flag),
    "row_names": lambda value: _is_flag(value) or _is_text(value),
    "missing": _one_of(*MISSING),
    "kind": _one_of(*KINDS),
    "skip": _is_count(0, 10**6),
}
_KERNEL: dict[str, Check] = {
    "name": _one_of(*KERNELS),
    "scale": _optional(_is_positive),
    "degree": _optional(_is_count(1, 12)),
}


def check_entries(value: Any, schema: Mapping[str, Check], what: str) -> dict[str, Any]:
    """Return an object whose keys and values are those of a schema, or raise."""
    if not isinstance(value, dict):
        raise InputError(f"{what} must be an object: open a file that this app saved")
    for name, part in value.items():
        if name not in schema:
            raise InputError(f"{what} has the unknown entry {str(name)[:40]!r}: remove it")
        if not schema[name](part):
            raise InputError(f"{what}: {name}={repr(part)[:60]} has the wrong type: correct it")
    return value


@dataclass(frozen=True)
class Recipe:
    """All that a screen depends on, but for the data."""

    read: dict[str, Any] = field(default_factory=dict)
    method: str = "auto"
    scale: bool = True
    metric: str | None = None
    kernel: dict[str, Any] | None = None
    clusters: int | str | None = None
    groups: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    only: list[str] | None = None
    supplementary_rows: list[str] = field(default_factory=list)
    seed: int = 0

    @classmethod
    def from_json(cls, value: Any) -> Recipe:
        """Return a recipe from JSON, or raise where an entry is unknown or has a wrong type."""
        entries = check_entries(value, SCHEMA, "recipe")
        check_entries(entries.get("read", {}), READING, "recipe.read")
        if entries.get("kernel") is not None:
            check_entries(entries["kernel"], _KERNEL, "recipe.kernel")
        return cls(**entries)

    def to_json(self) -> dict[str, Any]:
        """Return the recipe as plain JSON."""
        return asdict(self)

    def replace(self, **entries: Any) -> Recipe:
        """Return the recipe with some entries replaced, checked."""
        return Recipe.from_json(self.to_json() | entries)

    def with_setting(self, name: str, value: Any) -> Recipe:
        """Return the recipe with one setting more: an option of the reading, or of the study."""
        if name not in READING:
            return self.replace(**{name: value})
        read = dict(self.read)
        if isinstance(value, list):
            read[name] = list(dict.fromkeys([*read.get(name, []), *map(str, value)]))
        else:
            read[name] = value
        return self.replace(read=read)

    def with_role(self, column: str, role: str, source: Source) -> Recipe:
        """Return the recipe in which a column has a role."""
        read = {name: value for name, value in self.read.items() if name not in ROLES.values()}
        roles = {str(name): own for name, own in source.roles.items()} | {column: role}
        for own, option in ROLES.items():
            names = self.read.get(option, [])
            listed = [name for name in names if name != column] + [column] * (own == role)
            if own == "active" and (names or role == "active"):  # it lists all that are
                listed = [name for name, each in roles.items() if each == "active"]
            if listed:
                read[option] = listed
        if role == "group" and not _is_categories(source, column):
            read["as_category"] = list(dict.fromkeys([*read.get("as_category", []), column]))
        return self.replace(read=read)

    def prepare(self, source: Source) -> Source:
        """Return the rows and groups of this recipe of a source that was read."""
        for column, levels in self.groups.items():
            source = source.with_group(column, levels)
        return source if self.only is None else source.take(self.only)

    def settings(self) -> dict[str, Any]:
        """Return the options of `gramian.study` that concern the method."""
        own: dict[str, Any] = {"method": self.method, "seed": self.seed, "scale": self.scale}
        if self.method in ("classical-mds", "mds"):
            own["metric"] = self.metric
        if self.method in ("ca", "mca", "famd"):
            own["scale"] = True
        if self.kernel is not None and self.method == "kernel-pca":
            own["kernel"] = kernel_of(self.kernel)
        if self.supplementary_rows:
            own["supplementary_rows"] = self.supplementary_rows
        return own | {"clusters": self.clusters}

    def without(self, rows: set[str]) -> Recipe:
        """Return the recipe without names of rows that are not there."""
        kept = [name for name in self.supplementary_rows if name not in rows]
        return replace(self, supplementary_rows=kept)


SCHEMA: dict[str, Check] = {
    "read": lambda value: isinstance(value, dict),
    "method": _one_of(*METHODS),
    "scale": _is_flag,
    "metric": _optional(_is_text),
    "kernel": _optional(lambda value: isinstance(value, dict)),
    "clusters": _optional(lambda value: value == "auto" or _is_count(2, 1000)(value)),
    "groups": _is_groups,
    "only": _optional(_is_texts),
    "supplementary_rows": _is_texts,
    "seed": _is_count(0, 2**32 - 1),
}
STATE: dict[str, Check] = {
    "gramian": _is_text,
    "state": _one_of(STATE_VERSION),
    "name": _is_text,
    "dataset": _optional(_is_text),
    "sha256": _is_text,
    "file": _optional(lambda value: isinstance(value, str)),
    "recipe": lambda value: isinstance(value, dict),
    "selected": _is_texts,
    "view": lambda value: isinstance(value, dict),
}
VIEW: dict[str, Check] = {
    "axes": lambda value: (
        isinstance(value, list) and len(value) == 2 and all(map(_is_count(1, 100), value))
    ),
    "colour": _optional(_is_text),
}


def _is_categories(source: Source, column: str) -> bool:
    """Whether a column holds texts."""
    if source.table is None or column not in source.table:
        return True
    return source.table[column].dtype.kind not in "iufb"


def kernel_of(spec: Mapping[str, Any]) -> Kernel:
    """Return the kernel of a recipe; without a scale, that of the rule of its class."""
    kernel = as_kernel(str(spec["name"]))
    moved = KERNELS[str(spec["name"])]
    if moved and spec.get(moved) is not None:
        kernel = type(kernel)(**kernel.get_params(deep=False) | {moved: spec[moved]})
    return kernel
