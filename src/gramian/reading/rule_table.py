"""The rules of the library, one record each, in the order in which they are asked."""

from __future__ import annotations

from functools import partial
from typing import Any

from gramian.reading.noise_rules import gavish_donoho, karlis, marchenko_pastur, minka
from gramian.reading.parallel import NullTable
from gramian.reading.parallel_analysis import analyse
from gramian.reading.prediction import CrossValidation, cells, predict_blocks, predict_cells
from gramian.reading.rule import Rule
from gramian.reading.spectrum_rules import broken_stick, cattell, elbow, kaiser, reach

_DRAWS = ("n_permutations", "alpha", "random_state")


def _cells(columns: NullTable, method: str, random_state: Any = None) -> CrossValidation:
    return predict_cells(cells(columns), method=method, random_state=random_state)


def _blocks(columns: NullTable, random_state: Any = None) -> CrossValidation:
    return predict_blocks(cells(columns), random_state=random_state)


def _in(en: str, fr: str) -> dict[str, str]:
    return {"en": en, "fr": fr}


TABLE = (
    Rule(
        "threshold",
        reach,
        options=("share",),
        votes=False,
        sentence=_in(
            "axes for 90 % of the inertia (a matter of taste: no vote)",
            "les axes pour 90 % de l’inertie (affaire de goût : ne vote pas)",
        ),
    ),
    Rule(
        "kaiser",
        kaiser,
        over="columns",
        sentence=_in(
            "eigenvalues above the average", "les valeurs propres au-dessus de la moyenne"
        ),
    ),
    Rule(
        "karlis",
        karlis,
        needs="shape",
        over="columns",
        sentence=_in(
            "eigenvalues above the average by more than chance",
            "celles qui la dépassent plus que par hasard",
        ),
    ),
    Rule(
        "elbow",
        elbow,
        sentence=_in(
            "where the curve is farthest from its chord",
            "là où la courbe est le plus loin de sa corde",
        ),
    ),
    Rule(
        "cattell",
        cattell,
        sentence=_in("where the scree begins", "là où commence l’éboulis"),
    ),
    Rule(
        "broken_stick",
        broken_stick,
        curve=_in("broken stick", "bâton brisé"),
        sentence=_in(
            "pieces larger than those of a stick broken at random",
            "plus que les morceaux d’un bâton brisé au hasard",
        ),
    ),
    Rule(
        "parallel",
        analyse,
        needs="columns",
        options=_DRAWS,
        curve=_in("shuffled columns", "colonnes mélangées"),
        sentence=_in(
            "larger than when columns are shuffled",
            "plus que lorsque les colonnes sont mélangées",
        ),
    ),
    Rule(
        "signflip",
        partial(analyse, null="signflip"),
        needs="signs",
        options=_DRAWS,
        pace="slow",
        sentence=_in(
            "larger than when signs are flipped", "plus que lorsque les signes sont retournés"
        ),
    ),
    Rule(
        "deflated",
        partial(analyse, method="deflated"),
        needs="components",
        options=_DRAWS,
        pace="slow",
        sentence=_in(
            "the same, axis by axis, without those already found",
            "de même, axe par axe, sans ceux déjà trouvés",
        ),
    ),
    Rule(
        "deterministic",
        partial(analyse, method="deterministic"),
        needs="components",
        options=_DRAWS,
        sentence=_in(
            "the same by a formula for normal noise",
            "de même, par une formule pour un bruit normal",
        ),
    ),
    Rule(
        "gavish_donoho",
        gavish_donoho,
        needs="shape",
        over="columns",
        sentence=_in("the threshold that denoises best", "le seuil qui débruite le mieux"),
    ),
    Rule(
        "marchenko_pastur",
        marchenko_pastur,
        needs="shape",
        over="columns",
        options=("alpha",),
        sentence=_in(
            "above the edge of the spectrum of noise", "au-dessus du bord du spectre du bruit"
        ),
    ),
    Rule(
        "minka",
        minka,
        needs="tall",
        over="columns",
        sentence=_in("the most probable model (Bayes)", "le modèle le plus probable (Bayes)"),
    ),
    Rule(
        "gcv",
        partial(_cells, method="gcv"),
        needs="cells",
        sentence=_in(
            "the best prediction (generalised cross-validation)",
            "la meilleure prédiction (validation croisée généralisée)",
        ),
    ),
    Rule(
        "smooth",
        partial(_cells, method="smooth"),
        needs="cells",
        sentence=_in(
            "the best prediction (smoothed cross-validation)",
            "la meilleure prédiction (validation croisée lissée)",
        ),
    ),
    Rule(
        "em",
        partial(_cells, method="em"),
        needs="cells",
        options=("random_state",),
        pace="on demand",
        sentence=_in(
            "the best prediction (cross-validation by EM)",
            "la meilleure prédiction (validation croisée par EM)",
        ),
    ),
    Rule(
        "bcv",
        _blocks,
        needs="cells",
        options=("random_state",),
        pace="slow",
        sentence=_in(
            "the best prediction (bi-cross-validation)",
            "la meilleure prédiction (bi-validation croisée)",
        ),
    ),
)
