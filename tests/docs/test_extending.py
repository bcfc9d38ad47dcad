"""The recipes of docs/extending.md work as they stand, and keep the contracts they name."""

import doctest
import inspect
import re
from functools import partial
from pathlib import Path
from unittest import mock

import pytest
import torch
from tests.contracts.kernel import CONTRACTS
from tests.contracts.operator import GramContract
from tests.contracts.plot import PlotContract
from tests.contracts.registry import borrowed

import gramian as gm
from gramian._core.spectral.solve import SOLVERS
from gramian._reading.rules import RULES
from gramian.io import FORMATS
from gramian.plots.drawing import PLOTS

pytestmark = pytest.mark.slow


PAGE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"


@pytest.fixture(scope="module")
def page():
    """The names defined by all blocks of the page, run from top to bottom."""
    scope = {"__name__": "extending"}
    text = PAGE.read_text(encoding="utf-8")
    with (
        borrowed(),
        mock.patch.dict(RULES),
        mock.patch.dict(FORMATS),
        mock.patch.dict(PLOTS),
        mock.patch.dict(SOLVERS),
    ):
        for block in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
            line = text[: block.start()].count("\n") + 1
            code = "\n" * line + block[1]  # so that an error shows the line of the page
            exec(compile(code, str(PAGE), "exec"), scope)
        yield scope


def test_every_block_runs(page):
    names = {"Cauchy", "Intersection", "DiskGram", "solve_arpack", "halving", "concentration"}
    assert names | {"ledger"} <= set(page)


@pytest.mark.parametrize("name", ["Cauchy", "Intersection", "concentration"])
def test_examples_in_docstrings(page, name):
    cases = doctest.DocTestFinder(recurse=False).find(page[name], name, module=False, globs=page)
    results = [doctest.DocTestRunner(verbose=False).run(case) for case in cases]
    assert sum(result.attempted for result in results) >= 1
    assert sum(result.failed for result in results) == 0


def promises(contract):
    return [name for name in dir(contract) if name.startswith("test_")]


@pytest.mark.parametrize(
    ("contract", "name"), [(c, name) for c in CONTRACTS for name in promises(c)]
)
def test_the_kernel_of_the_recipe_keeps_the_contract(page, contract, name, monkeypatch, tmp_path):
    method = getattr(contract(), name)
    given = {"row": page["row"], "monkeypatch": monkeypatch, "tmp_path": tmp_path}
    given |= {"shape": (30, 4), "dtype": torch.float64}
    method(**{key: given[key] for key in inspect.signature(method).parameters})


@pytest.mark.parametrize("name", promises(GramContract))
def test_the_operator_of_the_recipe_keeps_the_contract(page, name):
    contract = page["TestDiskGram"]
    assert issubclass(contract, GramContract)
    # The functions behind the fixtures: pytest calls those of a class that it collects alone.
    case, beside = (getattr(contract, f).__wrapped__(contract()) for f in ("case", "beside"))
    atol = 1e-12 * abs(case[1]).max()
    given = {"case": case, "beside": beside, "tolerance": {"rtol": 0, "atol": atol}}
    method = getattr(GramContract(), name)
    method(**{key: given[key] for key in inspect.signature(method).parameters})


@pytest.mark.parametrize("name", promises(PlotContract))
def test_the_plot_of_the_recipe_keeps_the_contract(page, name):
    assert issubclass(page["TestConcentration"], PlotContract)
    getattr(PlotContract(), name)(partial(draw_concentration, page["iris"]))


def draw_concentration(fitted, backend):
    return gm.plots.concentration(fitted, backend=backend)


def test_links_between_the_pages_lead_somewhere():
    root = PAGE.parents[1]
    for path in [root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_no_block_of_the_page_is_in_another_language():
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```") == 2 * text.count("```python\n")
