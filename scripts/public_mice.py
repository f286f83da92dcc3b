"""Write the Markov sessions of a clone of github.com/celiaberon/mouse_bandit as files of decisions.

    python -m scripts.public_mice CLONE FOLDER

Its record of sessions has their odds and choice windows; its files of trials have no header. A file is named
MOUSE_ODDS_DATE.csv, such as baby_80-20_20171221.csv.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Mapping
from pathlib import Path

from protocols.two_armed_bandit.tables.decisions import COLUMNS

RECORD = "celia_session_record.csv"

CHOICE_WINDOW_S = 2.0
"""Of the task; training had longer ones."""

CONDITIONS = ("90-10", "80-20", "70-30")


def condition_of(row: Mapping[str, str]) -> str | None:
    """Return the condition of a row of the record; None for training and for other odds."""
    if row["Markov"] != "1" or float(row["Decision Window Duration"]) != CHOICE_WINDOW_S:
        return None
    percent = sorted((round(100 * float(row[f"{side} Reward Prob"])) for side in ("Left", "Right")), reverse=True)
    name = "-".join(str(value) for value in percent)
    return name if name in CONDITIONS else None


def main() -> int:
    """Write a file for each session."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with (options.clone / RECORD).open(encoding="ascii", newline="") as record:
        rows = [(row, condition) for row in csv.DictReader(record) if (condition := condition_of(row)) is not None]
    for row, condition in rows:
        trials = (options.clone / "data" / "trial_data" / f"{row['Session ID']}_trials.csv").read_text(encoding="ascii")
        name = f"{row['Mouse ID'].lower()}_{condition}_{row['Date'].replace('-', '')}.csv"
        (options.folder / name).write_text(",".join(COLUMNS) + "\n" + trials, encoding="ascii")
    sys.stdout.write(f"{len(rows)} sessions\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
