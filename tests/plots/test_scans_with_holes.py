"""Rows of a scan with missing values: figures advise what fit and transform do."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError

X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 4)), columns=list("abcd"))
FITS = {True: gm.PCA(3).fit(X), False: gm.PCA(3).fit(X.to_numpy())}  # of frames, or not


def blocks(*, frames):
    rows = X.mask(np.arange(240).reshape(60, 4) % 11 == 0)
    rows = rows if frames else rows.to_numpy()
    return gm.io.scan([rows[:40], rows[40:]])


@pytest.mark.slow
@pytest.mark.parametrize("frames", [True, False])
@pytest.mark.parametrize(
    "draw", [gm.plots.individuals, gm.plots.biplot, gm.plots.pairs, gm.plots.map3d]
)
def test_a_figure_of_a_scan_advises_complete(draw, frames):
    rows = blocks(frames=frames)
    with pytest.raises(InputError) as known:
        gm.PCA(2).fit(rows)
    remedy = str(known.value).rpartition("first: ")[2]
    assert "X.complete()" in remedy
    with pytest.raises(InputError, match=r"^a sample of the blocks: ") as refusal:
        draw(FITS[frames], X=rows)
    assert str(refusal.value).endswith(remedy)
    draw(FITS[frames], X=rows.complete())
