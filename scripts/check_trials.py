"""Check tables of the two-armed bandit with the standard library alone: ``check_trials.py trials.csv …``."""

import csv
import sys


def check(path: str, window_s: float = 2.0) -> list[str]:
    """List what is wrong in a table."""
    wrong, block, high = [], 1, None
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows, start=1):
        completed = row["outcome"] in ("rewarded", "unrewarded")
        here = f"{path}: trial {number}: "
        if int(row["trial"]) != number:
            wrong.append(here + f"is numbered {row['trial']}")
        if row["t_center_in"] and row["t_side_in"] and float(row["t_side_in"]) - float(row["t_center_in"]) > window_s:
            wrong.append(here + "was decided after the window")
        if row["flipped_after"] == "1" and not completed:
            wrong.append(here + "was not completed, and the sides swapped")
        if (float(row["reward_ul"]) > 0) != (row["rewarded"] != "0"):
            wrong.append(here + "water and reward differ")
        if (high is not None and row["high_side"] != high) or int(row["block"]) != block:
            wrong.append(here + "the sides swapped unsaid")
        swapped = row["flipped_after"] == "1"
        block, high = (
            block + swapped,
            {"left": "right", "right": "left"}[row["high_side"]] if swapped else row["high_side"],
        )
    return wrong


if __name__ == "__main__":
    found = [line for path in sys.argv[1:] for line in check(path)]
    sys.stdout.write("\n".join(found or ["nothing is wrong"]) + "\n")
    sys.exit(bool(found))
