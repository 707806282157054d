"""Measures stopview against floors taken in the same run: `make bench`."""
