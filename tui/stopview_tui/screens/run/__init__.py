"""One run: its mission, its chain of branches, and the branch under the cursor in full."""
