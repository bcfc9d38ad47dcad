"""The study behind a report: an analysis, its tests, the claims they allow, and their words."""
