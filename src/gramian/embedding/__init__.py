"""From a spectrum to coordinates, by a Gram operator or by explicit features."""
