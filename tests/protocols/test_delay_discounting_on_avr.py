"""Delay discounting on the firmware: tones and pellets to the millisecond, exits, and whole sessions."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from sim_hardware.avr.driver import AvrRig
from sim_hardware.driver import SimRig, make_model
from tests.avr_tools import need_avr_tools
from tests.protocols.maze import CONFIRM_OFF_S, TO_SITE_S, lap
from tests.session.stage import setting
from tests.support import Stage, play

MS = 1e-3
RESOLUTION_S = 20e-6
"""The firmware may be so late with either of two things of one instant."""
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

    def listen(self, stage: Stage) -> None:
        board: Any = stage.rig.board
        names = {channel.pin: channel.name for channel in stage.script.plan.wiring.channels}
        drive = board._drive

        def driven(pin: int, value: int) -> None:
            at_s = board.exact_us_of(board.driven_at) / 1e6
            if names[pin] == "speaker.tone":
                self.tones.append((at_s, value))
            elif names[pin].endswith(".feeder") and value:
                self.pulses.append(at_s)
            drive(pin, value)

        board._drive = driven


def on_chip(moves: Sequence[tuple[float, str, int]], heard: Heard, **values: Any) -> Stage:
    """Play a script on the firmware; the delayed side is left, and its delay stays what it is."""
    asked = {"delayed_side": "left", "delay_step_s": 0, "stop_max_trials": "null", "stop_max_pellets": 100_000}
    script = setting("delay_discounting", **{**asked, **values}).script(1, {}, subject="A1")
    edges = [(round(at_s * 1e6), place, level) for at_s, place, level in moves]
    return play(script, edges, arrange=heard.listen, made=AvrRig, t_max=100_000)


@pytest.mark.parametrize("delay_s", [1, 2, 3, 10, 30, 60])
def test_a_countdown_has_its_tones_a_second_apart_and_the_first_pellet_with_the_last(delay_s: int) -> None:
    heard = Heard()
    stage = on_chip(lap(2, "left", delay_s + 4), heard, initial_delay_s=delay_s, stop_session_s=delay_s + 12)
    begun = [(at_s, hz) for at_s, hz in heard.tones if hz]
    ended = [at_s for at_s, hz in heard.tones if not hz]
    assert [hz for _, hz in begun] == pytest.approx([1000 + 175 * n for n in range(delay_s, -1, -1)], rel=0.005)
    spacings = [after - before for (before, _), (after, _) in pairwise(begun)]
    assert spacings == pytest.approx([1.0] * delay_s, abs=1 * MS)
    lengths = [off - on for (on, _), off in zip(begun, ended, strict=True)]
    assert lengths == pytest.approx([0.1] * (delay_s + 1), abs=2 * MS)
    assert abs(heard.pulses[0] - begun[-1][0]) <= 1 * MS
    assert [after - before for before, after in pairwise(heard.pulses)] == pytest.approx([0.5, 0.5], abs=1 * MS)
    assert stage.rows[0]["t_reward"] == pytest.approx(heard.pulses[0], abs=1 * MS)


DELAY_S, EVERY_S = 2, 8.0


def exits(count: int) -> list[float]:
    """Draw how long to stay: confirmed anywhere in the countdown, or within 5 ms of a tone or of the first pellet."""
    draw, stays = random.Random(1), []
    for place in range(count):
        confirmed_s = CONFIRM_OFF_S + 0.01 + draw.random() * (DELAY_S - CONFIRM_OFF_S)
        if place % 2:
            confirmed_s = draw.choice((1, DELAY_S, DELAY_S)) + (2 * draw.random() - 1) * 5 * MS
        stays.append(confirmed_s - CONFIRM_OFF_S)
    return stays


@pytest.mark.parametrize("count", [200, pytest.param(10_000, marks=pytest.mark.campaign)], ids=["some", "many"])
def test_leaving_silences_the_countdown_at_once_and_no_pellet_follows_an_exit_that_came_first(count: int) -> None:
    stays = exits(count)
    moves = [move for place, stay_s in enumerate(stays) for move in lap(2 + EVERY_S * place, "left", stay_s)]
    heard = Heard()
    stage = on_chip(moves, heard, initial_delay_s=DELAY_S, stop_session_s=min(86_400, 20 + EVERY_S * count))
    assert stage.error is None
    assert len(stage.rows) == count
    late, tones, pulses = [], iter([*heard.tones, (1e9, 0)]), iter([*heard.pulses, 1e9])
    tone, pulse = next(tones), next(pulses)
    for place, (row, stay_s) in enumerate(zip(stage.rows, stays, strict=True)):
        left_s = 2 + EVERY_S * place + TO_SITE_S + stay_s + CONFIRM_OFF_S
        ends_s = left_s + 3
        sounding, given = [], []
        while tone[0] < ends_s:
            sounding.append(tone)
            tone = next(tones)
        while pulse < ends_s:
            given.append(pulse)
            pulse = next(pulses)
        assert len(given) in (0, 3), row
        assert row["outcome"] == ("rewarded" if given else "skip")
        assert row["pellets"] == len(given)
        if given:
            assert left_s > given[0] - RESOLUTION_S, "the exit came first"
        else:
            late.append(max(0.0, sounding[-1][0] - left_s))
            assert sounding[-1][1] == 0
    assert count * 0.5 < len(late) < count * 0.95
    print(f"{len(late)} exits, silent {max(late) * 1e6:.0f} us after their confirmation at most")  # noqa: T201
    assert max(late) <= 1 * MS
    assert stage.footer["pellets"] == len(heard.pulses)


@pytest.mark.parametrize("protocol", ["delay_discounting", "delay_discounting_exp1", "delay_discounting_blocked"])
def test_a_rat_runs_the_same_session_on_either_board(protocol: str) -> None:
    script = setting(protocol).script(5, {}, subject="A1")
    model, chip = (play(script, model=make_model("rat", {}), made=made, seed=5) for made in (SimRig, AvrRig))
    assert chip.error is None
    assert len(chip.rows) > 60
    assert {row["outcome"] for row in chip.rows[:-1]} == {"rewarded"}
    for ours, theirs in zip(model.rows, chip.rows, strict=False):
        assert {name: theirs[name] for name in DISCRETE} == {name: ours[name] for name in DISCRETE}
        for name in ("t_site_enter", "t_reward"):
            assert theirs[name] - theirs["t_start"] == pytest.approx(ours[name] - ours["t_start"], abs=5 * MS)
