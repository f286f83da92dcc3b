"""Pellets and grain: what was filled in, less what was given."""
