"""What people look at in a search: the tiles of the last round, its rewards, and the points of all rounds."""

from __future__ import annotations

from rig import Histogram, Numbers, Places


def search_views(*, threshold: bool = False) -> tuple[Places | Numbers | Histogram, ...]:
    """Return the views of both tasks; with a ``threshold`` it is drawn beside the rewards."""
    beside = ("threshold",) if threshold else ()
    return (
        Places("x", "y", shade="shown", within="round", down=True, rows="clicks", title="tiles of the last round"),
        Numbers(
            "shown", at="trial", within="round", over=0, beside=beside, rows="clicks", title="rewards of the last round"
        ),
        Numbers("score", table="rounds", at="round", over=0, rows="rounds", title="points of each round"),
        Numbers("largest", table="rounds", at="round", over=0, rows="rounds", title="largest reward of each round"),
        Histogram("reaction_s", log=True, rows="clicks", title="time from click to click"),
    )
