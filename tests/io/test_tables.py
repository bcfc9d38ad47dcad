"""Roles of columns, missing values, and what is told about the data."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian.errors import InputError

from .files import FRAME
from .test_delimited import keys, read

MIXED = """name,height,weight,sex,code,comment,day
a,1.5,10,f,3,x1,2020-01-01
b,2.5,11,m,1,x2,2020-01-02
c,3.5,9,f,2,x3,2020-01-03
d,4.0,12,m,4,x4,2020-01-04
e,4.5,13,m,5,x5,2020-01-05
f,5.5,14,f,6,x6,2020-01-06
"""


def test_roles_are_guessed():
    source = read(MIXED)
    assert source.columns("active") == ["height", "weight", "code"]
    assert source.columns("group") == ["sex"]
    assert source.columns("ignored") == ["comment", "day"]
    assert source.names == list("abcdef")


@pytest.mark.slow
def test_roles_are_set():
    source = read(MIXED, active=["height", "weight"], group="comment", ignore="sex")
    assert source.columns("active") == ["height", "weight"]
    assert source.columns("supplementary") == ["code"]
    assert source.columns("group") == ["comment"]
    assert "sex" in source.columns("ignored")
    also = read(MIXED, supplementary=["weight", "sex"])
    assert also.roles["weight"] == "supplementary" and also.roles["sex"] == "group"
    assert list(also.supplementary()) == ["weight"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"active": "sex"}, "active: column 'sex' holds"),
        ({"active": "heigth"}, "did you mean 'height'"),
        ({"active": "height", "ignore": "height"}, "is active already"),
        ({"row_names": 12}, "row_names=12"),
    ],
)
def test_roles_that_cannot_be_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        read(MIXED, **options)


def test_codes_called_a_class_are_a_group():
    text = "x,class\n" + "".join(f"{k}.5,{k % 3}\n" for k in range(12))
    source = read(text)
    assert source.roles == {"x": "active", "class": "group"}
    assert list(source.groups()["class"].cat.categories) == ["0", "1", "2"]


HOLES = "x,y,z\n1,2,3\n4,,6\n7,8,\n10,11,13\n"


def test_missing_values_are_told_with_the_choices():
    source = read(HOLES)
    assert "missing" in keys(source.warnings)
    assert all(word in source.warnings[0] for word in ("drop-rows", "drop-columns", "mean"))
    assert source.missing().to_dict() == {"y": 1, "z": 1}


@pytest.mark.slow
def test_missing_values_are_left_out_or_filled():
    X = np.array([[1, 2, 3], [4, np.nan, 6], [7, 8, np.nan], [10, 11, 13.0]])
    rows = read(HOLES, missing="drop-rows")
    assert rows.names == ["1", "4"] and rows.active().to_numpy().tolist() == X[[0, 3]].tolist()
    columns = read(HOLES, missing="drop-columns")
    assert columns.active().to_numpy().ravel().tolist() == X[:, 0].tolist()
    for how, centre in (("mean", np.nanmean), ("median", np.nanmedian)):
        filled = read(HOLES, missing=how)
        expected = np.where(np.isnan(X), centre(X, axis=0), X)
        assert filled.active().to_numpy().tolist() == expected.tolist()
        assert keys(filled.warnings) == [how]
    with pytest.raises(InputError, match="leaves 0 rows"):
        read("x,y\n1,\n,2\n", missing="drop-rows")


@pytest.mark.slow
def test_missing_values_are_filled_in_by_axes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 1)) * [1.0, 2.0, 3.0, 4.0] + 0.1 * rng.standard_normal((40, 4))
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame.iloc[3, 1] = frame.iloc[5, 2] = np.nan
    source = gm.io.as_source(frame, missing="iterative")
    assert keys(source.warnings) == ["iterative"] and "from 1 axis" in source.warnings[0]
    filled = source.active().to_numpy()
    assert abs(filled[3, 1] - X[3, 1]) < 0.5 and abs(filled[5, 2] - X[5, 2]) < 0.5
    frame.loc[:, "e"] = np.nan
    frame.iloc[7] = np.nan
    bare = gm.io.as_source(frame, missing="iterative", active=list("abcde"))
    assert len(bare) == 39 and bare.active().shape == (39, 4)
    with pytest.raises(InputError, match="leaves 4 rows and 1 active column"):
        gm.io.as_source(pd.DataFrame({"x": [1.0, 2.0, None, 4.0, 5.0]}), missing="iterative")


def test_the_source_itself_is_not_changed_by_complete():
    source = read(HOLES)
    source.complete("mean")
    assert source.missing().sum() == 2


def test_constant_infinite_and_repeated_values_are_told():
    source = read("x,flat,big\n1,5,2\n3,5,inf\n1,5,2\n")
    assert set(keys(source.warnings)) == {"constant", "infinite", "duplicate_rows"}
    assert "'flat'" in source.warnings[keys(source.warnings).index("constant")]


def test_rows_with_minus_zero_are_repeated_too():
    assert "duplicate_rows" in keys(read("x,y\n0,1\n-0,1\n2,3\n").warnings)


def test_names_of_rows_that_repeat_get_a_number():
    source = read(",x\na,1\na,2\nb,3\n")
    assert source.names == ["a", "a (2)", "b"] and "duplicate_names" in keys(source.warnings)


def listed(names, title="animal"):
    rows = [f"{name},{k},{k * k % 7}" for k, name in enumerate(names)]
    return "\n".join([f"{title},x,y", *rows]) + "\n"


@pytest.mark.slow
def test_one_name_that_repeats_takes_no_name_from_the_others():
    names = [f"rat {k}" for k in "abcdefghijk"]
    source = read(listed([*names, "rat a"]))
    assert source.names == [*names, "rat a (2)"] and list(source.table) == ["x", "y"]
    told = source.warnings[keys(source.warnings).index("duplicate_names")]
    assert "'rat a'" in told
    numbers = read(listed([*range(101, 112), 101], "id"))
    assert numbers.names[-1] == "101 (2)" and list(numbers.table) == ["x", "y"]


@pytest.mark.slow
def test_values_that_repeat_often_or_in_a_short_list_are_no_names():
    halves = read(listed([f"rat {k // 2}" for k in range(24)]))
    assert halves.names[0] == "1" and halves.roles["animal"] == "group"
    short = read(listed(["a", "b", "c", "a"]))
    assert short.names == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ignore": "zzz"}, "they are 'name', 'height', 'weight', 'sex', 'code' and 2 others"),
        ({"ignore": "heigth"}, "did you mean 'height'"),
        ({"active": "sex"}, "holds texts, not numbers"),
        ({"active": "day"}, "holds dates"),
        ({"supplementary": "height", "ignore": "height"}, "is supplementary already"),
    ],
)
def test_columns_that_do_not_fit_an_option_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        read(MIXED, **options)


def test_individuals_in_columns():
    source = read("gene,s1,s2,s3\ng1,1,2,3\ng2,4,5,6\n", transpose=True)
    assert source.names == ["s1", "s2", "s3"] and list(source.active()) == ["g1", "g2"]
    assert source.active().loc["s3", "g2"] == 6.0
    with pytest.raises(InputError, match="transpose: column 'b'"):
        read("a,b\n1,x\n2,y\n", transpose=True)


@pytest.mark.parametrize("kind", ["pandas", "polars", "array", "file"])
def test_a_source_from_what_one_has(kind):
    numbers = FRAME[["size", "mass"]]
    data = {
        "pandas": FRAME,
        "polars": pl.from_pandas(numbers),
        "array": numbers.to_numpy(),
        "file": io.StringIO(FRAME.to_csv()),
    }[kind]
    source = gm.io.as_source(data)
    assert source.active().to_numpy().tolist() == numbers.to_numpy().tolist()
    assert gm.io.as_source(source) is source
    with pytest.raises(InputError, match="too late"):
        gm.io.as_source(source, kind="table")


def test_a_frame_is_not_changed():
    before = FRAME.copy()
    gm.io.as_source(FRAME, missing="mean")
    pd.testing.assert_frame_equal(FRAME, before)


@pytest.mark.slow
@pytest.mark.parametrize("name", gm.datasets.names())
def test_data_sets_keep_their_roles(name):
    d = gm.datasets.load(name)
    source = gm.io.as_source(d)
    assert source.kind == d.kind and len(source) == len(d.data) and source.title == name
    if d.kind == "table":
        np.testing.assert_array_equal(source.active().to_numpy(), d.data.to_numpy(dtype=float))
        assert set(source.columns("group") + source.columns("supplementary")) == set(d.groups)


@pytest.mark.slow
def test_repr_tells_what_was_read():
    text = repr(read(MIXED))
    assert "6 rows" in text and "3 active" in text and "'sex'" in text


@pytest.mark.slow
def test_a_column_with_one_value_is_not_one_of_many():
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "unit": "cm", "note": list("abc"), "gone": None})
    told = {text.key: str(text) for text in gm.io.as_source(frame).warnings}
    assert "'unit', 'gone'" in told["one_value"] and "'note'" not in told["one_value"]
    assert "'note'" in told["ignored"] and "'unit'" not in told["ignored"]


@pytest.mark.slow
@pytest.mark.parametrize("title", ["", "gene_id", "Probe ID"])
def test_genes_in_rows_are_pointed_out(title):
    names = [f"ENSG{k:011d}" if not title else f"g{k}" for k in range(30)]
    table = pd.DataFrame(np.arange(120.0).reshape(30, 4) ** 1.5, columns=["s1", "s2", "s3", "s4"])
    table.insert(0, title, names)
    text = table.to_csv(index=False)
    (told,) = [w for w in read(text).warnings if w.key == "genes"]
    assert "transpose=True" in told and "4 columns" in told and "30 rows" in told
    turned = read(text, transpose=True)
    assert len(turned) == 4 and "genes" not in [w.key for w in turned.warnings]


@pytest.mark.slow
@pytest.mark.parametrize("name", gm.datasets.names())
def test_samples_in_rows_are_not_taken_for_genes(name):
    assert "genes" not in [w.key for w in gm.io.as_source(gm.datasets.load(name)).warnings]
