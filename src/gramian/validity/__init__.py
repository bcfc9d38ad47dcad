"""Is it a kernel? Is it a distance? Certificates, witnesses, and repairs with their price."""

from gramian.validity.checks import is_cnd, is_euclidean, is_psd
from gramian.validity.repairs import Repair, cailliez, clip, flip, lingoes, nearest_psd, shift
from gramian.validity.verdict import Verdict

__all__ = [
    "Repair",
    "Verdict",
    "cailliez",
    "clip",
    "flip",
    "is_cnd",
    "is_euclidean",
    "is_psd",
    "lingoes",
    "nearest_psd",
    "shift",
]
