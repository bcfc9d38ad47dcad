"""The records that fitted estimators hold, for whoever writes them to files and reads them back."""

from gramian._core.chunked.moments import Stream
from gramian._estimators.scaling.distances import Distance
from gramian._estimators.scaling.map import MapModel, Scaling
from gramian._estimators.several.combination import Combination

__all__ = ["Combination", "Distance", "MapModel", "Scaling", "Stream"]
