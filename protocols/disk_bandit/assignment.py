"""Assignment of the eight-disk bandit: shown disks, their schedules, elimination, and the state to carry over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocols.disk_bandit.disk_layout import CENTER
from protocols.disk_bandit.params import LOCATIONS, Params
from rig import Stream


@dataclass(frozen=True)
class Assignment:
    """Disks and schedules of a session, by location."""

    locations: tuple[int, ...]
    values: Mapping[int, float] = field(default_factory=dict)
    """Mean interval, or probability, of each disk."""
    previous_vi_s: Mapping[int, float] = field(default_factory=dict)
    """Interval of each location in the subject's last session with intervals."""
    removed: tuple[int, ...] = ()
    """Locations that were eliminated, in this order."""
    pecks: tuple[int, ...] = (0,) * LOCATIONS
    """Pecks by location since the last removal; on a day with a removal, the pecks that decided it."""
    removed_today: tuple[int, ...] = ()

    def told(self, schedule: str) -> dict[str, object]:
        """Return the content of the journal's note; lists are by location."""
        return {
            "schedule": schedule,
            "locations": list(self.locations),
            "vi_s": by_location(self.values if schedule == "vi" else {}),
            "p_reward": by_location(self.values if schedule == "rr" else {}),
            "prev_vi_s": by_location(self.previous_vi_s),
            "removed": list(self.removed),
            "removed_today": list(self.removed_today),
            "pecks_since_removal": list(self.pecks),
        }


def by_location(values: Mapping[int, float]) -> list[float | None]:
    """Return values from location 0 on; None where there is no disk."""
    return [values.get(location) for location in range(LOCATIONS)]


def of_locations(listed: Sequence[float | None]) -> dict[int, float]:
    """Return the values of such a list by location."""
    return {location: value for location, value in enumerate(listed) if value is not None}


def draw_assignment(params: Params, carried_over: Mapping[str, Any], stream: Stream) -> Assignment:
    """Return the disks of a session, with schedules drawn for them."""
    if params.schedule == "autoshaping":
        return Assignment((CENTER,))
    removed, today, pecks = _eliminated(params, carried_over)
    locations = tuple(location for location in range(LOCATIONS) if location not in removed)
    if params.disks == "one":
        locations = (carried_over.get("one", 0) % LOCATIONS,)
    richest = sorted(params.vi_s) if params.schedule == "vi" else sorted(params.rr_p, reverse=True)
    # A uniform permutation, because the paper states no rule against repetition. Fewer disks have the richest
    # schedules: with every disk the longest interval is removed, too (Racey et al. 2011).
    values = dict(zip(locations, stream.shuffled(richest[: len(locations)]), strict=True))
    return Assignment(locations, values, of_locations(carried_over.get("vi_s", ())), removed, pecks, today)


def _eliminated(
    params: Params, carried_over: Mapping[str, Any]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the removed locations, those removed today, and the pecks that decided this.

    The location with most pecks since the last removal is removed; of several, the first clockwise from the top. If
    ``n_disks`` exceeds the remaining disks, a new elimination starts with all eight and no pecks.
    """
    none = (0,) * LOCATIONS
    if params.disks != "eliminated":
        return (), (), none
    removed, pecks = tuple(carried_over.get("removed", ())), tuple(carried_over.get("pecks", none))
    if params.n_disks > LOCATIONS - len(removed):
        removed, pecks = (), none
    left = [location for location in range(LOCATIONS) if location not in removed]
    today = tuple(sorted(left, key=lambda location: -pecks[location])[: len(left) - params.n_disks])
    return removed + today, today, pecks


def has_pecks(params: Params, carried_over: Mapping[str, object]) -> bool:
    """Whether past pecks are known that decide today's removals; True if no disk is removed today."""
    removed, today, _ = _eliminated(params, carried_over)
    begins_anew = len(removed) == len(today) and bool(carried_over.get("removed"))
    return not today or ("pecks" in carried_over and not begins_anew)


def carry_over(
    params: Params, carried_over: Mapping[str, Any], day: Assignment, pecks: Sequence[int]
) -> dict[str, object]:
    """Return the state for the subject's next session; ``pecks`` are this session's, by location."""
    kept = {**carried_over, "sessions": carried_over.get("sessions", 0) + 1}
    if params.schedule == "vi":
        kept["vi_s"] = by_location(day.values)
    if params.disks == "one":
        kept["one"] = carried_over.get("one", 0) + 1
    if params.disks == "eliminated":
        before = (0,) * LOCATIONS if day.removed_today else day.pecks
        kept |= {"removed": list(day.removed), "pecks": [a + b for a, b in zip(before, pecks, strict=True)]}
    return kept
