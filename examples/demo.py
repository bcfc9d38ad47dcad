"""The demonstration: two shipped data sets, read, drawn and reported.

Run as `python -m examples.demo FOLDER`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gramian as gm

__all__ = ["main"]


def main(folder: str = "demo") -> list[Path]:
    """Analyse two data sets, print what was found, write figures and reports; return the paths."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    return [*_expression(target), *_rings(target)]


def _expression(target: Path) -> list[Path]:
    """A designed experiment of many genes: what separates the samples, and which genes."""
    d = gm.datasets.gene_expression()
    fit = gm.PCA(n_components=5, scale=True).fit(d.data)
    print(f"PCA of {d.name}: {d.data.shape[0]} samples, {d.data.shape[1]} genes\n")
    print(fit.summary())
    print("\nThe factors on the first two axes (eta² = share of the axis they explain):")
    eta2 = fit.categories(d.groups)["eta2"].groupby(level=0, sort=False).first()
    print(eta2.iloc[:, :2].round(3).to_string(), "\n")
    temperature = d.groups["temperature"]
    figures = {
        "expression_scree": gm.plots.scree(fit),
        "expression_individuals": gm.plots.individuals(fit, color=temperature),
        "expression_variables": gm.plots.variables(fit),
    }
    title = "Gene expression at two temperatures and two CO₂ levels"
    return [*_written(figures, target), _reported(d, target / "expression.html", title)]


def _rings(target: Path) -> list[Path]:
    """Two noisy rings: no line separates them, a kernel component does."""
    d = gm.datasets.rings(noise=0.2)
    group = d.groups.iloc[:, 0]
    print(f"PCA and kernel PCA of {d.name}: {d.data.shape[0]} points in the plane\n")
    figures = {}
    for name, fit in (
        ("pca", gm.PCA(n_components=2).fit(d.data)),
        ("kernel_pca", gm.KernelPCA(n_components=5).fit(d.data)),
    ):
        eta2 = fit.categories(d.groups)["eta2"].iloc[0]
        best = int(eta2.idxmax())
        print(f"{name}: the rings explain {100 * eta2.max():.0f} % of axis {best}, at best")
        axes = (best, 1 if best != 1 else 2)
        figures[f"rings_{name}"] = gm.plots.individuals(fit, axes=axes, color=group, labels=None)
    return [*_written(figures, target), _reported(d, target / "rings.html", "Two noisy rings")]


def _written(figures: dict[str, Any], target: Path) -> list[Path]:
    paths = []
    for name, figure in figures.items():
        path = target / f"{name}.png"
        figure.savefig(path, dpi=150)
        paths.append(path)
    return paths


def _reported(data: Any, path: Path, title: str) -> Path:
    return gm.report.write(data, path, title=title, force=True)


if __name__ == "__main__":
    written = main(*sys.argv[1:2])
    print("\nWritten:", *written, sep="\n  ")
    reports = [path.resolve().as_uri() for path in written if path.suffix == ".html"]
    print("\nOpen a report in a browser:", *reports, sep="\n  ")
