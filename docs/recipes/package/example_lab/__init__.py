"""Experiments and devices of an example laboratory."""
