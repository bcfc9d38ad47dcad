"""A report with a kernel of the reader's choice."""

import io
import re

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.report.code import code, kernel_code
from gramian.studies import study

pytestmark = pytest.mark.slow


IRIS = gm.datasets.iris().data.iloc[::5]


def test_a_table_is_compared_by_the_kernel_that_was_named():
    s = study(IRIS, kernel=gm.kernels.Matern(nu=1.5))
    Z = (IRIS - IRIS.mean()) / IRIS.std(ddof=0)
    truth = gm.KernelPCA(s.kernel_map.fit.n_components_, kernel=gm.kernels.Matern(nu=1.5)).fit(Z)
    np.testing.assert_allclose(s.kernel_map.fit.eigenvalues_, truth.eigenvalues_, rtol=1e-9)
    scope = {"data": IRIS}
    exec(code(s), scope)  # the code of the page gives the same numbers
    np.testing.assert_allclose(scope["kernel_fit"].eigenvalues_, truth.eigenvalues_, rtol=1e-9)


@pytest.mark.parametrize(("language", "words"), [("en", "the kernel"), ("fr", "à noyau")])
def test_the_page_names_it(tmp_path, language, words):
    page = gm.report.write(IRIS, tmp_path / "p.html", language=language, kernel="exponential")
    text = page.read_text(encoding="utf-8")
    assert re.search(rf"{words} Exponential\(scale=[\d.]{{3,6}}\)", text)


def test_sequences_are_compared_by_it():
    words = ["ACGTAC", "ACGACC", "GGTATT", "TTTACG", "CATCAT"]
    source = gm.io.read(io.StringIO("".join(f">s{k}\n{w}\n" for k, w in enumerate(words))))
    kernel = gm.kernels.sequence.Spectrum(k=2)
    s = study(source, kernel=kernel)
    truth = gm.KernelPCA(s.fit.n_components_, kernel=kernel).fit(words)
    np.testing.assert_allclose(s.fit.eigenvalues_, truth.eigenvalues_, rtol=1e-9)
    assert "Spectrum(k=2)" in code(s)


def test_distances_need_none():
    with pytest.raises(InputError, match="distances need none"):
        study(gm.datasets.cities(), kernel="gaussian")
    with pytest.raises(InputError, match="not a known name"):
        study(IRIS, kernel="nonsense")


@pytest.mark.parametrize(
    "kernel",
    [
        gm.kernels.Gaussian(2.0),
        0.5 * gm.kernels.Gaussian(2.0) + gm.kernels.Linear() ** 2,
        gm.kernels.Polynomial(2).normalized(),
        gm.kernels.sequence.Spectrum(k=2).normalized(),
    ],
    ids=repr,
)
def test_the_expression_makes_the_kernel_again(kernel):
    assert eval(kernel_code(kernel), {"gm": gm}) == kernel
