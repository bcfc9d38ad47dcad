"""The records that fitted estimators hold, for whoever writes them to files and reads them back."""

from gramian.chunked.moments import Stream
from gramian.estimators.scaling.distances import Distance
from gramian.estimators.scaling.map import MapModel, Scaling
from gramian.estimators.several.combination import Combination

__all__ = ["Combination", "Distance", "MapModel", "Scaling", "Stream"]
