"""The core: arrays, validation, operators, features, solvers, embeddings, data in chunks."""
