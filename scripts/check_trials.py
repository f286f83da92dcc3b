"""Check tables of the two-armed bandit, with the standard library alone: ``check_trials.py trials.csv …``.

The script does not import ``rig``, so an error of the package cannot hide in its own check.
"""

import csv
import sys


def check(path: str, window_s: float = 2.0) -> list[str]:
    """Return the mistakes of a table, one text each."""
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
            wrong.append(here + "was not completed, but the sides swapped")
        if (float(row["reward_ul"]) > 0) != (row["rewarded"] != "0"):
            wrong.append(here + "reward_ul and rewarded disagree")
        if (high is not None and row["high_side"] != high) or int(row["block"]) != block:
            wrong.append(here + "the sides swapped without flipped_after in the row before")
        # The swap follows the trial: its own row still has the old side and block.
        swapped = row["flipped_after"] == "1"
        block, high = (
            block + swapped,
            {"left": "right", "right": "left"}[row["high_side"]] if swapped else row["high_side"],
        )
    return wrong


if __name__ == "__main__":
    found = [line for path in sys.argv[1:] for line in check(path)]
    sys.stdout.write("\n".join(found or ["no mistakes"]) + "\n")
    sys.exit(bool(found))
