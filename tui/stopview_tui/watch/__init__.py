"""Keeps the picture of the runs true: events are hints, the scan is the truth."""
