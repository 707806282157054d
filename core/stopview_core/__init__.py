"""The pure core: reads runs and registries, resolves stops, records decisions."""
