"""The one catalogue of sentences, by what they are about."""

from __future__ import annotations

from gramian.language import (
    claims_axes,
    claims_data,
    claims_rows,
    doctor,
    errors,
    files,
    methods,
    networks,
    notes,
    nulls,
    page,
    reading,
    refusals,
    sections,
    tables,
    words,
)

__all__ = ["CATALOGUE", "LANGUAGES"]

LANGUAGES = ("en", "fr")
_PARTS = (
    words.SENTENCES,
    {f"note.{key}": texts for key, texts in notes.SENTENCES.items()},
    {f"note.{key}": texts for key, texts in doctor.SENTENCES.items()},
    {f"claim.{key}": texts for key, texts in claims_data.SENTENCES.items()},
    {f"claim.{key}": texts for key, texts in claims_axes.SENTENCES.items()},
    {f"claim.{key}": texts for key, texts in claims_rows.SENTENCES.items()},
    {f"error.{key}": texts for key, texts in errors.SENTENCES.items()},
    {f"error.{key}": texts for key, texts in files.SENTENCES.items()},
    {f"error.{key}": texts for key, texts in reading.SENTENCES.items()},
    {f"error.{key}": texts for key, texts in refusals.SENTENCES.items()},
    methods.SENTENCES,
    networks.SENTENCES,
    nulls.SENTENCES,
    page.SENTENCES,
    sections.SENTENCES,
    tables.SENTENCES,
)
# key → one text for each language; the keys of claims start with "claim."
CATALOGUE: dict[str, tuple[str, str]] = {k: v for part in _PARTS for k, v in part.items()}
