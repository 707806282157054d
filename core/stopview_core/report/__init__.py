"""The `--json` documents: models with published schemas, and their making from readings."""
