"""How often does `gm.networks.differential` link genes where two groups have one network?

    python benchmarks/differential_null.py [TABLES]

Tables of 12 + 12 samples of 30 genes, with one bad sample, heavy tails or skewed modules, at a
false discovery rate of 5 % with 50 permutations; seeds [table, 7]. Any link is false. The counts
are in benchmarks/results/differential_null.md.
"""

import sys

import numpy as np

import gramian as gm


def bad_sample(rng):
    """Return normal genes, and noise four times as large on the first sample."""
    X = rng.standard_normal((24, 30))
    X[0] += 4.0 * rng.standard_normal(30)
    return X


def heavy(rng):
    """Return samples of a multivariate t of 3 degrees of freedom."""
    return rng.standard_normal((24, 30)) / np.sqrt(rng.chisquare(3, (24, 1)) / 3)


def skewed(rng):
    """Return lognormal genes in three modules."""
    noise = rng.standard_normal((24, 30))
    return np.exp(0.6 * noise + 0.8 * np.repeat(rng.standard_normal((24, 3)), 10, axis=1))


DESIGNS = {
    "normal": lambda rng: rng.standard_normal((24, 30)),
    "one bad sample": bad_sample,
    "t3 samples": heavy,
    "lognormal, three modules": skewed,
}


def main(count: int) -> None:
    """Print the table."""
    labels = np.repeat(["a", "b"], 12)
    print("| design | tables | with false links, % |\n|---|---|---|")
    for name, make in DESIGNS.items():
        hits = 0
        for seed in range(count):
            X = make(np.random.default_rng([seed, 7]))
            hits += len(gm.networks.differential(X, labels, n_permutations=50, random_state=1)) > 0
        share = hits / count
        error = 100 * np.sqrt(share * (1 - share) / count)
        print(f"| {name} | {count} | {100 * share:.1f} ± {error:.1f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
