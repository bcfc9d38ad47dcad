import inspect

import numpy as np
import pandas as pd
import pytest

from gramian import datasets
from gramian.datasets.catalogue import ENTRIES


def test_every_maker_is_listed_and_exported():
    assert len(datasets.names()) == 14
    assert set(datasets.__all__) == {"Dataset", "load", "names", *datasets.names()}
    assert all(hasattr(datasets, name) for name in datasets.__all__)


@pytest.mark.parametrize("name", datasets.names())
def test_every_set_keeps_the_contract(name):
    record, again = datasets.load(name), getattr(datasets, name)()
    assert record.name == name
    assert record.data.equals(again.data) and record.data is not again.data
    assert all(pd.api.types.is_float_dtype(dtype) for dtype in record.data.dtypes)
    holes = 44 if name == "airquality" else 0
    assert (~np.isfinite(record.data.to_numpy())).sum() == holes == record.data.isna().sum().sum()
    assert record.data.index.is_unique and record.data.columns.is_unique
    assert all(isinstance(label, str) for label in [*record.data.index, *record.data.columns])
    assert record.groups.index.equals(record.data.index)
    assert isinstance(record.truth, dict)
    assert len(record.description) > 100 and "\n" not in record.description
    assert repr(record).startswith(f"Dataset '{name}'")
    assert "Examples" in inspect.getdoc(getattr(datasets, name))


@pytest.mark.parametrize("name", datasets.names())
def test_the_list_says_what_is_loaded(name):
    d, entry = datasets.load(name), ENTRIES[name]
    assert (entry.shape, entry.kind, entry.description) == (d.data.shape, d.kind, d.description)


def test_load_passes_options_on():
    assert datasets.load("triples", correlated=False, n=7).data.shape == (7, 3)


def test_unknown_names_are_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown data set 'irsi'; known: .*iris.*"):
        datasets.load("irsi")
