"""Reading a fit."""
