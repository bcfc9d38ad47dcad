"""Do a table and its shuffled copy get the same answers, and is a series taken for a design?

    python benchmarks/ordered.py [TABLES]

Tables of known design go through `gm.study` as they are and with their rows shuffled; the last
columns count tables with an axis, a group or a cluster claimed. Of series and of imputed noise any
such claim is false; of a treatment of subjects, which do differ, that of the group "drug". It needs
NumPy, pandas and this package; the table is in docs/claims.md.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import pandas as pd

import gramian as gm
from benchmarks.claim_designs import autoregressive, frame

KINDS = ("axes", "group", "cluster", "curve")


def planted(codes, size, p=6, **columns):
    """Return a maker of groups that lie at random places."""

    def make(rng):
        means = sum(size * rng.standard_normal((c.max() + 1, p))[c] for c in codes)
        return frame(means + rng.standard_normal((len(codes[0]), p)), **columns)

    return make


def holes(rng):
    """Return normal noise, 15 % of it missing."""
    X = rng.standard_normal((60, 8))
    X[rng.random(X.shape) < 0.15] = np.nan
    return frame(X)


def season(rng):
    """Return columns with a season of their own and a memory."""
    t = np.arange(60)[:, None]
    wave = 1.5 * np.sin(2 * np.pi * (t / 12 + rng.random(6)))
    return frame(wave + autoregressive(rng, 60, 6, 0.5))


def with_blocks(rng):
    """Return a series and groups that are stretches of it."""
    return frame(autoregressive(rng, 40, 6, 0.5), plot=np.repeat(list("abcd"), 10))


def rising(rng):
    """Return five groups of four rows, whose means rise from one to the next."""
    codes = np.repeat(np.arange(5), 4)
    X = rng.standard_normal((20, 6)) + 3.0 * codes[:, None] * (np.arange(6) < 3)
    return frame(X, group=codes.astype(str))


def with_memory(rng):
    """Return three named runs, within which rows follow one another weakly."""
    means = 1.5 * rng.standard_normal((3, 6))[np.repeat([0, 1, 2], 40)]
    return frame(means + autoregressive(rng, 120, 6, 0.3), site=np.repeat(list("abc"), 40))


def dated(rng):
    """Return a series in a random order, with a column of dates."""
    dates = pd.date_range("2001-01-01", periods=60, freq="MS").strftime("%Y-%m-%d")
    return frame(autoregressive(rng, 60, 6, 0.9), date=dates).sample(frac=1, random_state=0)


def of_subjects(rng):
    """Return sixteen subjects of ten rows, and a treatment of subjects without an effect."""
    subjects = np.repeat(np.arange(16), 10)
    X = 2.0 * rng.standard_normal((16, 4))[subjects] + 0.5 * rng.standard_normal((160, 4))
    drug = np.array(["a", "b"])[rng.permutation(np.arange(16) % 2)[subjects]]
    return frame(X, subject=[f"s{k}" for k in subjects], drug=drug)


RUNS, TURNS = np.repeat([0, 1, 2], 20), np.arange(60) % 3
UNEQUAL = np.repeat([0, 1, 2], [30, 20, 10])
DESIGNS = {
    "three runs": (planted([RUNS], 3.0), {}),
    "runs of 30, 20, 10": (planted([UNEQUAL], 3.0), {}),
    "three groups in turns": (planted([TURNS], 3.0), {}),
    "runs crossed with turns": (planted([RUNS, TURNS], 3.0), {}),
    "weak groups, sorted, named": (planted([RUNS], 0.8, site=RUNS.astype(str)), {}),
    "two named factors": (
        planted([RUNS, TURNS], 1.5, site=RUNS.astype(str), dose=TURNS.astype(str)),
        {},
    ),
    "five small groups, rising": (rising, {}),
    "three sites, AR(0.3) within": (with_memory, {}),
}
NULLS = {
    "AR(0.4) 40 × 6": (lambda rng: frame(autoregressive(rng, 40, 6, 0.4)), {}),
    "AR(0.6) 60 × 8": (lambda rng: frame(autoregressive(rng, 60, 8, 0.6)), {}),
    "AR(0.9) 60 × 8": (lambda rng: frame(autoregressive(rng, 60, 8, 0.9)), {}),
    "random walks 60 × 8": (lambda rng: frame(rng.standard_normal((60, 8)).cumsum(axis=0)), {}),
    "AR(0.5) with four blocks": (with_blocks, {}),
    "seasons and AR(0.5)": (season, {}),
    "AR(0.9) with dates, shuffled": (dated, {}),
    "treatment of subjects": (of_subjects, {}),
    'noise, missing="mean"': (holes, {"missing": "mean"}),
    'noise, missing="iterative"': (holes, {"missing": "iterative"}),
}


def claimed(table: pd.DataFrame, seed: int, options: dict) -> list[bool]:
    """Return which kinds a test supports."""
    claims = gm.study(table, seed=seed, **options).claims
    found = {c.kind for c in claims if c.tested and c.subject != "subject"}
    return [kind in found for kind in KINDS]


def main(count: int) -> None:
    """Print both tables."""
    print(f"| design ({count} tables) | rows | {' | '.join(KINDS)} | any |\n|{'---|' * 7}")
    for name, (make, options) in {**DESIGNS, **NULLS}.items():
        for order in ("as stored", "shuffled")[: 2 if name in DESIGNS else 1]:
            out = []
            for seed in range(count):
                table = make(np.random.default_rng([seed, *name.encode()]))
                if order == "shuffled":
                    table = table.sample(frac=1, random_state=seed)
                out.append(claimed(table, seed, options))
            counts = np.sum(out, axis=0)
            some = int(np.any(out, axis=1).sum())
            print(f"| {name} | {order} | {' | '.join(map(str, counts))} | {some} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
