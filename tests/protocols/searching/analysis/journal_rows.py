"""Lines of the journal of a search: a click, and a round."""

from typing import Any

from rig.core.journal.kinds import RowLine, TrialLine

COLUMNS = [
    "t",
    "round",
    "trial",
    "tile",
    "x",
    "y",
    "latent",
    "drawn",
    "shown",
    "kept",
    "threshold",
    "horizon",
    "condition",
]


def click(number: int, trial: int, tile: int, drawn: float, **fields: Any) -> TrialLine:
    row = {"t": 10.0 * number + trial, "round": number, "trial": trial, "tile": tile, "x": tile % 2, "y": tile // 2}
    row |= {"latent": drawn, "drawn": drawn, "shown": drawn, "kept": 1, "threshold": None, "horizon": 2}
    return TrialLine(0, {**row, "condition": "safe", **fields})


def round_line(number: int, **fields: Any) -> RowLine:
    row = {"round": number, "environment": 1, "scale": 70, "risk": "safe", "end": "all_clicks"}
    row |= {"initial_tile": 3, "initial_drawn": 81.0, "initial_shown": 62, "initial_latent": 80.0, "t_began": 5.0}
    return RowLine(0, "rounds", {**row, "bonus": 0.12, "guess_tile": None, **fields})
