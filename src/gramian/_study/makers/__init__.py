"""Makers of claims, one file for each kind of evidence: records in, sentences out."""
