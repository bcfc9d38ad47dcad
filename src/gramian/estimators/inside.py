"""The records that fitted estimators hold, for whoever writes them to files and reads them back."""

from gramian.estimators._combination import Combination
from gramian.estimators._derived import derived
from gramian.estimators._distances import Distance
from gramian.estimators._holes import MISSING
from gramian.estimators._map import MapModel, Scaling
from gramian.estimators._stream import Stream

__all__ = ["MISSING", "Combination", "Distance", "MapModel", "Scaling", "Stream", "derived"]
