"""Model files changed and signed anew: what a forger, or an unlucky program, could write."""

import copy
import json
from hashlib import sha256

import numpy as np
from safetensors.numpy import save as safetensors_bytes

ABOUT = {"format": "gramian", "schema": "1", "sha256": "0" * 64}


def signed(data):
    """Put the right digest into a changed file: the whole file's, zeros in its own place."""
    at = data.find(b'"sha256":"') + 10
    if at < 10 or len(data) < at + 64:
        return data
    blank = data[:at] + b"0" * 64 + data[at + 64 :]
    return blank[:at] + sha256(blank).hexdigest().encode() + blank[at + 64 :]


def file_of(manifest, tensors=None, about=None):
    """Return a signed file of a tree (or the text of one) and arrays."""
    text = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
    every = dict(tensors or {}) | {"manifest": np.frombuffer(text, dtype=np.uint8)}
    every = {name: np.ascontiguousarray(a) for name, a in every.items()}
    return signed(safetensors_bytes(every, ABOUT if about is None else about))


def parts_of(data):
    """Return the tree and the arrays of a file, by a reading of our own."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__")
    kinds = {"F64": "f8", "F32": "f4", "I64": "i8", "I32": "i4", "U64": "u8", "U32": "u4"}
    kinds |= {"I8": "i1", "U8": "u1", "BOOL": "?", "I16": "i2", "U16": "u2"}
    body, tensors = data[8 + size :], {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        a = np.frombuffer(body[begin:end], dtype=kinds[entry["dtype"]])
        tensors[name] = a.reshape(entry["shape"])
    return json.loads(tensors.pop("manifest").tobytes()), tensors


def paths(node, at=()):
    """Yield the way to every place of a tree."""
    yield at
    inside = node.items() if isinstance(node, dict) else ()
    inside = enumerate(node) if isinstance(node, list) else inside
    for key, value in inside:
        yield from paths(value, (*at, key))


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def changed(tree, path, value):
    """Return a tree with another value at a place."""
    if not path:
        return value
    out = copy.deepcopy(tree)
    at(out, path[:-1])[path[-1]] = value
    return out


def without(tree, path):
    """Return a tree with nothing at a place."""
    out = copy.deepcopy(tree)
    del at(out, path[:-1])[path[-1]]
    return out
