"""When a mouse does things. Statistical bounds lie six standard errors out, so they hold for any seed."""

import asyncio
import math
import statistics
from itertools import pairwise

import pytest

from protocols.two_armed_bandit.subjects.nose_port_mouse import FLIGHT_S, INTERVALS, LONGEST_FLIGHT_S
from protocols.two_armed_bandit.subjects.random_choice import RandomMouse, RandomParams
from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from rig.core.model.rig_spec import RigSpec
from sim_hardware import loop as virtual
from tests.sim_hardware.models.box import Box, Settled, Touch, lived, watch


def test_a_mouse_learns_only_from_what_it_tastes(plan: RigSpec) -> None:
    class Student(Settled):
        def observe(self, side: str, rewarded: bool) -> None:
            lessons.append((side, rewarded))

    lessons: list[tuple[str, bool]] = []
    box = watch(Student(), plan, 3, 600.0, "left.valve")
    paid = list(box.paid)[: len(lessons)]
    assert len(lessons) > 100
    assert [rewarded for _, rewarded in lessons] == [
        was_paid and side == "right" for (side, _), was_paid in zip(lessons, paid, strict=True)
    ]


def median_within(values: list[float], median: float, sigma: float) -> bool:
    """Tell whether a sample of a lognormal distribution may have that median: its standard error is 1.2533 sigma."""
    return abs(math.log(statistics.median(values) / median)) < 6 * 1.2533 * sigma / math.sqrt(len(values))


@pytest.mark.parametrize("seed", range(3))
def test_flights_and_stays_have_the_documented_medians(plan: RigSpec, seed: int) -> None:
    box = watch(Settled(), plan, seed, 3_000.0)
    count = len(box.stays)
    assert count > 300
    flights = []
    for was_paid, ((before, _), (side, seconds)) in zip(box.paid, pairwise(box.flights), strict=False):
        flights.append(seconds - (0.0 if was_paid else 0.03) - (0.03 if side != before else 0.0))
    paid = [stayed for was_paid, stayed in zip(box.paid, box.stays, strict=False) if was_paid]
    unpaid = [stayed for was_paid, stayed in zip(box.paid, box.stays, strict=False) if not was_paid]
    assert median_within(paid, 0.60, 0.35)
    assert median_within(unpaid, 0.25, 0.50)
    assert median_within(flights, FLIGHT_S, 0.28)
    assert max(seconds for _, seconds in box.flights) <= LONGEST_FLIGHT_S + 1e-9


@pytest.mark.parametrize("seed", [0, 1_000_000])
def test_the_speed_differs_between_sessions_and_the_reaction_scales_with_it(plan: RigSpec, seed: int) -> None:
    # log reaction = log 0.30 + log speed (SD 0.30) + draw (SD 0.50)
    async def main() -> list[float]:
        logs = []
        for session in range(300):
            began = asyncio.get_running_loop().time()
            box = await lived(Settled(speed_sd=0.30), Box(plan, seed + session, lambda side: False), 20.0)
            logs.append(math.log((box.touches[0][0] - began) / 0.30))
        return logs

    logs = virtual.run(main())
    sigma = math.hypot(0.30, 0.50)
    assert abs(statistics.fmean(logs)) < 6 * sigma / math.sqrt(300)
    assert abs(statistics.stdev(logs) - sigma) < 6 * sigma / math.sqrt(600)


@pytest.mark.parametrize(("name", "p"), [("p_omission", 0.2), ("p_double", 0.3)])
def test_omissions_and_second_pokes_come_as_often_as_asked(plan: RigSpec, name: str, p: float) -> None:
    box = watch(Settled(**{name: p}), plan, 11, 3_000.0)
    failed, other = (box.misses, box.doubles) if name == "p_omission" else (box.doubles, box.misses)
    assert box.starts > 300
    assert other == 0
    assert abs(failed - box.starts * p) < 6 * math.sqrt(box.starts * p * (1 - p))


@pytest.mark.parametrize("pays", [True, False])
def test_some_visits_are_repeated_unrewarded_ones_more_often(plan: RigSpec, pays: bool) -> None:
    box = watch(Settled(), plan, 17, 3_000.0, pays=pays)
    visits = box.visits()
    again = sum(place == following != "center" for place, following in pairwise(visits))
    choices, p = len(box.paid), 0.21 if pays else 0.30
    assert abs(again - choices * p) < 6 * math.sqrt(choices * p * (1 - p))


def test_a_mouse_works_only_while_the_lamp_calls(plan: RigSpec) -> None:
    box = watch(Settled(), plan, 1, 600.0)
    assert len(box.paid) > 50
    assert watch(Settled(), plan, 1, 600.0, "center.light").touches == []


def test_early_pokes_come_before_the_lamp(plan: RigSpec) -> None:
    box = watch(Settled(p_early=1.0), plan, 1, 600.0)
    never = watch(Settled(p_early=1.0), plan, 1, 600.0, "center.light")
    assert never.visits() == ["center"]
    assert box.visits().count("center") > 1.1 * box.starts


def test_every_nose_that_goes_in_comes_out_before_the_next_goes_in(plan: RigSpec) -> None:
    box = watch(RandomMouse(RandomParams()), plan, 9, 2_000.0)
    inside: set[str] = set()
    for _, place, broken in box.touches:
        assert broken is (place not in inside)
        inside ^= {place}
        assert len(inside) <= 1


def test_the_same_seed_lives_the_same_life(plan: RigSpec) -> None:
    def life(seed: int) -> list[Touch]:
        return watch(RflrMouse(RflrParams()), plan, seed, 300.0).touches

    assert life(4) == life(4)
    assert life(4) != life(5)


def test_an_rflr_mouse_stays_after_a_reward_and_leaves_more_readily_without(plan: RigSpec) -> None:
    stayed: dict[bool, list[bool]] = {True: [], False: []}

    class Notes(RflrMouse):
        last: tuple[str, bool] | None = None

        def observe(self, side: str, rewarded: bool) -> None:
            if self.last is not None:
                stayed[self.last[1]].append(side == self.last[0])
            self.last = side, rewarded
            super().observe(side, rewarded)

    watch(Notes(RflrParams()), plan, 2, 3_000.0)
    assert statistics.fmean(stayed[True]) > statistics.fmean(stayed[False]) + 0.1


def intervals(box: Box) -> list[tuple[bool, bool, float]]:
    """Of every center poke after a choice: did that pay, was the side poked again, and the last poke's age."""
    found, entries = [], [(t_s, place) for t_s, place, broken in box.touches if broken]
    choices = iter(box.paid)
    paid = again = False
    for (before_s, before), (t_s, place) in pairwise(entries):
        if before == "center":
            paid, again = next(choices, False), False
        elif place == "center":
            found.append((paid, again, t_s - before_s))
        else:
            again = True
    return found


@pytest.mark.parametrize("pays", [True, False])
def test_a_mouse_that_goes_by_its_last_poke_has_the_intervals_of_the_public_sessions(plan: RigSpec, pays: bool) -> None:
    box = watch(Settled(reaction="last_poke", session_s=80_000), plan, 3, 6_000.0, pays=pays)
    found = intervals(box)
    for again in (False, True):
        median, sigma = INTERVALS[pays, again]
        extra = [interval - 1.0 for _, was_again, interval in found if was_again == again and interval < 6.0]
        assert len(extra) > 200
        assert median_within(extra, median, sigma)


def test_its_center_pokes_are_at_least_an_interval_after_the_last_poke(plan: RigSpec) -> None:
    box = watch(RandomMouse(RandomParams(reaction="last_poke", p_early=0.0)), plan, 3, 3_000.0)
    assert min(interval for _, _, interval in intervals(box)) > 1.0


@pytest.mark.parametrize("interval_s", [1.0, 3.0])
def test_it_never_pokes_the_center_in_the_dark(plan: RigSpec, interval_s: float) -> None:
    model = Settled(reaction="last_poke")
    box = watch(model, plan, 5, 2_000.0, interval_s=interval_s)
    assert len(box.paid) > 200
    assert box.in_the_dark == 0


def test_a_lamp_that_comes_late_is_reacted_to(plan: RigSpec) -> None:
    box = watch(Settled(reaction="last_poke"), plan, 5, 8_000.0, interval_s=30.0)
    late = [interval - 30.0 for _, again, interval in intervals(box) if not again and interval < 33.0]
    assert len(late) > 100
    assert median_within(late, 0.30, 0.5)


def test_early_pokes_come_in_the_dark_and_never_start_a_trial_that_is_not_done(plan: RigSpec) -> None:
    box = watch(Settled(reaction="last_poke", p_early=1.0), plan, 5, 2_000.0)
    assert box.in_the_dark > 200
    assert box.misses == 0


def test_rests_are_taken_and_grow_in_the_last_quarter(plan: RigSpec) -> None:
    for reaction in ("light", "last_poke"):
        rests = []
        for session_s in (1.0, 80_000.0):  # over soon, so that every trial is late; or long, so that none is
            box = watch(Settled(reaction=reaction, session_s=session_s), plan, 8, 9_000.0)
            gaps = [interval for _, _, interval in intervals(box)]
            rests.append(sum(gap > 8.0 for gap in gaps) / len(gaps))
        late, early = rests
        assert 0.006 < early < 0.035
        assert late > early + 0.005
