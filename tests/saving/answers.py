"""What a model answers when it is asked everything."""

import re

import numpy as np
import pandas as pd


def of(model, new):
    """Return every answer of a model, by name."""
    reply = {"repr": re.sub(r" at 0x[0-9A-F]+", "", repr(model))}
    for key in sorted(k for k in vars(model) if k.endswith("_") and not k.startswith("_")):
        value = getattr(model, key)
        if isinstance(value, np.ndarray | float | int | str | list | pd.DataFrame | pd.Series):
            reply[key] = value
    for key in ("transform", "predict", "predict_proba"):
        if hasattr(model, key):
            reply[key] = plain(getattr(model, key)(new))
    if hasattr(model, "get_feature_names_out"):
        reply["names"] = list(model.get_feature_names_out())
    if hasattr(model, "individuals"):
        reply |= readings(model)
    if hasattr(model, "random_state") and hasattr(model, "_F"):
        reply["draw"] = draw(model.random_state)
    return reply


def readings(model):
    """Return the tables of a spectral estimator."""
    if model.training_.kind == "gone":
        return {"variables": model.variables()}
    reply = {"individuals": model.individuals(), "summary": str(model.summary())}
    n = len(model.coordinates_)
    index = model.training_.index
    half = pd.DataFrame({"half": (["x", "y"] * n)[:n], "size": np.arange(n) ** 1.5}, index=index)
    reply["categories"] = model.categories(half[["half"]])
    reply["describe"] = model.describe(half)
    reply["coordinates"] = plain(model.coordinates_)
    for key in ("shepard", "blocks", "partial"):
        if hasattr(model, key):
            reply[key] = getattr(model, key)()
    if hasattr(model, "components_"):
        reply["variables"] = model.variables()
    if hasattr(model, "inverse_transform") and hasattr(model, "components_"):
        reply["back"] = plain(model.inverse_transform(plain(model.coordinates_)[:2]))
    return reply


def draw(seed):
    if isinstance(seed, np.random.Generator):
        return np.random.Generator(seed.bit_generator).standard_normal(4)
    return seed.standard_normal(4) if isinstance(seed, np.random.RandomState) else None


def plain(a):
    a = a.toarray() if hasattr(a, "toarray") else a
    return a.numpy() if hasattr(a, "detach") else a


def same(reply, other):
    return first(reply, other) == ""


def first(reply, other):
    """Return the first answer that differs, or nothing."""
    if reply.keys() != other.keys():
        return f"{set(reply) ^ set(other)} are not in both"
    return next((key for key in other if not _same(reply[key], other[key])), "")


def _same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, pd.DataFrame | pd.Series):
        return a.equals(b) and a.index.equals(b.index)
    if isinstance(a, np.ndarray):
        floats = a.dtype.kind == "f"
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=floats)
    return a == b or (a != a and b != b)


def lost(reply, other):
    """Return an answer that is a number in the original and none here, or of another size."""
    for key, value in other.items():
        if key not in reply:
            return f"{key} is missing"
        mine, theirs = _numbers(reply[key]), _numbers(value)
        if mine is None or theirs is None:
            continue
        if mine.shape == theirs.shape and (np.isfinite(theirs) & ~np.isfinite(mine)).any():
            return f"{key} has numbers that are none"
        if mine.shape != theirs.shape and not np.isfinite(mine).all() and np.isfinite(theirs).all():
            return f"{key} has numbers that are none"
    return ""


def _numbers(value):
    if isinstance(value, pd.DataFrame):
        value = value.select_dtypes("number").to_numpy()
    if isinstance(value, float):
        return np.array([value])
    return value if isinstance(value, np.ndarray) and value.dtype.kind == "f" else None
