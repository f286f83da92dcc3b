"""How a session ended: a fault, a crash, rewards and orders that the board never confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from rig.core.journal.header import Footer
from rig.expectations.finding import Finding, Severity
from rig.expectations.rule import Rule

_FAILED = {"fault": "a fault ended the session", "panic": "the panic button ended the session"}


class Ending(Rule[Footer]):
    """The last footer of a journal, which counts; a session without one has crashed or still runs."""

    name = "ending"
    kinds = (Footer,)

    def __init__(self) -> None:
        self._footer: Footer | None = None

    def take(self, line: Footer) -> Iterator[Finding]:
        """Read a footer, which finds nothing before the end."""
        self._footer = line
        return iter(())

    def end(self, t_us: int) -> Iterator[Finding]:
        """Yield what the last footer shows."""
        line = self._footer
        if line is None:
            yield self.found(t_us, "the session has no end: run `rig recover` first", severity=Severity.BAD)
            return
        if line.reason in _FAILED:
            detail = f": {line.detail}" if line.detail else ""
            yield self.found(t_us, f"{_FAILED[line.reason]}{detail}", severity=Severity.BAD)
        elif line.reason == "crash":
            yield self.found(t_us, "the program crashed; lines may be missing at the end", severity=Severity.BAD)
        elif not line.complete:
            yield self.found(t_us, "the board did not answer at the end: look at its cable and its power")
        if damaged := line.damaged:
            yield self.found(t_us, f"{damaged} lines of the journal are damaged", severity=Severity.BAD)
        if refused := line.refused_orders:
            yield self.found(t_us, f"the board refused {refused} orders: `rig check` the protocol on this rig")
        if unconfirmed := line.unconfirmed_rewards:
            yield self.found(t_us, f"{unconfirmed} rewards were never confirmed: the subject may not have got them")
