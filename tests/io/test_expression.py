"""Expression counts as programs write them, with the sheet of their samples."""

import io

import numpy as np
import pandas as pd
import pytest
from benchmarks.expression_designs import experiment

import gramian as gm
from gramian.errors import InputError

COUNTS, SHEET, ODD = experiment(1, n=8, p=60)
GENES = list(COUNTS.index)


def same(source):
    """Whether a source holds the counts, samples in rows."""
    X = source.table[GENES].astype(float)
    pd.testing.assert_frame_equal(X, COUNTS.T.astype(float), check_names=False)
    return source.content == "expression"


def write(frame, path, **options):
    frame.to_csv(path, sep="\t", **options)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True])
def test_a_sheet_tells_which_way_samples_lie(turned, tmp_path):
    path = write(COUNTS.T if turned else COUNTS, tmp_path / "counts.tsv")
    SHEET.to_csv(tmp_path / "sheet.csv", index=False)
    source = gm.io.read(path, samples=tmp_path / "sheet.csv")
    X = source.table[GENES].astype(float)
    pd.testing.assert_frame_equal(X, COUNTS.T.astype(float), check_names=False)
    assert source.columns("group") == ["condition", "batch"]
    assert source.columns("supplementary") == ["RIN"]
    known = SHEET.set_index("sample").loc[source.names]
    assert source.groups()["condition"].astype(str).tolist() == known["condition"].tolist()


@pytest.mark.slow
def test_the_output_of_featurecounts(tmp_path):
    frame = COUNTS.add_prefix("/data/aligned/").add_suffix(".sorted.bam")
    about = {"Chr": "1;1", "Start": "11;40", "End": "30;90", "Strand": "+;+", "Length": 70}
    for k, (name, value) in enumerate(about.items()):
        frame.insert(k, name, value)
    text = "# Program:featureCounts v2.0.1; Command:...\n"
    text += frame.rename_axis("Geneid").to_csv(sep="\t")
    source = gm.io.read(io.StringIO(text))
    assert same(source) and source.names == list(COUNTS)
    assert gm.io.read(io.StringIO(text), samples=SHEET).columns("group") == ["condition", "batch"]


@pytest.mark.slow
def test_files_of_salmon_and_star_in_a_folder(tmp_path):
    for name in COUNTS:
        folder = tmp_path / "salmon" / f"{name}_quant"
        folder.mkdir(parents=True)
        quant = pd.DataFrame({"Name": GENES, "Length": 9, "EffectiveLength": 7.5, "TPM": 1.0})
        write(quant.assign(NumReads=COUNTS[name].to_numpy()), folder / "quant.sf", index=False)
        (tmp_path / "star").mkdir(exist_ok=True)
        reads = pd.DataFrame({0: ["N_unmapped", *GENES], 1: [9, *COUNTS[name]], 2: 0, 3: 0})
        write(reads, tmp_path / "star" / f"{name}ReadsPerGene.out.tab", index=False, header=False)
    assert same(gm.io.read(str(tmp_path / "star")))
    assert same(gm.io.read(str(tmp_path / "salmon"), samples=SHEET))


@pytest.mark.slow
def test_a_sparse_matrix_in_a_folder(tmp_path):
    from scipy import sparse
    from scipy.io import mmwrite

    mmwrite(str(tmp_path / "matrix.mtx"), sparse.csr_matrix(COUNTS.to_numpy()))
    (tmp_path / "features.tsv").write_text("".join(f"{g}\t{g}\tGene\n" for g in GENES))
    (tmp_path / "barcodes.tsv").write_text("".join(f"{s}\n" for s in COUNTS))
    assert same(gm.io.read(str(tmp_path)))


@pytest.mark.slow
def test_a_row_of_the_file_may_hold_the_conditions():
    rows = pd.DataFrame([["dry"] * 4 + ["wet"] * 4], index=["growth"], columns=COUNTS.columns)
    text = pd.concat([rows, COUNTS.astype(object)]).rename_axis("gene").to_csv()
    source = gm.io.read(io.StringIO(text))
    assert source.names == list(COUNTS) and source.columns("group") == ["growth"]
    assert source.groups()["growth"].astype(str).tolist() == ["dry"] * 4 + ["wet"] * 4
    np.testing.assert_array_equal(source.table[GENES].astype(float), COUNTS.T)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: s.iloc[1:], "no row for"),
        (lambda s: pd.concat([s, s.iloc[:1]]), "two rows for"),
        (lambda s: s.assign(sample=[f"q{k}" for k in range(8)]), "no column of the sheet"),
    ],
)
def test_a_sheet_of_other_samples_is_refused(change, words):
    with pytest.raises(InputError, match=words):
        gm.io.as_source(COUNTS, samples=change(SHEET).reset_index(drop=True))


def test_log_counts_are_those_of_edger():
    """cpm(y, log = TRUE, prior.count = 0.5) of edgeR: the prior in proportion to the library."""
    X = np.array([[3.0, 0.0, 97.0], [40.0, 60.0, 900.0]])
    N = X.sum(axis=1)
    prior = 0.5 * N / N.mean()
    expected = np.log2((X + prior[:, None]) / (N + 2 * prior)[:, None] * 1e6)
    np.testing.assert_allclose(gm.io.log_counts(X, filtered=False), expected)
    with pytest.raises(InputError, match="no reads"):
        gm.io.log_counts(np.array([[0.0, 0.0], [1.0, 2.0]]))


@pytest.mark.slow
def test_condition_batch_and_outlier_are_named_and_library_size_is_no_axis():
    counts, sheet, odd = experiment(2, p=800)
    study = gm.study(counts, samples=sheet)
    text = " ".join(c.text for c in study.short)
    assert all(word in text for word in ("condition", "batch", odd))
    assert "library size" not in [c.subject for c in study.claims if c.kind == "tie" and c.axis]
    assert "RIN" not in study.subject.X and "library size" in study.subject.supplementary
