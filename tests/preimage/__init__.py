"""Tests of pre-images."""
