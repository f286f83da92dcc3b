"""Sessions made by hand: `LLr` is two rewarded choices of the left and an unrewarded one of the right."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis.sessions import BY_DECISION, ChoiceSession, of_file
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.tables.decisions import COLUMNS

REAL = Path(os.environ.get("RIG_REAL_DATA", "")) / "2abt_mice"

real_data = pytest.mark.skipif(
    "RIG_REAL_DATA" not in os.environ or not REAL.is_dir(), reason="RIG_REAL_DATA names no folder of real sessions"
)

histories = st.lists(st.text("LlRr", min_size=1, max_size=40), min_size=1, max_size=4)


def session(history: str, high: str | None = None, name: str = "m_80-20", **fields: object) -> ChoiceSession:
    """A session of these choices; ``high`` says L or R for every trial, and is L throughout if left out."""
    trials = len(history)
    sides = {"L": 1, "R": -1, "-": 0}
    blank = np.full(trials, np.nan)
    made: dict[str, object] = {
        "name": name,
        "subject": name.partition("_")[0],
        "odds": (0.8, 0.2),
        "choice": np.array([sides[letter.upper()] for letter in history], np.int8),
        "reward": np.array([letter.isupper() for letter in history], np.int8),
        "high": np.array([sides[letter] for letter in high or "L" * trials], np.int8),
        "time_s": np.arange(trials) * 3.0,
        "latency_s": blank,
        "initiation_s": blank,
        "duration_s": blank,
        "duration_from": BY_DECISION,
    }
    return ChoiceSession(**(made | fields))  # type: ignore[arg-type]


def stack(*rows: str, high: Sequence[str] | None = None) -> Stack:
    """Sessions side by side."""
    return Stack.of([session(row, high[place] if high else None) for place, row in enumerate(rows)])


def swapped(text: str) -> str:
    """The same history at the other sides."""
    return text.translate(str.maketrans("LlRr", "RrLl"))


def real_sessions(pattern: str = "*.csv") -> list[ChoiceSession]:
    """The shared sessions of real mice."""
    return [of_file(path) for path in _files(pattern)]


def _files(pattern: str) -> list[Path]:
    return sorted(REAL.glob(pattern))


def csv_of(path: Path, history: str, p_left: Sequence[float] | None = None) -> Path:
    """Write a history as a file in the public format."""
    rows = [",".join(COLUMNS)]
    for place, letter in enumerate(history):
        left = 0.8 if p_left is None else p_left[place]
        port = 2 if letter.upper() == "L" else 1
        rows.append(f"{11 + 3 * place},1.5,0.4,{port},{1 - left:g},{left:g},{int(letter.isupper())}")
    path.write_text("\n".join(rows) + "\n", encoding="ascii")
    return path
