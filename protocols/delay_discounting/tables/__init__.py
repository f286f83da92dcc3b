"""Lap files."""
