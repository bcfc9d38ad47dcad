"""Figures of the gallery: those that an example draws, whether pyplot knows them or not.

The plots of the library return figures and register them nowhere, so that a scraper of pyplot's
figures would find none.
"""

from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst, matplotlib_scraper

from gramian.plots import drawing

_DRAWN: list[Figure] = []
_draw = drawing.draw


def _keep(*args: Any, **options: Any) -> Any:
    drawn = _draw(*args, **options)
    if isinstance(drawn, Figure) and drawn.canvas.manager is None:  # else pyplot knows it
        _DRAWN.append(drawn)
    return drawn


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figures that a block has drawn, and return their place on the page."""
    paths = []
    while _DRAWN:
        path = next(block_vars["image_path_iterator"])
        _DRAWN.pop(0).savefig(path, dpi=120)
        paths.append(path)
    rst = figure_rst(paths, gallery_conf["src_dir"]) if paths else ""
    return rst + matplotlib_scraper(block, block_vars, gallery_conf)


def _get_sg_image_scraper() -> Any:
    drawing.draw = _keep
    return scrape
