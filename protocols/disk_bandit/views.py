"""What people look at in the eight-disk bandit: pecks on the screen, choices by interval, and rewards that wait."""

from __future__ import annotations

from protocols.disk_bandit.schedules import RUNNING
from rig import Cumulative, Places, SharesBy, Spans


def disk_views(rows: str) -> tuple[Places | SharesBy | Cumulative | Spans, ...]:
    """Return the views of pecks, or of clicks: what ``rows`` says."""
    answers: dict[str, str | int] = {"on_target": 1, "phase": "respond"}
    return (
        Places("x_cm", "y_cm", rewarded="rewarded", label="vi_s", rows=rows, title=f"where {rows} fell"),
        # After figures 3 and 9 of Racey et al. (2011): the proportion of pecks by the programmed interval.
        SharesBy("vi_s", "rewarded", where=answers, rows=rows, title=f"shares of {rows} by mean interval"),
        SharesBy("disk", "rewarded", where=answers, rows=rows, title=f"shares of {rows} by location"),
        Cumulative("t", "rewarded", where=answers, rows=rows, title=f"cumulative record of {rows}"),
        Spans(
            "t_armed",
            "t_collected",
            "vi_s",
            since="t_started",
            planned=RUNNING,
            table="intervals",
            title="intervals: thin until the reward waits, thick until it is collected",
        ),
    )
