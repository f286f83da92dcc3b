"""The numbers of a session in large letters: lamp, state, time, trials, rewards and their limits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from rig.terminal.format import clock, outcomes
from rig.window.labels import Sentences, Words
from rig.window.lamp import Lamp
from rig.window.lamp_widget import LampWidget
from rig.window.session_feed import SessionFeed
from rig.window.theme import Theme

LAMP_PX = 72
STEPS = 1000


class Number(QFrame):
    """One number: its name, the number, a line of details, and how much of its limit is reached."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._value, self._unit, self._details = Words("huge"), QLabel(), Words("faint")
        self._unit.setObjectName("large")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, STEPS)
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 2, 8, 2)
        box.setSpacing(0)
        value = QHBoxLayout()
        value.setSpacing(6)
        self._value.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        value.addWidget(self._value)
        value.addWidget(self._unit, 0, Qt.AlignmentFlag.AlignBottom)
        value.addStretch()
        box.addWidget(Words("faint", name))
        box.addLayout(value)
        box.addWidget(self._bar)
        box.addWidget(self._details)
        keep = self._bar.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(keep)

    def show_number(self, value: str, details: str = "", share: float | None = None) -> None:
        """Show a number; ``share`` is how much of its limit is reached, from 0 to 1, None without a limit."""
        number, _, unit = value.partition(" ")
        is_number = number[:1].isdigit()
        self._value.show_words(number if is_number else value)
        self._unit.setText(unit if is_number else "")
        self._details.show_words(details)
        self._bar.setVisible(share is not None)
        self._bar.setValue(round(STEPS * min(1.0, max(0.0, share or 0.0))))


class StatusStrip(QWidget):
    """The strip at the top of a session's page."""

    def __init__(self) -> None:
        super().__init__()
        self._lamp = LampWidget(LAMP_PX)
        self._subject, self._lamp_words, self._title = Words("large"), Sentences(), Words("faint")
        self._state = Number("state")
        self._time, self._trials = Number("time (min:s)"), Number("trials")
        self._given, self._rewards = Number("given"), Number("rewards")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 4)
        row.addWidget(self._lamp)
        words = QVBoxLayout()
        words.setSpacing(0)
        for label in (self._subject, self._title, self._lamp_words):
            words.addWidget(label)
        words.addStretch()
        row.addLayout(words, 5)
        for number, stretch in ((self._state, 3), (self._time, 3), (self._trials, 4), (self._given, 3)):
            row.addWidget(number, stretch)
        row.addWidget(self._rewards, 2)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors that no style sheet sets."""
        self._lamp.set_theme(theme)

    def show_status(self, feed: SessionFeed, lamp: Lamp, name: str) -> None:
        """Show the present of a session; ``name`` says who is in which box."""
        progress, now = feed.progress, feed.now()
        self._lamp.show_lamp(lamp)
        self._lamp_words.show_words(lamp.words)
        is_simulated = progress.header is not None and progress.header.simulated
        self._subject.show_words(f"{name}{' (simulated)' if is_simulated else ''}")
        self._title.show_words(title_of(feed))
        self._state.show_number(*_state_and_detail(progress.state_text))
        session_s = progress.stop.get("session_s")
        left = f"of {clock(session_s)}, {clock(max(0.0, session_s - now.elapsed_s))} left" if session_s else ""
        self._time.show_number(clock(now.elapsed_s), left, now.elapsed_s / session_s if session_s else None)
        most = progress.stop.get("max_trials")
        self._trials.show_number(
            str(progress.trials), outcomes(progress.outcomes), progress.trials / most if most else None
        )
        given, limit = progress.nearest_limit
        self._given.show_number(*_value_and_limit(progress.given), given / limit if limit else None)
        self._rewards.show_number(*_value_and_limit(progress.rewards_text.removesuffix(" rewards")))


def _value_and_limit(text: str) -> tuple[str, str]:
    """Return ``512.5 ul`` and ``of 2000 ul`` of the text ``512.5 of 2000 ul``, and behind it further units."""
    first, comma, more = text.partition(", ")
    value, of, limit = first.partition(" of ")
    _, _, unit = limit.partition(" ")
    return (f"{value} {unit}".strip(), f"of {limit}{comma}{more}") if of else (first, more)


def _state_and_detail(text: str) -> tuple[str, str]:
    """Return ``PAUSED`` and ``in choose``, ``ended`` and the reason, or else the state alone."""
    for word in (": ", " in "):
        state, found, detail = text.partition(word)
        if found:
            return state, f"{word.strip(': ')} {detail}".strip()
    return text, ""


def title_of(feed: SessionFeed) -> str:
    """Return protocol and rig of a session in words; before its header its folder."""
    header = feed.progress.header
    if header is None:
        return str(feed.journal.parent)
    return f"{header.protocol_name} on {header.rig.name}"
