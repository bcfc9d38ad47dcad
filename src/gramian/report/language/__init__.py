"""The sentences of the report, one catalogue for each language, with the same keys."""

from gramian.report.language import en, fr

__all__ = ["CATALOGUES", "FIGURES"]

CATALOGUES = {"en": en.TEXTS, "fr": fr.TEXTS}
FIGURES: dict[str, tuple[tuple[str, str], ...]] = {"en": (), "fr": fr.FIGURES}
