"""The numeric examples of the five source documents."""
