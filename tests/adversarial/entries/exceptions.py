"""Which inputs mean something else to some entries, and what the signatures do not say."""

from __future__ import annotations

import re
from typing import Any

# Columns of booleans may be categories.
BOOLS = (
    "bool,objects: bools,a frame of bools,nullable boolean,arrow bools,polars bools,torch bool,"
    "csr bools"
)
# A missing value of a supplementary column leaves out its row.
MISSING = (
    "NaN inside,NaN first,NaN last,a row of NaN,NaN with a sign,NaN that signals,NaN in f2,"
    "NaN in f4,NaN in long double,NaN in a list,NaN in Fortran order,NaN in a view,"
    "NaN late in a long table,masked NaN,masked inside,a list of masked rows,objects: NaN,"
    "objects: Decimal NaN,objects: None,torch NaN,the strict standard: NaN,csr NaN"
)
# Vectors are eigenvalues.
AXIS = (
    "one axis,a list of numbers,a range,torch one axis,a Series,polars Series,an Index,arrow array,"
    "a sparse vector"
)
FRAMES = "pandas,polars,pyarrow"
# What is a category is no number, and what is missing may be one.
LEVELS = f"{FRAMES},number types,containers,not finite"
# Missing values are what an imputation is for; texts are categories.
IMPUTED = f"{FRAMES},number types,containers,{MISSING},all masked,a list with a masked cell"
MIXED = f"{LEVELS},torch NaN,torch inf f2,the strict standard: NaN"
# Schoenberg's transforms take numbers of any shape; what is conditionally negative definite may
# have a diagonal.
SHAPES = "asymmetric,asymmetric by 1e-4,upper triangle,not square,three axes,nothing,a number"
DIAGONAL = "a diagonal of ones,one entry on the diagonal,a correlation matrix"
# New rows against the old ones: a matrix that need not be symmetric, under names that a fit of an
# array does not know.
NEW = f"{SHAPES},{DIAGONAL},antisymmetric,a frame of other columns"
ORDER = "a frame in another order"
ANSWERS = "one class,NaN,inf,None among words,NA,NaN category,measurements"
SIGNS = "negative,all negative,add up to zero,all zero,negative zeros,a column of them,two axes"

# Derived entries, by patterns. Parameters that have the name of data and take something else,
# ignore what they are given, or are read by a function of the user.
NOT_DATA = r"""
    (?!KernelLogistic|PrincipalComponent)[A-Z]\w+\.\w+\[y\]
    (KernelL|PrincipalComponentC)\w+\.score\[y\]
    \w+\.neighbourhoods\[X\]  MFA\[groups\]  MFA\.\w+\[new\]  schoenberg\.\w+\[a\]
    validity\.is_\w+\[X\]  validity\.is_\w+\[\w+\]\[\w+\]  plots\.\w+\[labels\]  read\[.*
    kernels\.Precomputed.*\[[XY]\]  kernels\.(Callback|Function|Mapped)\b.*  io\.(read|scan)\b.*
    io\.\w+\[supplementary\]  .*from_edges\[.*  kernels\.graph\.Graph\[labels\]
    kernels\.graph\.as_graph\[G\]  networks\.ReplicateStudy.*  schoenberg\.compose.*
    networks\.prepare.*  preimage\.fixed_point.*  distances\.pairwise\[function\]\[Y\]
    (ClassicalMDS|MDS|KernelPCA|STATIS|DISTATIS|MultiKernelPCA)\.fit\.(describe|variables)\[X\]
    CA\.fit\.describe\[X\]  (FAMD|MFA)\.fit\.(partial_)?categories\[X\]
"""
# Other words that a refusal may name, by kind of input.
WORDS_OF = {
    "table": "X n_components n_neighbors scale missing",
    "graphs": "graphs graph node label labels weight edges",
    "sequences": "sequences sequence alphabet",
    "kernel": "X matrix kernel node weight graph",
    "distances": "X distances metric kernel n_components",
}
TAKES = {
    r"(MCA|FAMD|MFA)\b.*\[X\]": LEVELS,
    r"(missing|missing:).*\[X\]": f"{IMPUTED},a column of NaN,all NaN",
    r"(distances\.gower|kernels\.Gower|\w+\[gower\])": MIXED,
    r".*\[(table|everything)\]": f"{LEVELS},torch NaN,the strict standard: NaN,csr NaN",
    r"(io|report|studies)\.": MIXED,
    r"study\[": MIXED,
    r"schoenberg": f"{SHAPES},{DIAGONAL},a frame of other columns",
    r"validity\.is_cnd": f"{DIAGONAL},negative,all negative",
    r"MDS\[precomputed\]": "missing distances,NaN on the diagonal",
    r"DISTATIS\.(transform|individuals|reconstruction_error|partial)": NEW,
    r"rkhs\.Function\[coefficients\]": SIGNS,
    r"(kernels|selection)\.select\[y\]": "one class,measurements,complex,None",
    r"plots\.\w+\[color\]": f"{ANSWERS},masked,None,a word",
}
SKIPS = {
    r"(MCA|FAMD|MFA|missing|missing:|io|report|studies|study|kernels\.Gower)\b.*": BOOLS,
    r".*\[(table|everything)\]": BOOLS,
    r"dimension\.\w+\[source\]": AXIS,
    r"(schoenberg|DISTATIS)": ORDER,
}
# Shares of the inputs, where an entry is slow or one of many of a kind.
SHARES = {
    r"(report\.|studies\.)?study\[": 0.02,
    r"MDS\b": 0.1,
    r"\w+\.fit\.": 0.2,
    r"kernels\.": 0.25,
    r"(plots|missing|evidence|networks|stability|importance|io)": 0.2,
    r".*\.(summary|describe)\[table\]": 0.2,
}


def is_data(name: str, parameter: str) -> bool:
    """Whether an argument takes data, as its name says."""
    return not any(re.fullmatch(key, f"{name}[{parameter}]") for key in NOT_DATA.split())


def matching(table: dict[str, Any], name: str, parameter: str) -> list[Any]:
    """Return what is said of an entry."""
    return [value for key, value in table.items() if re.match(key, f"{name}[{parameter}]")]
