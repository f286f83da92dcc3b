"""The interface of a rule: it reads the lines of its kinds, and is asked about the time now and then."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from rig.core.model.line import Line
from rig.expectations.finding import Finding, Severity

L = TypeVar("L", bound=Line)


class Rule(ABC, Generic[L]):
    """One expectation of a session; a subclass holds what it needs of the lines before, and nothing else."""

    name: ClassVar[str]
    kinds: ClassVar[tuple[type[Line], ...]] = ()
    """The kinds of the lines that `take` handles."""
    channel: str | None = None
    """The input whose changes `take` handles; None: those of all inputs."""

    def take(self, line: L) -> Iterator[Finding]:
        """Yield what a line shows."""
        return iter(())

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield what the time shows; called about once a second of the session, and never in a pause."""
        return iter(())

    def end(self, t_us: int) -> Iterator[Finding]:
        """Yield what the whole session shows, behind its last line."""
        return iter(())

    def found(self, t_us: int, text: str, about: str = "", severity: Severity = Severity.SUSPICIOUS) -> Finding:
        """Return a finding of this rule."""
        return Finding(t_us, self.name, text, severity, about)


AnyRule: TypeAlias = Rule[Any]
"""A rule of any kinds: what holds it gives it only lines of these."""
