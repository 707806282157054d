"""A text of a run, read in place: Markdown drawn safely, nothing opened, nothing run."""
