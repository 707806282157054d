"""What the tests of decisions share: runs to decide on, what a runtime does, and the checks."""
