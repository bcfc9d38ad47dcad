"""Changes of a model file, each found again by its number."""

import json

import numpy as np

from .forge import at, changed, file_of, parts_of, paths, signed, without

ODD = [
    *(None, True, False, 0, 1, -1, 2, 3, 7, 625, 10**6, 10**12, -(10**12), 2**63, 10**40, 10**400),
    *(0.5, -1.5, 1e-320, 1e308, "", "x", "rows", "columns", "median", "precomputed", "é" * 50),
    *([], [1], [[]], {}, {"is": "float", "value": "nan"}, {"is": "float", "value": "inf"}),
    *({"is": "tuple", "items": []}, {"is": "dict", "pairs": []}, {"is": "same", "as": 0}),
    *({"is": "same", "as": 3}, {"is": "array", "name": "a0", "by": "rows"}),
    *({"is": "array", "name": "a1", "by": "columns"}, {"is": "bytes", "hex": "00"}),
    {"is": "object", "class": "kernels.Linear", "number": 900, "parts": {}},
    {"is": "range", "parts": [0, 3, 1], "names": [None]},
]
DTYPES = ["f8", "f4", "i8", "i4", "u8", "u1", "?", "i2"]


def mutation(everything, datas, seed, k):
    """Return the base, the kind, whether it is signed, and the bytes (None where none came)."""
    rng = np.random.default_rng([seed, k])
    base = everything[rng.integers(len(everything))]
    names = list(KINDS)
    kind = names[rng.choice(len(names), p=SHARES)]
    others = [datas[other.file] for other in everything]
    data, word, is_signed = KINDS[kind](rng, datas[base.file], others)
    if data is not None and data == datas[base.file]:
        data = None
    return base, f"{kind} {word}", is_signed, data


def _sometimes(rng, data):
    """Sign a file in three cases of four."""
    if rng.random() < 0.75:
        return signed(data), True
    return data, False


def flip(rng, data, others):
    out = bytearray(data)
    for place in rng.integers(len(out), size=rng.integers(1, 4)):
        out[place] ^= 1 << int(rng.integers(8))
    out, is_signed = _sometimes(rng, bytes(out))
    return out, "", is_signed


def cut(rng, data, others):
    a, b = sorted(rng.integers(len(data), size=2).tolist())
    out = [data[:a], data[a:], data[:a] + data[b:], data[:b] + data[a:], data + data[a:b]]
    out, is_signed = _sometimes(rng, out[rng.integers(len(out))])
    return out, "", is_signed


def splice(rng, data, others):
    other = others[rng.integers(len(others))]
    a, b = int(rng.integers(len(data))), int(rng.integers(len(other)))
    out, is_signed = _sometimes(rng, data[:a] + other[b:])
    return out, "", is_signed


def header(rng, data, others):
    """Change, drop or repeat an entry of the header."""
    size = int.from_bytes(data[:8], "little")
    entries = json.loads(data[8 : 8 + size])
    places = [place for place in paths(entries) if place and place != ("__metadata__", "sha256")]
    place = places[rng.integers(len(places))]
    if rng.random() < 0.3:
        entries = without(entries, place)
    else:
        entries = changed(entries, place, ODD[rng.integers(len(ODD))])
    text = json.dumps(entries, separators=(",", ":")).encode()
    if rng.random() < 0.2 and len(text) > 40:  # a member twice
        name = list(entries)[int(rng.integers(len(entries)))]
        twice = json.dumps({name: entries[name]}, separators=(",", ":")).encode()[1:-1]
        text = text[:-1] + b"," + twice + b"}"
    out, is_signed = _sometimes(rng, len(text).to_bytes(8, "little") + text + data[8 + size :])
    return out, str(place)[:60], is_signed


def drop(rng, data, others):
    """Take a place of the tree away."""
    tree, tensors = parts_of(data)
    places = [place for place in paths(tree) if place]
    place = places[rng.integers(len(places))]
    return file_of(without(tree, place), tensors), _shown(place), True


def retype(rng, data, others):
    """Put something of another type at a place of the tree."""
    tree, tensors = parts_of(data)
    places = list(paths(tree))
    place, value = places[rng.integers(len(places))], ODD[rng.integers(len(ODD))]
    word = f"{_shown(place)} := {str(value)[:30]}"
    return file_of(changed(tree, place, value), tensors), word, True


def nudge(rng, data, others):
    """Change a number or a text of the tree a little."""
    tree, tensors = parts_of(data)
    leaves = [place for place in paths(tree) if isinstance(at(tree, place), int | float | str)]
    place = leaves[rng.integers(len(leaves))]
    old = at(tree, place)
    if isinstance(old, bool):
        new = not old
    elif isinstance(old, str):
        new = [old + "x", old[:-1], old.upper(), old[::-1]][rng.integers(4)]
    else:
        new = [old + 1, old - 1, old * 2, -old, old * 1.5, 0][rng.integers(6)]
    word = f"{_shown(place)}: {str(old)[:20]} := {str(new)[:20]}"
    return file_of(changed(tree, place, new), tensors), word, True


def swap(rng, data, others):
    """Exchange two places of the tree, of one level or of any."""
    tree, tensors = parts_of(data)
    places = [place for place in paths(tree) if place]
    a = places[rng.integers(len(places))]
    beside = [b for b in places if b != a and b[:-1] == a[:-1]]
    pool = beside if beside and rng.random() < 0.6 else places
    b = pool[rng.integers(len(pool))]
    one, two = at(tree, a), at(tree, b)
    try:
        out = changed(changed(tree, a, two), b, one)
    except (LookupError, TypeError):  # one lies in the other
        return None, "", True
    return file_of(out, tensors), f"{_shown(a)} <> {_shown(b)}", True


def resize(rng, data, others):
    """Make a list of the tree longer or shorter."""
    tree, tensors = parts_of(data)
    lists = [place for place in paths(tree) if isinstance(at(tree, place), list)]
    place = lists[rng.integers(len(lists))]
    old = at(tree, place)
    new = [old[:-1], old[1:], old + old, [*old, None], old[::-1], old * 50][rng.integers(6)]
    return file_of(changed(tree, place, new), tensors), _shown(place), True


def graft(rng, data, others):
    """Put a part of another file's tree, with its arrays, into this one."""
    tree, tensors = parts_of(data)
    other, more = parts_of(others[rng.integers(len(others))])
    tensors = {f"b{name}": a for name, a in more.items()} | tensors
    branches = [place for place in paths(other) if place and isinstance(at(other, place), dict)]
    branch = json.dumps(at(other, branches[rng.integers(len(branches))]))
    branch = json.loads(branch.replace('"name": "a', '"name": "ba'))
    # Not in the place of the whole model: that would be the other file.
    mine = [p for p in paths(tree) if len(p) > 1 and isinstance(at(tree, p), dict)]
    place = mine[rng.integers(len(mine))]
    return file_of(changed(tree, place, branch), tensors), _shown(place), True


def _array(rng, data):
    tree, tensors = parts_of(data)
    names = sorted(tensors)
    name = names[rng.integers(len(names))]
    return tree, tensors, name, tensors[name]


def value(rng, data, others):
    """Change one number of an array: a lot, a little, or into none."""
    tree, tensors, name, a = _array(rng, data)
    if a.size == 0:
        return None, "", True
    out = a.copy()
    flat = out.reshape(-1)
    k = rng.integers(flat.size)
    if a.dtype.kind == "f":
        old = flat[k]
        flat[k] = [np.nan, np.inf, -np.inf, 0.0, -old, old * 2 + 1, old * 1.01, 1e300][
            rng.integers(8)
        ]
    elif a.dtype.kind == "b":
        flat[k] = not flat[k]
    else:
        info = np.iinfo(a.dtype)
        choice = [0, 1, info.max, info.min, int(flat[k]) ^ 1, int(flat[k]) ^ 64]
        flat[k] = choice[rng.integers(6)]
    return file_of(tree, tensors | {name: out}), f"{name} {old_of(tree, name)}", True


def old_of(tree, name):
    """Return where an array is used."""
    for place in paths(tree):
        node = at(tree, place)
        if isinstance(node, dict) and node.get("name") == name:
            return _shown(place)
    return ""


def shape(rng, data, others):
    """Give an array another shape or length."""
    tree, tensors, name, a = _array(rng, data)
    flat = a.reshape(-1)
    choices = [flat, flat[:-1], np.append(flat, flat[:1]), a[None], flat[:0], a.T]
    choices += [np.concatenate([a, a]) if a.ndim else flat, a[1:] if a.ndim else flat]
    out = choices[rng.integers(len(choices))]
    return file_of(tree, tensors | {name: out}), f"{name} {old_of(tree, name)}", True


def dtype(rng, data, others):
    """Give an array another type."""
    tree, tensors, name, a = _array(rng, data)
    kind = np.dtype(DTYPES[rng.integers(len(DTYPES))])
    with np.errstate(all="ignore"):
        out = a.astype(kind) if rng.random() < 0.7 or a.nbytes % kind.itemsize else None
        out = np.frombuffer(a.tobytes(), "u1").view(kind) if out is None else out
    if kind.kind == "b":
        out = out.astype(bool)
    return file_of(tree, tensors | {name: out}), f"{name} {kind} {old_of(tree, name)}", True


def arrays(rng, data, others):
    """Exchange two arrays, or use one in the place of another."""
    tree, tensors, name, a = _array(rng, data)
    alike = [n for n in tensors if n != name and tensors[n].shape == a.shape]
    pool = alike if alike and rng.random() < 0.7 else list(tensors)
    other = pool[rng.integers(len(pool))]
    out = tensors | {name: tensors[other]}
    if rng.random() < 0.6:
        out |= {other: a}
    return file_of(tree, out), f"{name} {other} {old_of(tree, name)}", True


def _shown(place):
    return "/".join(str(key) for key in place if key not in ("parts", "model"))[-90:]


# kind → (function, share in percent)
_WEIGHTED = {
    "bytes": (flip, 8),
    "cut": (cut, 5),
    "splice": (splice, 5),
    "header": (header, 7),
    "delete": (drop, 12),
    "retype": (retype, 14),
    "nudge": (nudge, 9),
    "swap": (swap, 9),
    "resize": (resize, 5),
    "graft": (graft, 6),
    "value": (value, 8),
    "shape": (shape, 4),
    "dtype": (dtype, 4),
    "arrays": (arrays, 4),
}
KINDS = {name: function for name, (function, _) in _WEIGHTED.items()}
SHARES = np.array([share for _, share in _WEIGHTED.values()]) / 100.0
