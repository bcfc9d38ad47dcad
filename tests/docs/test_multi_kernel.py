"""docs/multi_kernel.md, executed."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "multi_kernel.md"


@pytest.mark.slow
def test_the_page_runs():
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(blocks) == 3
    fit = names["fit"]
    mean = sum(fit.kernel_weights_[name] * fit.partial()[name] for name in names["X"])
    np.testing.assert_allclose(mean, fit.coordinates_, atol=1e-12)
