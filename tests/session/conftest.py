"""Fixtures of the command line, for what only a whole command shows."""

from tests.cli.conftest import child, data, rig, session

__all__ = ["child", "data", "rig", "session"]
