"""The rules of contracts 1.6, one module for each part of a branch that they look at."""
