"""Reading an embedding: tables and rules, pure functions of a spectrum."""
