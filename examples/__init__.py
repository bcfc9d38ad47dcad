"""Programs to read and run."""
