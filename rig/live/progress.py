"""How far a session has come: a fold over the lines of its journal."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import NamedTuple

from rig.core.journal.delivered import NONE, DeliveredRewards, RewardSum
from rig.core.journal.header import Footer, Header, Unit
from rig.core.journal.kinds import (
    FAULTS,
    AllowanceLine,
    FaultLine,
    OperatorNote,
    ParamsChanged,
    RewardLine,
    StateLine,
    TrialLine,
    fault_word,
)
from rig.core.model.actions import Amount
from rig.core.model.events import DISCONNECTED, Continued, Fault, Flood, Request
from rig.core.model.line import Line
from rig.core.model.shares import COMPLETED
from rig.expectations.monitor import ExpectationMonitor
from rig.live.end_reasons import FAILURES, ended_text
from rig.live.warnings import operator_text
from rig.records.journal.read import Row, tells_time
from rig.terminal.format import with_limit

MAX_STRIP_LENGTH = 200
_READ = frozenset(
    (
        *(Header, Footer, StateLine, TrialLine, ParamsChanged, Continued, RewardLine, AllowanceLine),
        *(OperatorNote, Request, *FAULTS),
    )
)
_OF_BOARD = (DISCONNECTED, "link_lost", "reset")


class TimedWarning(NamedTuple):
    """One warning, and when in the session it came."""

    t_us: int
    text: str


class Progress:
    """What the lines taken so far say; ``header`` and ``footer`` are None until their lines have come."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.footer: Footer | None = None
        self.lines = 0
        self.t_us = 0
        self.state = ""
        self.board_lost_us: int | None = None
        """Since when the board has been away and may come back."""
        self.set: dict[str, object] = {}
        """The parameters that an operator has changed, with the values of now."""
        self.trials = 0
        self.outcomes: Counter[str] = Counter()
        self.strip: deque[str] = deque(maxlen=MAX_STRIP_LENGTH)
        self.faults: Counter[str] = Counter()
        self.warnings: list[TimedWarning] = []
        self.operator: TimedWarning | None = None
        """What a person did last during the session."""
        self._given = DeliveredRewards()
        self._ended = NONE
        self.expectations = ExpectationMonitor()
        """What is not normal: its findings are also the warnings."""
        self.clock = self.expectations.clock

    def take(self, line: Line) -> None:
        """Handle the next line."""
        self.lines += 1
        if line.t_us > self.t_us and tells_time(line):
            self.t_us = line.t_us
        # Most lines of a journal are none of these, and are passed over by one look-up.
        if type(line) in _READ:
            self._given.take(line)
            self._read(line)
            if text := operator_text(line):
                self.operator = TimedWarning(self.t_us, text)
        for finding in self.expectations.take(line):
            self.warn(finding.text)

    def _read(self, line: Line) -> None:
        match line:
            case Header():
                self.header = line
            case StateLine():
                self.state = line.name
            case TrialLine():
                self._add_trial(line.row)
            case ParamsChanged():
                self.set |= line.changed
            case Continued():
                self.board_lost_us = None
            case Footer():
                self.footer = line
                self.board_lost_us = None
                self.t_us = line.t_us  # when it was over, though the board had a few more words to say
                self._ended = RewardSum(line.rewards, Amount(line.ul, line.pellets, line.access_s))
            case _ if isinstance(line, FAULTS):
                self._add_fault(line)

    def _add_trial(self, row: Row) -> None:
        self.trials += 1
        outcome = str(row.get("outcome", ""))
        if outcome:
            self.outcomes[outcome] += 1
        letter = "" if self.header is None else self.header.letter
        self.strip.append(_glyph(outcome, str(row.get(letter, ""))))

    def _add_fault(self, line: FaultLine) -> None:
        if isinstance(line, Fault) and line.what in _OF_BOARD:
            self.board_lost_us = line.t_us if line.what == DISCONNECTED else None
        # The second line of a flood says that it is over.
        if not isinstance(line, Flood) or line.edges_per_s:
            self.faults[fault_word(line)] += 1

    def warn(self, text: str) -> None:
        """Add a warning of this moment."""
        self.warnings.append(TimedWarning(self.t_us, text))

    def pass_time(self, elapsed_s: float) -> None:
        """Handle that the session has run for so long, pauses not counted, although no line has come."""
        for finding in self.expectations.check(round(elapsed_s * 1e6) + self.clock.stopped_us):
            self.warn(finding.text)

    @property
    def stop(self) -> Mapping[str, float | None]:
        """Return the session's limits."""
        return self.header.stop if self.header is not None else {}

    def limit(self, unit: Unit) -> float | None:
        """Return the most that the session may give: its own limit, or what is left of the day's."""
        left = None if self.header is None else self.header.remaining_today.get(unit)
        return min((most for most in (self.stop.get(f"max_{unit}"), left) if most is not None), default=None)

    @property
    def rewards(self) -> int:
        """Return the number of rewards delivered; at the end of the session, the number that it counts as given."""
        return self._counted.rewards

    @property
    def amount(self) -> Amount:
        """Return the amount delivered; at the end of the session, the amount that it counts as given."""
        _, amount = self._counted
        return Amount(round(amount.ul, 3), amount.pellets, round(amount.access_s, 3))

    @property
    def _counted(self) -> RewardSum:
        return self._given.delivered if self.footer is None else self._ended

    @property
    def uncertain(self) -> RewardSum:
        """Return the most that may have been given beyond that, should no further line come: after a crash."""
        return NONE if self.footer is not None else self._given.uncertain

    @property
    def given(self) -> str:
        """Return what was given, against its limit."""
        return self.against_limit(self.amount)

    def against_limit(self, amount: Amount) -> str:
        """Return every unit of an amount, or with a limit, in words; without any of them microliters."""
        parts: tuple[tuple[float, Unit, str], ...] = (
            (amount.access_s, "access_s", "s of grain"),
            (amount.pellets, "pellets", "pellets"),
            (amount.ul, "ul", "ul"),
        )
        words = [
            with_limit(value, self.limit(unit), text)
            for value, unit, text in parts
            if value or self.stop.get(f"max_{unit}")
        ]
        return ", ".join(words) or with_limit(amount.ul, self.limit("ul"), "ul")

    @property
    def rewards_text(self) -> str:
        """Return the number of rewards, against its limit."""
        return with_limit(self.rewards, self.stop.get("max_rewards"), "rewards")

    @property
    def nearest_limit(self) -> tuple[float, float | None]:
        """Return what was given and its limit, for the limit that will be reached first; None without a limit."""
        pairs = (
            (self.amount.ul, self.limit("ul")),
            (float(self.rewards), self.stop.get("max_rewards")),
            (float(self.amount.pellets), self.limit("pellets")),
            (self.amount.access_s, self.limit("access_s")),
        )
        bounded = [(given, limit) for given, limit in pairs if limit]
        return max(bounded, key=lambda pair: pair[0] / pair[1], default=(0.0, None))

    @property
    def has_failed(self) -> bool:
        """Whether it has ended, or is ending, by a failure."""
        if self.footer is None:
            return self.faults["panic"] > 0
        return self.footer.reason in FAILURES

    @property
    def state_text(self) -> str:
        """Return the state of the task in words, or how the session ended."""
        if self.footer is not None:
            return f"ended: {ended_text(self.footer.reason)}"
        if self.faults["panic"]:
            return ended_text("panic")
        state = self.state.replace("_", " ") or "opening the board"
        return f"PAUSED in {state}" if self.clock.is_paused else state

    @property
    def runs_in_real_time(self) -> bool:
        """Whether the session runs in real time for certain: a real subject, or a person at the keyboard."""
        return self.header is not None and self.header.model in (None, "keyboard")


def _glyph(outcome: str, choice: str) -> str:
    """Draw a completed trial as the letter of its column, a capital when it was rewarded; another trial as a dot."""
    if outcome not in COMPLETED:
        return "."
    letter = choice[:1] or "x"
    return letter.upper() if outcome == "rewarded" else letter.lower()
