"""Sessions in a test: a script of edges, or a virtual subject, and from it rows, journal, states and pins.

``session = run_session("my_task.yaml", [poke(1.0, "left")])`` runs a session in memory and in virtual time.
"""

from rig.testing.harness import Opening, SessionHarness, Subject, TableRow
from rig.testing.moves import Move, at, enter, key, leave, peck, poke, request
from rig.testing.run import run_session

__all__ = [
    "Move",
    "Opening",
    "SessionHarness",
    "Subject",
    "TableRow",
    "at",
    "enter",
    "key",
    "leave",
    "peck",
    "poke",
    "request",
    "run_session",
]
