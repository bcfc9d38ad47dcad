"""Draw docs/figures/kernel_pca.svg from results/kernel_pca.md: `python benchmarks/figure.py`."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
WANTED = ("float64, default", "float32, ")


def rows() -> list[tuple[str, str, float, float]]:
    """Return (label, precision, our seconds, their seconds) of the table of exact kernel PCA."""
    found = []
    for line in (HERE / "results" / "kernel_pca.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if (
            len(cells) == 10
            and cells[0].isdigit()
            and cells[2].startswith(WANTED)
            and cells[6] != "–"
        ):
            label = f"{int(cells[0]):,} {cells[1]}"
            found.append((label, cells[2].split(",")[0], float(cells[3]), float(cells[6])))
    return found


def main() -> None:
    """One panel a precision, two bars a data set, the ratio beside them."""
    mpl.rcParams["svg.hashsalt"] = "gramian"
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), constrained_layout=True)
    for ax, precision in zip(axes, ("float64", "float32"), strict=True):
        part = [row for row in rows() if row[1] == precision][::-1]
        for y, (_, _, ours, theirs) in enumerate(part):
            ax.barh(y + 0.19, theirs, 0.36, color="#b9bec7")
            ax.barh(y - 0.19, ours, 0.36, color="#1f6fb2")
            ax.text(theirs, y + 0.19, f" {theirs / ours:.1f}×", va="center", fontsize=8)
        ax.set_yticks(range(len(part)), [row[0] for row in part])
        ax.set_title(f"{precision}: seconds for the top 10 axes", fontsize=10, loc="left")
        ax.spines[["top", "right"]].set_visible(False)
        ax.margins(x=0.12)
    axes[0].legend(["scikit-learn (arpack)", "gramian"], frameon=False, fontsize=8)
    target = HERE.parent / "docs" / "figures" / "kernel_pca.svg"
    target.parent.mkdir(exist_ok=True)
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
