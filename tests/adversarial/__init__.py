"""Hostile inputs through every public entry: right, or refused in clear words, and nothing else.

`python -m tests.adversarial` runs every cell and writes the table of counts. An input is one
record in `inputs`, an entry one record in `entries`.
"""
