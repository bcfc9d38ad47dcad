"""Files: what is read and written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.estimators import fitted
from tests.reliability.junk.good import FRAME, X
from tests.reliability.junk.networks import GENES, NETWORK

import gramian as gm

TEXT = "name,a,b\nr1,1,2\nr2,3,5\nr3,4,4\n"


def written(name: str, text: str | bytes) -> str:
    """Write a file beside the others and return its name."""
    if not Path(name).exists():
        Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def reads(path: Any = "table.csv", **options: Any) -> Any:
    written("table.csv", TEXT)
    return gm.io.read(path, **options)


READ = "kind format sep decimal thousands encoding header row_names na_values active supplementary "
READ += "group ignore sheet layer transpose missing title skip as_category as_number"
add("io.read", lambda source="table.csv", **options: reads(source, **options), "source " + READ)
function("io.as_source", READ, data=FRAME)
function("io.examine", READ, data=FRAME)
function(
    "io.scan",
    source=[X, X],
    columns=[0, 1],
    layer="X",
    memory="1MB",
    progress=False,
    checkpoint="point",
    na_values=[],
    header=None,
)
SCAN = gm.io.scan([X, X])
add("io.Scan.map", lambda function: list(SCAN.map(function)), function=np.sqrt)
add("io.Scan.take", lambda columns: SCAN.take(columns), columns=[0])
add("io.Scan.head", lambda n: SCAN.head(n), n=2)
add("io.Scan.collect", lambda memory: SCAN.collect(memory), memory="1MB")
add("io.Scan.along", lambda function: list(SCAN.along(function)), function=np.sqrt)
add("io.Scan.sample", SCAN.sample, n=3, random_state=0)
add("io.Scan.complete", SCAN.complete, how="mean")
add("io.Scan.write", SCAN.write, path="rows.npy", force=True)
SOURCE = gm.io.as_source(FRAME.assign(group=list("uvuvuvuv")))
add("io.Source.columns", SOURCE.columns, role="active")
add("io.Source.complete", SOURCE.complete, how="drop-rows")


def loads(path: Any, **options: Any) -> Any:
    gm.save(fitted("PCA"), "pca.gramian")
    return gm.load(path, **options)


class Cells:
    """What is needed of an AnnData object."""

    X, obs_names, var_names = FRAME.to_numpy(), FRAME.index, FRAME.columns
    obsm: dict[str, Any]

    def __init__(self) -> None:
        self.obsm, self.varm, self.uns, self.layers = {}, {}, {}, {}


add("io.write_anndata", gm.io.write_anndata, fitted=fitted("PCA"), adata=Cells(), key="pca")
for home in ("", "saving."):
    function(f"{home}save", fitted=fitted("PCA"), path="model.gramian", force=True)
    add(f"{home}load", loads, path="pca.gramian", device=None)


def network_file(reader: str) -> Callable[..., Any]:
    def call(path: Any, **options: Any) -> Any:
        gm.networks.write_edges(NETWORK, "edges.txt")
        gm.networks.write_graphml(NETWORK, "net.graphml")
        return getattr(gm.networks, reader)(path, **options)

    return call


add("networks.read_edges", network_file("read_edges"), path="edges.txt", separator=None)
add(
    "networks.read_graphml",
    network_file("read_graphml"),
    **{"path": "net.graphml", "weight": "weight", "name": "name"},
)
function("networks.write_edges", network=NETWORK, path="edges.txt")
function("networks.write_graphml", network=NETWORK, path="net.graphml")
MEANS = {"method": "auto", "metric": None, "scale": True, "clusters": None}
MEANS |= {"groups_from_names": False, "supplementary_rows": ()}
for name in ("study", "studies.study", "report.study"):
    function(name, data=FRAME, seed=0, title=None, kernel=None, **MEANS)
function(
    "report.write",
    **{"data": FRAME, "path": "page.html", "language": "en", "seed": 0, "force": True},
    **{"title": None, "kernel": None},
    **MEANS,
)
function(
    "report.replicates",
    **{"data": GENES.assign(group=["u", "v", "w"] * 4), "path": "page.html", "group": "group"},
    **{"samples": None, "genes": 3, "counts": None, "design": "per-condition", "agreement": 0.8},
    **{"language": "en", "seed": 0, "force": True, "title": None, "checkpoint": None},
    **{"progress": False},
)
