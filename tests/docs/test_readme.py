"""The README: its code runs as printed, its numbers were measured, its names are there."""

import re
import tomllib

import pytest
from tests.source import ROOT

import gramian as gm

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def rows():
    """Return the lines of the table of comparison: what is compared, and a cell each."""
    lines = [line for line in README.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in cells if len(row) == 6}


def numbers(text):
    return [float(word.replace(",", "")) for word in re.findall(r"\d[\d,.]*(?:e\+\d+)?", text)]


@pytest.mark.slow
def test_the_code_runs_and_is_short(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(block.strip().splitlines()) <= 5  # three lines after the import
    exec(block, {})
    assert (tmp_path / "wine.html").stat().st_size > 100_000


def test_it_is_one_screen():
    table = README.index("| kernel PCA |")
    assert README[:table].count("\n") < 30 and README.count("\n") < 80


@pytest.mark.parametrize(
    ("start", "file", "line"),
    [
        ("kernel PCA, 20,000", "kernel_pca.md", "| 20000 | gauss | float64, default"),
        ("classical MDS, 5,000", "mds.md", "| classical, 5,000 points"),
        ("MCA, 100,000", "factor.md", "| MCA, 100,000 × 50 questions, categories"),
    ],
)
def test_every_figure_was_measured(start, file, line):
    (cells,) = [cells for name, cells in rows().items() if name.startswith(start)]
    results = (ROOT / "benchmarks" / "results" / file).read_text(encoding="utf-8")
    (measured,) = [row for row in results.splitlines() if row.startswith(line)]
    known = numbers(measured[len(line) :])
    printed = [number for cell in cells for number in numbers(cell)]
    assert len(printed) >= 2 and all(number in known for number in printed)


def test_what_is_said_of_us_is_there():
    assert {row[0] for name, row in rows().items() if row[0] in ("yes", "no")} == {"yes"}
    for name in ("PCA", "KernelPCA", "CA", "MCA", "FAMD", "MFA", "ClassicalMDS", "MDS"):
        assert hasattr(gm, name)
    for reading in ("individuals", "variables", "summary", "inertia_ratio_"):
        assert hasattr(gm.KernelPCA, reading) or reading == "inertia_ratio_"
    assert gm.kernels.graph.WeisfeilerLehman and gm.kernels.sequence.Spectrum
    assert {"statis", "umkl"} <= {gm.MultiKernelPCA(combine=c).combine for c in ("statis", "umkl")}


def test_what_is_said_of_scikit_learn_is_so():
    from sklearn import decomposition, manifold

    assert not hasattr(decomposition.KernelPCA, "individuals")
    fit = decomposition.KernelPCA(2).fit(gm.datasets.iris().data)
    assert not any("ratio" in name for name in vars(fit))
    assert hasattr(manifold, "MDS") and hasattr(manifold, "ClassicalMDS")


def test_links_and_pictures_are_there():
    home = re.escape(PROJECT["urls"]["Source"].partition("://")[2].removeprefix("github.com/"))
    own = re.compile(rf"https://(?:github|raw\.githubusercontent)\.com/{home}/(?:blob/)?main/(.+)")
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert all(target.startswith("https://") or "factominer" in target for target in targets)
    named = [match[1] for target in targets if (match := own.fullmatch(target))]
    assert len(named) >= 10
    for target in named:  # absolute, so that a package index shows them
        assert (ROOT / target).exists(), target


def within(extra):
    """Return the extras that one brings, itself and those inside them."""
    own = [re.fullmatch(r"gramian\[(.*)\]", text) for text in EXTRAS[extra]]
    parts = [part for match in own if match for part in match[1].split(",")]
    return {extra}.union(*map(within, parts))


def test_extras_agree():
    own = set(EXTRAS) - {"all", "test", "dev", "docs"}
    assert own <= set(re.findall(r"`(\w+)`", README))
    assert own - within("all") == {"gpu"}  # as the README says


def test_the_citation_agrees():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cited = dict(re.findall(r"^([\w-]+): (.+)$", text, re.M))
    lists = re.findall(r"^  - (?:name: )?(.+)$", text, re.M)
    assert cited["version"] == gm.__version__
    assert cited["license"] == PROJECT["license"]
    assert lists == [*(author["name"] for author in PROJECT["authors"]), *PROJECT["keywords"]]
    assert cited["cff-version"] == "1.2.0" and cited["message"] and cited["title"]
