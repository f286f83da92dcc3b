"""Ways through a T-maze, from its start to a reward site and back along the rails.

Lengths are a guess in the proportions of published coordinates (stem to arm as 139 to 128); how rats pass the choice
point, straight on, weaving, or looking from side to side, follows Papale et al. (2012). A way is planned as a whole, so
that only its beam crossings need timers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sim_hardware.world.trajectory import TrajectoryPoint

STEM_CM, ARM_CM = 139.0, 128.0
START_CM, CHOICE_CM, SITE_CM = 20.0, 69.5, 98.0
"""The start zone ends here up the stem, the choice point begins half-way; a site begins here along its arm."""
TURN_CM = 12.0
"""A ballistic turn is a quarter of a circle of this radius; the choice point ends where it ends."""
LOOK_FROM_CM = STEM_CM - 5.0
WEAVE_CM, FEWEST_WEAVES, MOST_WEAVES = 2.0, 5, 7
"""A rat that all but stops weaves so far to one side and the other, so often between the choice zone and the turn."""
MOST_LOOKS = 12
"""A longer stop would end after the lap's time."""
CORNER_STEPS, LOOK_STEPS, WEAVE_STEPS = 6, 6, 24


@dataclass(frozen=True)
class MazePass:
    """A way to a site, in seconds from its beginning: when its beams change, and through which points it leads."""

    points: tuple[TrajectoryPoint, ...]
    leaves_start_s: float
    reaches_choice_s: float
    leaves_choice_s: float
    reaches_site_s: float


def plan_pass(draw: random.Random, side: str, *, hesitation: float) -> MazePass:
    """Build a way from the start to a site.

    ``hesitation`` is in looks: of one or more the rat stops at the T and looks to one side and the other so often; of
    less it weaves on its way, the more the wider.
    """
    speed = 24 + 10 * draw.random()
    sign = -1.0 if side == "left" else 1.0
    points = [TrajectoryPoint(0, 0, 0)]

    def go(x_cm: float, y_cm: float, speed_cm_s: float = speed) -> float:
        last = points[-1]
        t_s = last.t_s + math.hypot(x_cm - last.x_cm, y_cm - last.y_cm) / speed_cm_s
        points.append(TrajectoryPoint(t_s, x_cm, y_cm))
        return t_s

    looks = min(MOST_LOOKS, int(hesitation))
    leaves_start_s, reaches_choice_s = go(0, START_CM), go(0, CHOICE_CM)
    if looks:
        go(0, LOOK_FROM_CM)
        points.extend(_looks(draw, points[-1], looks))
    else:
        width_cm = _sign(draw) * WEAVE_CM * hesitation
        weaves = FEWEST_WEAVES + int((MOST_WEAVES - FEWEST_WEAVES + 1) * draw.random())
        for part in (step / WEAVE_STEPS for step in range(1, WEAVE_STEPS + 1)):
            go(width_cm * math.sin(math.pi * weaves * part), CHOICE_CM + (STEM_CM - TURN_CM - CHOICE_CM) * part)
    radius = STEM_CM - points[-1].y_cm
    for step in range(1, CORNER_STEPS + 1):
        angle = step / CORNER_STEPS * math.pi / 2
        go(sign * radius * (1 - math.cos(angle)), STEM_CM - radius + radius * math.sin(angle))
    leaves_choice_s = go(sign * 1.5 * TURN_CM, STEM_CM)
    reaches_site_s = go(sign * SITE_CM, STEM_CM)
    go(sign * ARM_CM, STEM_CM)
    return MazePass(tuple(points), leaves_start_s, reaches_choice_s, leaves_choice_s, reaches_site_s)


def _looks(draw: random.Random, at: TrajectoryPoint, count: int) -> Iterator[TrajectoryPoint]:
    """Yield the points of looks to one side and the other by turns, each there, hold and back."""
    t_s, turn = at.t_s + 0.2 + 0.4 * draw.random(), _sign(draw)
    yield TrajectoryPoint(t_s, at.x_cm, at.y_cm)
    for _ in range(count):
        reach_cm, takes_s, holds_s = 6 + 4 * draw.random(), 0.3 + 0.3 * draw.random(), 0.1 + 0.2 * draw.random()
        for out in (True, False):
            begins_s = t_s
            for step in range(1, LOOK_STEPS + 1):
                part = step / LOOK_STEPS
                swung = (1 - math.cos(math.pi * part)) / 2
                reached = reach_cm * (swung if out else 1 - swung)
                t_s = begins_s + takes_s * part
                here = TrajectoryPoint(t_s, at.x_cm + turn * reached, at.y_cm + 0.15 * reached)
                yield here
            if out:
                t_s += holds_s
                yield here._replace(t_s=t_s)
        turn = -turn


def _sign(draw: random.Random) -> float:
    return 1.0 if draw.random() < 0.5 else -1.0


def way_back(side: str, at: TrajectoryPoint, for_s: float) -> tuple[TrajectoryPoint, ...]:
    """Build the way from a site to the start along the rail, as fast as the time demands."""
    end_cm = -ARM_CM if side == "left" else ARM_CM
    corners = ((at.x_cm, at.y_cm), (end_cm, STEM_CM), (end_cm, 0.0), (0.0, 0.0))
    walked_cm = [0.0, *accumulate(math.dist(before, after) for before, after in pairwise(corners))]
    return tuple(
        TrajectoryPoint(at.t_s + for_s * cm / walked_cm[-1], *corner)
        for cm, corner in zip(walked_cm, corners, strict=True)
    )
