"""docs/graphs.md, executed."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "graphs.md"


@pytest.mark.slow
def test_the_page_runs():
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(blocks) == 1
    fit = names["fit"]
    np.testing.assert_allclose(fit.transform(names["graphs"]), fit.coordinates_, atol=1e-12)
