"""Files written by hand or by other libraries, for the readers to read."""

import io
import zipfile

import h5py
import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

FRAME = pd.DataFrame(
    {
        "size": [1.5, -2.25, 3.0, 4.125, 0.5],
        "mass": [10.0, 20.5, 0.1, -3.75, 1e-3],
        "colour": ["red", "blue", "red", "red", "blue"],
    },
    index=["a", "b", "c", "d", "e"],
)


def xlsx(rows, sheets=("data",), bomb=0):
    """Return a minimal workbook: every sheet holds the same rows of numbers and texts."""
    cells = []
    for i, row in enumerate(rows, 1):
        line = []
        for j, cell in enumerate(row):
            at = f"{chr(65 + j)}{i}"
            if isinstance(cell, str):
                line.append(f'<c r="{at}" t="inlineStr"><is><t>{cell}</t></is></c>')
            elif cell is not None:
                line.append(f'<c r="{at}"><v>{cell!r}</v></c>')
        cells.append(f'<row r="{i}">{"".join(line)}</row>')
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    sheet = f'{head}<worksheet xmlns="{main}"><sheetData>{"".join(cells)}</sheetData></worksheet>'
    listed = "".join(
        f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"/>' for k, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="rId{k}" Type="{office}/worksheet" Target="worksheets/sheet{k}.xml"/>'
        for k, _ in enumerate(sheets, 1)
    )
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for k, _ in enumerate(sheets, 1)
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'{head}<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName='
            '"/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
            f'spreadsheetml.sheet.main+xml"/>{kinds}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'{head}<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'{head}<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{listed}</sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'{head}<Relationships xmlns="{package}/relationships">{links}</Relationships>',
        )
        for k, _ in enumerate(sheets, 1):
            archive.writestr(f"xl/worksheets/sheet{k}.xml", sheet)
        if bomb:
            archive.writestr("xl/more.bin", b"\0" * bomb)
    return out.getvalue()


def frame_rows(frame):
    return [["", *frame.columns], *([label, *row] for label, row in frame.T.items())]


def h5ad(X, cells, genes, obs, layers=None):
    """Return an AnnData file by its written specification."""
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        _matrix(file, "X", X)
        for name, layer in (layers or {}).items():
            _matrix(file.require_group("layers"), name, layer)
        _frame(file, "obs", cells, obs)
        _frame(file, "var", genes, {})
    return out.getvalue()


def _matrix(where, name, X):
    if not sparse.issparse(X):
        where.create_dataset(name, data=X)
        return
    group = where.create_group(name)
    group.attrs["encoding-type"] = f"{X.format}_matrix"
    group.attrs["shape"] = X.shape
    for part in ("data", "indices", "indptr"):
        group.create_dataset(part, data=getattr(X, part))


def _frame(file, name, labels, columns):
    group = file.create_group(name)
    group.attrs["_index"] = "_index"
    text = h5py.string_dtype()
    group.create_dataset("_index", data=np.array(labels, dtype=object), dtype=text)
    for key, values in columns.items():
        if isinstance(values, pd.Categorical):
            coded = group.create_group(key)
            coded.create_dataset("codes", data=values.codes)
            levels = np.array(list(values.categories), dtype=object)
            coded.create_dataset("categories", data=levels, dtype=text)
        else:
            group.create_dataset(key, data=values)


def graphml(graph):
    out = io.BytesIO()
    nx.write_graphml(graph, out)
    return out.getvalue()


def one_of_each():
    """Return a good file of every format, as bytes with a name."""
    parquet, feather = io.BytesIO(), io.BytesIO()
    FRAME.to_parquet(parquet)
    FRAME.reset_index(names="name").to_feather(feather)
    X = np.arange(12.0).reshape(4, 3) ** 1.5
    cells, genes = list("wxyz"), ["g1", "g2", "g3"]
    triangle = nx.Graph([("u", "v"), ("v", "w"), ("u", "w")])
    nx.set_node_attributes(triangle, "C", "label")
    return {
        "a.csv": FRAME.to_csv().encode(),
        "a.parquet": parquet.getvalue(),
        "a.feather": feather.getvalue(),
        "a.xlsx": xlsx(frame_rows(FRAME)),
        "a.h5ad": h5ad(sparse.csr_array(X), cells, genes, {"n": np.arange(4.0)}),
        "a.gct": b"#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\ng1\t-\t1\t2\t3\ng2\t-\t4\t5\t7\n",
        "a.phy": b"3\nA\nB 1\nC 2 1.5\n",
        "a.graphml": graphml(triangle),
        "a.edgelist": b"u v 1.5\nv w 2\n",
        "a.fasta": b">one\nACGT\nAC\n>two\nGGGT\n",
    }
