"""The stopview command and its Textual app."""
