"""Sessions in tests: run a protocol with a script of edges or a virtual subject, then check rows, journal and pins.

Imports ``rig.session``, ``rig.boards.simulation`` and ``rig.records``; no simulator by name, no command line.
Begin at ``run_session("my_task.yaml", [poke(1.0, "left")])``, which runs in memory and in virtual time.
"""

from rig.testing.harness import Opening, SessionHarness, Subject, TableRow
from rig.testing.moves import Move, at, enter, hover, key, leave, peck, poke, request, set_value, signal
from rig.testing.run import run_session

__all__ = [
    "Move",
    "Opening",
    "SessionHarness",
    "Subject",
    "TableRow",
    "at",
    "enter",
    "hover",
    "key",
    "leave",
    "peck",
    "poke",
    "request",
    "run_session",
    "set_value",
    "signal",
]
