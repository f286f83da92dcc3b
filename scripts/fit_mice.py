"""Print the constants of the virtual mice, fitted to real sessions.

    python -m scripts.fit_mice FOLDER

The folder has sessions in the public format, each in a file MOUSE_80-20….csv. The shipped constants are those of the
164 sessions at 80-20 of github.com/celiaberon/mouse_bandit; ``scripts.public_mice`` writes them from a clone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

from protocols.two_armed_bandit.analysis.day_to_day.choices import best_fits
from protocols.two_armed_bandit.analysis.day_to_day.tempo import fit_tempo, flight, pace, part
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession, of_file
from protocols.two_armed_bandit.analysis.stack import Stack

SESSION_S = 2400.0
"""Only trials up to this time have a tempo: mice that worked longer would have other trends."""


def tempo_lines(sessions: Sequence[ChoiceSession]) -> Iterator[str]:
    """Yield the constants of ``subjects/tempo.py``, each after the SD over sessions."""
    timed = [session.before(SESSION_S) for session in sessions]
    parts = [part(session, SESSION_S) for session in timed]
    for name, times in (("PACE", pace), ("FLIGHT", flight)):
        fit = fit_tempo([times(session) for session in timed], parts)
        yield f"{name}: " + ", ".join(f"{value:.3f}" for value in astuple(fit))


def choice_lines(sessions: Sequence[ChoiceSession]) -> Iterator[str]:
    """Yield the constant of ``subjects/learners/base.py``, and the mice of ``subjects/named.py``."""
    subjects = sorted({session.subject for session in sessions})
    stacks = {name: Stack.of([session for session in sessions if session.subject == name]) for name in subjects}
    slow_trials, fits = best_fits(stacks)
    yield f"SLOW_TRIALS: {slow_trials:g}"
    for name, fit in fits.items():
        yield f"{name}: " + ", ".join(f"{value:.3f}" for value in fit.weights)


def main() -> int:
    """Print the constants. Raises ``ConfigError`` for a file that cannot be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    sessions = [of_file(path) for path in sorted(folder.glob("*_80-20*.csv"))]
    if not sessions:
        parser.error(f"{folder} has no file *_80-20*.csv: wanted sessions in the public format")
    for line in (f"{len(sessions)} sessions", *tempo_lines(sessions), *choice_lines(sessions)):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
