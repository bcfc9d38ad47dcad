"""How plotly figures are shown: kept apart from plotly itself, so that pages can use it too."""

from __future__ import annotations

from typing import Any


def plotly_config() -> dict[str, Any]:
    """Return the options for showing a plotly figure: no logo, and no button that uploads data.

    Examples
    --------
    >>> plotly_config()["showSendToCloud"]
    False
    """
    return {
        "displaylogo": False,
        "showSendToCloud": False,
        "plotlyServerURL": "",
        "typesetMath": False,
        "responsive": False,
    }
