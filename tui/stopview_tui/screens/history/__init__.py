"""The History mode: what was done without a person, and by one."""
