"""What each data set is, known before it is made, and the sets by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gramian.errors import InputError

if TYPE_CHECKING:
    from gramian.datasets._dataset import Dataset


def names() -> list[str]:
    """List the data sets that `load` knows.

    Returns
    -------
    list of str
        Worked examples first, then real tables, then the simulated experiments.

    Examples
    --------
    >>> from gramian.datasets import names
    >>> len(names())
    14
    """
    return list(ENTRIES)


def load(name: str, **options: Any) -> Dataset:
    """Make or load a data set by its name.

    Parameters
    ----------
    name : str
        One of `names`.
    **options
        Passed on to the function of that name.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from gramian.datasets import load
    >>> load("rings", n=50).data.shape
    (50, 2)
    """
    from gramian._core.check import short  # the list is there without NumPy

    if not isinstance(name, str) or name not in ENTRIES:
        raise InputError(f"unknown data set {short(name)}; known: {', '.join(ENTRIES)}")
    made: Dataset = getattr(import_module("gramian.datasets"), name)(**options)
    return made


@dataclass(frozen=True)
class Entry:
    """The size of a data set as it comes, and one paragraph on it."""

    shape: tuple[int, int]
    description: str
    kind: str = "table"


ENTRIES = {
    "example_matrix": Entry(
        (5, 5),
        "A five by five table of small whole numbers on which every step of a principal "
        "component analysis can be checked with pencil and paper: means, scatter matrix, axes, "
        "coordinates and the error left by one, two or three axes.",
    ),
    "triples": Entry(
        (30, 3),
        "Normal draws of three variables, either unrelated, where no plane is better than "
        "another, or with the first one leaning on the two others, where two axes keep nearly "
        "everything. The pair shows what a small reconstruction error means.",
    ),
    "circles": Entry(
        (90, 2),
        "Regularly spaced points on circles that share a centre. No line separates them, so "
        "linear axes mix the circles; a kernel that only looks at close neighbours pulls them "
        "apart along its first axes.",
    ),
    "rings": Entry(
        (300, 2),
        "Points around rings with so much noise that the rings overlap. A linear classifier "
        "guesses; one built on kernel principal components comes close to the best accuracy that "
        "the overlap allows, which is known.",
    ),
    "spheres": Entry(
        (300, 3),
        "Points near spheres, one inside the other. Seen along any straight direction the small "
        "sphere hides in the large one; a couple of kernel axes tell them apart.",
    ),
    "cities": Entry(
        (9, 9),
        "Miles by road between nine American cities. Multidimensional scaling draws their map "
        "from these numbers alone, up to a turn and a reflection, and the negative eigenvalues "
        "tell how far roads are from straight lines.",
        kind="distances",
    ),
    "iris": Entry(
        (150, 4),
        "Length and width of the sepals and petals of fifty irises from each of three species. "
        "One species stands apart, the two others touch: the oldest test of any method that "
        "draws groups.",
    ),
    "wine": Entry(
        (178, 13),
        "Thirteen measures of Italian wines (alcohol, acids, phenols, colour, proline …) made "
        "from three grape cultivars of one region. Proline varies by hundreds and most other "
        "columns by a few units, so the table shows what scaling does to an analysis.",
    ),
    "digits": Entry(
        (1797, 64),
        "Small grey images of the digits 0 to 9 written by several people, one column per pixel. "
        "Some border pixels are blank in every image, so a few columns are constant and cannot "
        "be scaled to unit variance.",
    ),
    "breast_cancer": Entry(
        (569, 30),
        "Ten properties of cell nuclei seen in needle samples of breast masses (radius, texture, "
        "concavity …), each summed up by its mean, its standard error and its worst values. Many "
        "columns say nearly the same, and the first axis of the scaled table goes a long way "
        "towards the diagnosis.",
    ),
    "diabetes": Entry(
        (442, 10),
        "Age, sex, body mass index, blood pressure and six blood serum measures of diabetes "
        "patients. How far the disease went a year later is a supplementary number, to be read "
        "on the axes or predicted from them.",
    ),
    "airquality": Entry(
        (153, 4),
        "Daily measures of the air in New York from May to September 1973. Ozone was not "
        "measured on a quarter of the days: leaving these days out loses a quarter of what is "
        "known of sun, wind and temperature too, and putting the mean in their place hides that "
        "ozone follows the temperature.",
    ),
    "gene_expression": Entry(
        (24, 3000),
        "A simulated experiment: plants grown at two temperatures and two levels of carbon "
        "dioxide, with replicates, and the log2 expression of a few thousand genes in each. Many "
        "genes answer to temperature, fewer and more weakly to carbon dioxide, and a few to the "
        "two together; some genes move together in modules. Which ones, and by how much, is "
        "known.",
    ),
    "replicated_expression": Entry(
        (48, 120),
        "A simulated experiment: the log2 expression of genes that move together in modules, in "
        "many control and many stressed plants. Some modules fall apart under stress and others "
        "form; some genes only change their level. How many replicates the network needs is "
        "known.",
    ),
}
