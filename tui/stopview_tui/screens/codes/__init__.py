"""The Codes mode: the merged registry with its routes and faults."""
