"""Delay discounting on the firmware: tones and pellets to the millisecond, exits, and whole sessions."""

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from rig.core.journal.kinds import Command
from rig.core.model.actions import Load, RewardAction
from rig.core.model.events import SequenceStarted
from sim_hardware.driver import make_model
from tests.avr_tools import need_avr_tools
from tests.chip_outputs import watch_outputs
from tests.harness import FaultHarness, run_harness
from tests.protocols.delay_discounting.maze import CONFIRM_OFF_S, CONFIRM_ON_S, TO_SITE_S, lap, visit
from tests.session_specs import protocol_spec, session_spec

MS = 1e-3
RESOLUTION_S = 1e-3
"""The firmware may be so late with either of two things of one instant."""
MANY = ((1, 4000), (2, 3000), (3, 2000), (5, 900), (20, 100))
"""Delays, and how many exits of each make the ten thousand."""
DISCRETE = (
    *("lap", "side", "is_delayed_side", "delay_before_s", "delay_experienced_s", "n_tones", "pellets", "outcome"),
    *("delay_after_s", "delayed_side", "large_pellets", "initial_delay_s", "pellets_retried", "reentries"),
)


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


@dataclass
class Heard:
    """What the chip does to its outputs, each at the cycle at which it does it, in seconds."""

    tones: list[tuple[float, int]] = field(default_factory=list)
    pulses: list[float] = field(default_factory=list)
    taken: tuple[int, int] = (0, 0)

    def listen(self, harness: FaultHarness) -> None:
        watch_outputs(harness, self._changed)

    def _changed(self, output: str, at_s: float, value: int) -> None:
        if output == "speaker.tone":
            self.tones.append((at_s, value))
        elif output.endswith(".feeder") and value:
            self.pulses.append(at_s)

    def take(self, until_s: float) -> tuple[list[tuple[float, int]], list[float]]:
        """Take the tones and pellets from where the last was taken up to a time."""
        tone, pulse = self.taken
        self.taken = bisect_left(self.tones, (until_s, 0)), bisect_left(self.pulses, until_s)
        return self.tones[tone : self.taken[0]], self.pulses[pulse : self.taken[1]]


def on_chip(moves: Sequence[tuple[float, str, int]], heard: Heard, **values: Any) -> FaultHarness:
    """Play a script on the firmware; the delayed side is left, and its delay stays what it is."""
    asked = {"delayed_side": "left", "delay_step_s": 0, "stop_max_trials": "null", "stop_max_pellets": 100_000}
    script = session_spec(protocol_spec("delay_discounting", **{**asked, **values}), subject="A1")
    edges = [(round(at_s * 1e6), place, level) for at_s, place, level in moves]
    return run_harness(script, edges, arrange=heard.listen, board="avr", t_max=100_000)


@pytest.mark.parametrize(
    ("first_s", "last_s"),
    [(1, 8), (60, 60), pytest.param(1, 60, marks=pytest.mark.campaign)],
    ids=["short", "long", "all"],
)
def test_countdowns_have_their_tones_a_second_apart_and_the_first_pellet_with_the_last(
    first_s: int, last_s: int
) -> None:
    delays, ends, moves = range(first_s, last_s + 1), [2.0], list[tuple[float, str, int]]()
    for delay_s in delays:
        moves += lap(ends[-1], "left", delay_s + 2)
        ends.append(ends[-1] + TO_SITE_S + delay_s + 3)
    heard = Heard()
    harness = on_chip(moves, heard, initial_delay_s=first_s, delay_step_s=1, stop_session_s=ends[-1])
    assert [row["delay_experienced_s"] for row in harness.rows] == [*delays]
    apart, together = list[float](), list[float]()
    for row, delay_s, ends_s in zip(harness.rows, delays, ends[1:], strict=True):
        sounded, given = heard.take(ends_s)
        begun, ended = sounded[::2], [at_s for at_s, _ in sounded[1::2]]
        assert [hz for _, hz in begun] == pytest.approx([1000 + 175 * n for n in range(delay_s, -1, -1)], rel=0.005)
        lengths = [off - on for (on, _), off in zip(begun, ended, strict=True)]
        assert lengths == pytest.approx([0.1] * (delay_s + 1), abs=2 * MS)
        assert [after - before for before, after in pairwise(given)] == pytest.approx([0.5, 0.5], abs=1 * MS)
        assert row["t_reward"] == pytest.approx(given[0], abs=1 * MS)
        apart += (abs(after - before - 1) for (before, _), (after, _) in pairwise(begun))
        together.append(abs(given[0] - begun[-1][0]))
    print(f"tones 1 s apart to {max(apart) * 1e6:.0f} us, pellet and tone to {max(together) * 1e6:.0f} us")  # noqa: T201
    assert max(apart) <= 1 * MS
    assert max(together) <= 1 * MS


COMES_S, EATS_S = 0.25, 2.0
"""A hurried rat is at the site so soon after it was at the start, and back at the start so long after the pellet."""
TICK_US = 4
"""What happens in the same so many microseconds has no order that stamps tell."""
NEAR_S = (None, 5 * MS, 0.3 * MS)
"""A third of the exits are confirmed anywhere in the countdown, the others so near to a tone or to the first pellet."""


def exits(delay_s: int, count: int) -> list[float]:
    """Draw how long after the entry an exit is confirmed; the first pellet comes twice as often as any tone."""
    draw, confirmed = random.Random(f"exits/{delay_s}"), list[float]()
    for place in range(count):
        near_s = NEAR_S[place % len(NEAR_S)]
        if near_s is None:
            confirmed.append(CONFIRM_OFF_S + 0.01 + draw.random() * (delay_s - CONFIRM_OFF_S))
        else:
            tone_s = min(delay_s, 1 + int(draw.random() * (delay_s + 1)))
            confirmed.append(CONFIRM_ON_S + tone_s + (2 * draw.random() - 1) * near_s)
    return [round(at_s, 6) for at_s in confirmed]


def countdowns(harness: FaultHarness) -> list[int]:
    """When the board says that it began countdowns: the sequences that pay nothing by themselves."""
    loads = [order for line in harness.of_kind(Command) for order in line.orders if isinstance(order, Load)]
    paying = {load.sequence for load in loads if any(isinstance(action, RewardAction) for _, action in load.entries)}
    return [line.t_us for line in harness.of_kind(SequenceStarted) if line.sequence not in paying]


@pytest.mark.parametrize(
    ("delay_s", "count"),
    [(2, 60), *(pytest.param(*many, marks=pytest.mark.campaign) for many in MANY)],
)
def test_leaving_silences_the_countdown_at_once_and_no_pellet_follows_an_exit_that_came_first(
    delay_s: int, count: int
) -> None:
    confirmed, at_s = exits(delay_s, count), 2.0
    moves, left = list[tuple[float, str, int]](), list[float]()
    for wait_s in confirmed:
        enters_s = at_s + COMES_S
        left.append(enters_s + wait_s)
        moves += [*visit("start", at_s, 0.1), *visit("left", enters_s, wait_s - CONFIRM_OFF_S)]
        at_s = enters_s + max(wait_s, delay_s) + EATS_S if wait_s > delay_s - 0.01 else left[-1] + 0.1
    heard = Heard()
    harness = on_chip(moves, heard, initial_delay_s=delay_s, stop_session_s=min(86_400, at_s + 10))
    assert harness.error is None
    assert len(harness.rows) == count
    late, leads = list[float](), list[float]()
    ends = [*(move_s for move_s, place, level in moves if place == "start" and level), 1e9][1:]
    for row, begun_us, left_s, ends_s in zip(harness.rows, countdowns(harness), left, ends, strict=True):
        sounding, given = heard.take(ends_s)
        assert len(given) in (0, 3), row
        assert (row["outcome"], row["pellets"]) == ("rewarded" if given else "skip", len(given))
        first_us = begun_us + delay_s * 1_000_000 - round((row["t_site_exit"] + CONFIRM_OFF_S) * 1e6)
        assert bool(given) == (first_us <= 0) or abs(first_us) <= TICK_US, "by the board's own stamps"
        if given:
            leads.append(given[0] - left_s)
        else:
            late.append(max(0.0, sounding[-1][0] - left_s))
            assert sounding[-1][1] == 0
    assert late
    assert leads
    print(  # noqa: T201
        f"delay {delay_s} s: {len(late)} of {count} exits came first, silent {max(late) * 1e6:.0f} us after their "
        f"confirmation at most; pellets at most {max(leads) * 1e6:.0f} us after an exit that was too late"
    )
    assert max(late) <= 1 * MS
    assert max(leads) <= RESOLUTION_S
    assert harness.footer.pellets == len(heard.pulses)


def test_a_rat_that_comes_back_after_the_very_last_moment_has_a_second_to_wait() -> None:
    lates_us, every_s = range(0, 50, 10), 12.0
    moves = list[tuple[float, str, int]]()
    for place, late_us in enumerate(lates_us):
        begins_s = 2 + every_s * place
        moves += lap(begins_s, "left", CONFIRM_ON_S + 1 - CONFIRM_OFF_S + late_us / 1e6)
        moves += visit("left", begins_s + TO_SITE_S + 2, 4)
    heard = Heard()
    on_chip(moves, heard, initial_delay_s=1, reentry="resume", stop_session_s=every_s * len(lates_us))
    seconds = {
        round(given[0] - sounded[2][0])
        for place, _ in enumerate(lates_us)
        for sounded, given in [heard.take(2 + every_s * (place + 1))]
        if given and given[0] > 2 + every_s * place + TO_SITE_S + 2
    }
    assert seconds == {1}


@pytest.mark.parametrize("protocol", ["delay_discounting", "delay_discounting_exp1", "delay_discounting_blocked"])
def test_a_rat_runs_the_same_session_on_either_board(protocol: str) -> None:
    script = session_spec(protocol_spec(protocol, stop_session_s=900), 5, subject="A1")
    model, chip = (run_harness(script, model=make_model("rat", {}), board=board, seed=5) for board in ("sim", "avr"))
    assert chip.error is None
    assert len(chip.rows) > 20
    assert {row["outcome"] for row in chip.rows[:-1]} == {"rewarded"}
    apart = 0
    for ours, theirs in zip(model.rows, chip.rows, strict=False):
        assert {name: theirs[name] for name in DISCRETE} == {name: ours[name] for name in DISCRETE}
        for name in ("t_site_enter", "t_reward"):
            apart += theirs[name] - theirs["t_start"] != pytest.approx(ours[name] - ours["t_start"], abs=5 * MS)
    # Half a millisecond of each lap adds up, and a rat that is just deciding then walks another way.
    assert apart <= len(chip.rows) // 20
