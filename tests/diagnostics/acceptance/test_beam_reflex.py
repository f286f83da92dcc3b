"""The reflex of a beam that a person breaks: a hand too near or too late repeats this beam, and no step."""

import asyncio

import pytest

from rig.core.clock import running
from rig.diagnostics.acceptance.beam_reflex import BY_HAND, measure_beam_reflex
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import LoopPins, Site
from rig.session.spec.build import load_rig_spec
from sim_hardware.driver import SimRig
from sim_hardware.loop import run
from tests.diagnostics.acceptance.site_helpers import ArrangedDriver, Onlooker

PINS = LoopPins(18, 19)
KEEP_AWAY = "keep your hand away from the beam until you are asked to break it"


class Hand(Onlooker):
    """A hand at the left beam; it ``misses`` its first turns, and ``strays`` before the first of them."""

    def __init__(self, *, misses: int = 0, strays: int = 0, stray_at_us: int = 20_000, has_jumper: bool = True) -> None:
        super().__init__()
        self.stray_at_us = stray_at_us
        self.misses = misses
        self.strays = strays
        self.has_jumper = has_jumper

    def arrange(self, rig: SimRig) -> None:
        """Put the jumper in, and the hand to its work."""
        self.rig = rig
        drive = rig.board.chip._drive

        def joined(pin: int, level: int) -> None:
            if pin != PINS.output:
                drive(pin, level)
            elif self.has_jumper:
                running().call_soon(rig.board.chip.inputs.drive, PINS.input, level)

        rig.board.chip._drive = joined
        rig.call_at_us(self.stray_at_us, self._stray)

    def instruct(self, text: str) -> None:
        super().instruct(text)
        if text.startswith("break"):
            self.misses -= 1
            if self.misses < 0:
                running().call_later(0.3, self.rig.body.enter, "left")
        elif "clear" in text:
            running().call_later(0.3, self.rig.body.leave, "left")
        elif text == KEEP_AWAY:
            running().call_later(0.05, self._stray)

    def _stray(self) -> None:
        self.strays -= 1
        if self.strays >= 0:
            self.rig.body.enter("left")
            running().call_later(0.04, self.rig.body.leave, "left")


def row_of(hand: Hand) -> AcceptanceRow:
    async def main() -> AcceptanceRow:
        plan = load_rig_spec("nose_ports_uno")
        return await measure_beam_reflex(Site(plan, ArrangedDriver(hand.arrange, {}), hand, "uno", PINS))

    return run(asyncio.wait_for(main(), 600))


def breaks(hand: Hand) -> list[str]:
    return [text for text in hand.said if text.startswith("break")]


def test_a_beam_is_broken_five_times() -> None:
    hand = Hand()
    assert row_of(hand).verdict == "pass"
    assert len(breaks(hand)) == BY_HAND
    assert KEEP_AWAY not in hand.said


def test_a_missed_beam_is_asked_for_once_more_and_no_other() -> None:
    hand = Hand(misses=2)
    assert row_of(hand).verdict == "pass"
    assert breaks(hand) == [f"break the left beam now ({turn} of 5)" for turn in (1, 1, 1, 2, 3, 4, 5)]
    assert hand.said.count("the left beam was not broken: once more") == 2


def test_a_beam_that_is_never_broken_is_said() -> None:
    row = row_of(Hand(misses=99))
    assert (row.verdict, row.found) == ("fail", "the left beam was not broken")


def test_a_hand_near_the_beam_is_asked_away() -> None:
    hand = Hand(strays=2)
    assert row_of(hand).verdict == "pass"
    assert hand.said.count(KEEP_AWAY) == 2
    assert len(breaks(hand)) == BY_HAND


@pytest.mark.parametrize("stray_at_us", range(0, 4_000, 200))
def test_a_hand_at_any_moment_costs_no_step(stray_at_us: int) -> None:
    hand = Hand(strays=1, stray_at_us=stray_at_us)
    assert row_of(hand).verdict == "pass"
    assert len(breaks(hand)) == BY_HAND


def test_a_beam_that_is_never_left_alone_is_said() -> None:
    row = row_of(Hand(strays=99))
    assert row.verdict == "fail"
    assert row.found == "the left beam changed untouched: keep your hand away from the beam, and look at its wire"


def test_a_reflex_that_does_not_reach_the_jumper_fails_at_once() -> None:
    hand = Hand(has_jumper=False)
    assert row_of(hand).found == "the left beam was broken, and its reflex did not fire"
    assert len(breaks(hand)) == 1
