"""How far a session has come: a fold over the lines of its journal."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rig.core.journal.delivered import NONE, DeliveredRewards, RewardSum
from rig.core.journal.lines import tells_time
from rig.core.model.actions import Amount
from rig.core.model.events import DISCONNECTED
from rig.core.model.shares import COMPLETED
from rig.expectations.monitor import ExpectationMonitor
from rig.live.reasons import FAILURES, ended_text
from rig.live.warnings import operator_text
from rig.records.session.task_clock import TaskClock
from rig.terminal.format import with_limit

MAX_STRIP_LENGTH = 200
_OF_BOARD = (DISCONNECTED, "link_lost", "reset")


class TimedWarning(NamedTuple):
    """One warning, and when in the session it came."""

    t_us: int
    text: str


class Progress:
    """What the lines taken so far say; ``header`` and ``footer`` are None until their lines have come."""

    def __init__(self) -> None:
        self.header: Mapping[str, Any] | None = None
        self.footer: Mapping[str, Any] | None = None
        self.lines = 0
        self.t_us = 0
        self.state = ""
        self.clock = TaskClock()
        self.board_lost_us: int | None = None
        """Since when the board has been away and may come back."""
        self.set: dict[str, Any] = {}
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
        self._letter = ""
        self._read: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "header": self._header,
            "state": self._state,
            "pause": self.clock.take,
            "resume": self.clock.take,
            "params": self._params,
            "continued": self._continued,
            "trial": self._trial,
            "fault": self._fault,
            "allowance": self._given.take,
            "reward": self._reward,
            "note": self._note_operator,
            "request": self._note_operator,
            "footer": self._footer,
        }

    def take(self, line: Mapping[str, Any]) -> None:
        """Handle the next line."""
        self.lines += 1
        if line["t"] > self.t_us and tells_time(line):
            self.t_us = line["t"]
        read = self._read.get(line["k"])
        if read is not None:
            read(line)
        for finding in self.expectations.take(line):
            self.warn(finding.text)

    def _note_operator(self, line: Mapping[str, Any]) -> None:
        text = operator_text(line)
        if text:
            self.operator = TimedWarning(self.t_us, text)

    def warn(self, text: str) -> None:
        """Add a warning of this moment."""
        self.warnings.append(TimedWarning(self.t_us, text))

    def pass_time(self, elapsed_s: float) -> None:
        """Handle that the session has run for so long, pauses not counted, although no line has come."""
        for finding in self.expectations.check(round(elapsed_s * 1e6) + self.clock.stopped_us):
            self.warn(finding.text)

    @property
    def stop(self) -> Mapping[str, Any]:
        """Return the session's limits."""
        return self.header.get("stop", {}) if self.header is not None else {}

    def limit(self, unit: str) -> float | None:
        """Return the most that the session may give: its own limit, or what is left of the day's."""
        left = {} if self.header is None else self.header.get("remaining_today", {})
        return min((most for most in (self.stop.get(f"max_{unit}"), left.get(unit)) if most is not None), default=None)

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
        parts = ((amount.access_s, "access_s", "s of grain"), (amount.pellets, "pellets", "pellets"))
        words = [
            with_limit(value, self.limit(unit), text)
            for value, unit, text in (*parts, (amount.ul, "ul", "ul"))
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
        return str(self.footer["reason"]) in FAILURES

    @property
    def state_text(self) -> str:
        """Return the state of the task in words, or how the session ended."""
        if self.footer is not None:
            return f"ended: {ended_text(str(self.footer['reason']))}"
        if self.faults["panic"]:
            return ended_text("panic")
        state = self.state.replace("_", " ") or "opening the board"
        return f"PAUSED in {state}" if self.clock.paused else state

    @property
    def runs_in_real_time(self) -> bool:
        """Whether the session runs in real time for certain: a real subject, or a person at the keyboard."""
        return self.header is not None and self.header.get("model") in (None, "keyboard")

    def _header(self, line: Mapping[str, Any]) -> None:
        self.header = line
        self._given.take(line)
        self._letter = line.get("letter", "")

    def _reward(self, line: Mapping[str, Any]) -> None:
        self._given.take(line)
        self._note_operator(line)

    def _state(self, line: Mapping[str, Any]) -> None:
        self.state = line["name"]

    def _trial(self, line: Mapping[str, Any]) -> None:
        self.trials += 1
        outcome = str(line.get("outcome", ""))
        if outcome:
            self.outcomes[outcome] += 1
        self.strip.append(_glyph(outcome, str(line.get(self._letter, ""))))

    def _params(self, line: Mapping[str, Any]) -> None:
        self.set |= line["changed"]

    def _continued(self, line: Mapping[str, Any]) -> None:
        self.board_lost_us = None
        self.clock.take(line)

    def _fault(self, line: Mapping[str, Any]) -> None:
        if line["what"] in _OF_BOARD:
            self.board_lost_us = line["t"] if line["what"] == DISCONNECTED else None
        # The second line of a flood says that it is over.
        if line["what"] != "flood" or line.get("edges_per_s") != 0:
            self.faults[line["what"]] += 1

    def _footer(self, line: Mapping[str, Any]) -> None:
        self.footer = line
        self.board_lost_us = None
        self.t_us = line["t"]  # when it was over, though the board had a few more words to say
        self._ended = RewardSum(line["rewards"], Amount(line["ul"], line["pellets"], line["access_s"]))


def _glyph(outcome: str, choice: str) -> str:
    """Draw a completed trial as the letter of its column, a capital when it was rewarded; another trial as a dot."""
    if outcome not in COMPLETED:
        return "."
    letter = choice[:1] or "x"
    return letter.upper() if outcome == "rewarded" else letter.lower()
