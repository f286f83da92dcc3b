"""Fixtures of the command line, for what only a whole command shows."""

from tests.cli.conftest import data, rig

__all__ = ["data", "rig"]
