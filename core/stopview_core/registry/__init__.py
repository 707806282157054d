"""Reads the registry and the routing map, says what is wrong with them, and lists the codes."""
