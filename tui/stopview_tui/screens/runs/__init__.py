"""The Runs mode: all runs, the last changed first."""
