"""Virtual subjects: what they choose, when they do things, and what they say of wrong parameters.

Statistical bounds lie six standard errors out, so they hold for any seed.
"""

import asyncio
import math
import random
import statistics
from collections.abc import Callable
from importlib.metadata import EntryPoint
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.plan import Rehearsal, RigPlan
from sim_hardware import driver
from sim_hardware import loop as virtual
from sim_hardware.body import Body
from sim_hardware.driver import make_model
from sim_hardware.models.base import Model, lognormal
from sim_hardware.models.learners.recency import RecursiveLogistic
from sim_hardware.models.nose_ports import LONGEST_FLIGHT_S, NosePortMouse
from sim_hardware.models.random_choice import RandomChoice, RandomParams
from sim_hardware.models.rflr import Rflr, RflrParams
from sim_hardware.models.scripted import Scripted, ScriptedParams, read_script
from sim_hardware.world import World

LAMP = 6
BEAMS = {2: "left", 5: "centre", 7: "right"}
VALVES = {"left": 4, "right": 9}

Touch = tuple[float, str, bool]


class Box:
    """A box whose lamp calls; a poke below it starts a trial, a side within two seconds is the choice."""

    def __init__(self, plan: RigPlan, seed: int, pays: Callable[[str], bool], *cut: str) -> None:
        self.clock = running()
        self.touches: list[Touch] = []
        self.paid: list[bool] = []
        self.flights: list[tuple[str, float]] = []
        self.stays: list[float] = []
        self.starts = self.misses = self.doubles = 0
        self._pays = pays
        self._poked_at: float | None = None
        self._entered_at: float | None = None
        self.world = World(plan, lambda: round(self.clock.time() * 1e6), frozenset(cut))
        self.world.connect(self._pin)
        self.touches.clear()
        self.body = Body(self.world, self.clock, seed)
        self._lamp(True)

    def _lamp(self, on: bool) -> None:
        self._lit = on
        self.world.driven(LAMP, int(on))

    def _pin(self, pin: int, level: int) -> None:
        place = BEAMS[pin]
        broken = bool(level) ^ (place == "centre")
        self.touches.append((self.clock.time(), place, broken))
        if broken and place == "centre":
            self._start()
        elif broken and self._poked_at is not None:
            self._choice(place)
        elif not broken and place != "centre" and self._entered_at is not None:
            self.stays.append(self.clock.time() - self._entered_at)
            self._entered_at = None

    def _start(self) -> None:
        if self._poked_at is not None:
            self.doubles += 1
            self._end()
        elif self._lit:
            self.starts += 1
            self._poked_at = self.clock.time()
            self._lamp(False)
            self._too_late = self.clock.call_later(2.0, self._miss)

    def _miss(self) -> None:
        self.misses += 1
        self._end()

    def _end(self) -> None:
        self._too_late.cancel()
        self._poked_at = None
        self.clock.call_later(1.0, self._lamp, True)

    def _choice(self, side: str) -> None:
        self._entered_at = self.clock.time()
        self.flights.append((side, self._entered_at - (self._poked_at or 0.0)))
        self.paid.append(self._pays(side))
        if self.paid[-1]:
            self.world.driven(VALVES[side], 1)
            self.clock.call_later(0.04, self.world.driven, VALVES[side], 0)
        self._end()

    def visits(self) -> list[str]:
        """Name the ports that were entered, in their order."""
        return [place for _, place, broken in self.touches if broken]


async def lived(model: Model, box: Box, seconds: float) -> Box:
    life = asyncio.create_task(model.live(box.body))
    await asyncio.sleep(seconds)
    life.cancel()
    await asyncio.gather(life, return_exceptions=True)
    assert life.cancelled()
    return box


def watch(model: Model, plan: RigPlan, seed: int, seconds: float, *cut: str, pays: bool | None = None) -> Box:
    rule = random.Random(seed)

    async def main() -> Box:
        decide = (lambda side: rule.random() < 0.5) if pays is None else (lambda side: pays)
        return await lived(model, Box(plan, seed, decide, *cut), seconds)

    box: Box = virtual.run(main(), t_max=10_000.0)
    return box


class Settled(RandomChoice):
    """A mouse that neither errs nor rests, at the usual speed: only its pokes are left to chance."""

    def __init__(self, **params: float) -> None:
        super().__init__(
            RandomParams(**{"speed_sd": 0.0, "p_early": 0.0, "p_omission": 0.0, "p_double": 0.0, **params})
        )


# --- draws --------------------------------------------------------------------------------------------------


@settings(max_examples=10)
@given(st.integers(0, 1 << 40), st.floats(0.01, 10), st.floats(0.05, 1.5))
def test_a_lognormal_draw_has_its_median_and_its_spread(seed: int, median: float, sigma: float) -> None:
    stream, count = random.Random(seed), 4_000
    logs = [math.log(lognormal(stream, median, sigma)) for _ in range(count)]
    assert abs(statistics.fmean(logs) - math.log(median)) < 6 * sigma / math.sqrt(count)
    assert abs(statistics.stdev(logs) - sigma) < 6 * sigma / math.sqrt(2 * count)


def test_a_lognormal_draw_takes_two_uniform_numbers_and_survives_their_extremes() -> None:
    class Fixed(random.Random):
        def random(self) -> float:
            return draws.pop(0)

    for value in (0.0, 1.0 - 2**-53):
        draws = [value, 0.25, 0.5]
        assert math.isfinite(lognormal(Fixed(), 1.0, 1.0))
        assert len(draws) == 1


# --- what the mouse chooses ---------------------------------------------------------------------------------


class Coin(random.Random):
    """Lands where it is told."""

    value = 0.0

    def random(self) -> float:
        return self.value


class Chooser:
    """All of a body that a choice needs."""

    def __init__(self) -> None:
        self.random = Coin()


def p_left(alpha: float, beta: float, tau: float, history: list[tuple[int, int]]) -> float:
    """Give the probability of a choice to the left, from the whole history at once: Beron et al., equation 6."""
    if not history:
        return 0.5
    evidence = alpha * history[-1][0] + sum(
        beta * choice * rewarded * math.exp(-age / tau) for age, (choice, rewarded) in enumerate(reversed(history))
    )
    return 1 / (1 + math.exp(-evidence))


@given(
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(0.2, 20),
    st.lists(st.tuples(st.sampled_from([1, -1]), st.sampled_from([0, 1])), max_size=30),
)
def test_rflr_chooses_with_the_probability_of_the_formula(
    alpha: float, beta: float, tau: float, history: list[tuple[int, int]]
) -> None:
    mouse, body = Rflr(RflrParams(alpha=alpha, beta=beta, tau=tau)), Chooser()
    for choice, rewarded in history:
        mouse.learn("left" if choice == 1 else "right", bool(rewarded))
    expected = p_left(alpha, beta, tau, history)
    for offset, side in ((-1e-9, "left"), (1e-9, "right")):
        body.random.value = expected + offset
        assert mouse.choose(body) == side  # type: ignore[arg-type]


def test_rflr_has_the_published_parameters() -> None:
    params = RflrParams()
    assert (params.alpha, params.beta, params.tau) == (0.78, 2.05, 1.43)


@pytest.mark.parametrize("beta", [1e3, 1e6, -1e6])
def test_rflr_is_certain_and_does_not_fail_on_overwhelming_evidence(beta: float) -> None:
    for side, certain in (("left", 1.0), ("right", 0.0)):
        learner = RecursiveLogistic(alpha=0.78, beta=beta, tau=1.43)
        learner.learn(side, True)
        assert learner.p_left() == pytest.approx(certain if beta > 0 else 1.0 - certain)


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 1.0])
def test_a_random_mouse_goes_left_as_often_as_it_is_told(p: float) -> None:
    mouse, body = RandomChoice(RandomParams(p_left=p)), Chooser()
    body.random = random.Random(5)  # type: ignore[assignment]
    lefts = sum(mouse.choose(body) == "left" for _ in range(4_000))  # type: ignore[arg-type]
    assert abs(lefts - 4_000 * p) <= 6 * math.sqrt(4_000 * p * (1 - p))


def test_a_mouse_learns_only_from_what_it_tastes(plan: RigPlan) -> None:
    class Student(Settled):
        def learn(self, side: str, rewarded: bool) -> None:
            lessons.append((side, rewarded))

    lessons: list[tuple[str, bool]] = []
    box = watch(Student(), plan, 3, 600.0, "left.valve")
    paid = list(box.paid)[: len(lessons)]
    assert len(lessons) > 100
    assert [rewarded for _, rewarded in lessons] == [
        was_paid and side == "right" for (side, _), was_paid in zip(lessons, paid, strict=True)
    ]


# --- when the mouse does things -----------------------------------------------------------------------------


def median_within(values: list[float], median: float, sigma: float) -> bool:
    """Tell whether a sample of a lognormal distribution may have that median: its standard error is 1.2533 sigma."""
    return abs(math.log(statistics.median(values) / median)) < 6 * 1.2533 * sigma / math.sqrt(len(values))


@pytest.mark.parametrize("seed", range(3))
def test_flights_and_stays_have_the_documented_medians(plan: RigPlan, seed: int) -> None:
    box = watch(Settled(), plan, seed, 3_000.0)
    count = len(box.stays)
    assert count > 300
    flights: dict[bool, list[float]] = {True: [], False: []}
    for (before, _), (side, seconds) in pairwise(box.flights):
        flights[side != before].append(seconds)
    paid = [stayed for was_paid, stayed in zip(box.paid, box.stays, strict=False) if was_paid]
    unpaid = [stayed for was_paid, stayed in zip(box.paid, box.stays, strict=False) if not was_paid]
    assert median_within(paid, 0.60, 0.35)
    assert median_within(unpaid, 0.25, 0.50)
    assert median_within(flights[False], 0.455, 0.28)
    assert median_within([flight - 0.05 for flight in flights[True]], 0.455, 0.28)
    assert max(flights[True] + flights[False]) <= LONGEST_FLIGHT_S + 1e-9


@pytest.mark.parametrize("seed", [0, 1_000_000])
def test_the_speed_differs_between_sessions_and_the_reaction_scales_with_it(plan: RigPlan, seed: int) -> None:
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
def test_omissions_and_second_pokes_come_as_often_as_asked(plan: RigPlan, name: str, p: float) -> None:
    box = watch(Settled(**{name: p}), plan, 11, 3_000.0)
    failed, other = (box.misses, box.doubles) if name == "p_omission" else (box.doubles, box.misses)
    assert box.starts > 300
    assert other == 0
    assert abs(failed - box.starts * p) < 6 * math.sqrt(box.starts * p * (1 - p))


@pytest.mark.parametrize("pays", [True, False])
def test_some_visits_are_repeated_unrewarded_ones_more_often(plan: RigPlan, pays: bool) -> None:
    box = watch(Settled(), plan, 17, 3_000.0, pays=pays)
    visits = box.visits()
    again = sum(place == following != "centre" for place, following in pairwise(visits))
    choices, p = len(box.paid), 0.21 if pays else 0.30
    assert abs(again - choices * p) < 6 * math.sqrt(choices * p * (1 - p))


def test_a_mouse_works_only_while_the_lamp_calls(plan: RigPlan) -> None:
    box = watch(Settled(), plan, 1, 600.0)
    assert len(box.paid) > 50
    assert watch(Settled(), plan, 1, 600.0, "centre.light").touches == []


def test_early_pokes_come_before_the_lamp(plan: RigPlan) -> None:
    box = watch(Settled(p_early=1.0), plan, 1, 600.0)
    never = watch(Settled(p_early=1.0), plan, 1, 600.0, "centre.light")
    assert never.visits() == ["centre"]
    assert box.visits().count("centre") > 1.1 * box.starts


def test_every_nose_that_goes_in_comes_out_before_the_next_goes_in(plan: RigPlan) -> None:
    box = watch(RandomChoice(RandomParams()), plan, 9, 2_000.0)
    inside: set[str] = set()
    for _, place, broken in box.touches:
        assert broken is (place not in inside)
        inside ^= {place}
        assert len(inside) <= 1


def test_the_same_seed_lives_the_same_life(plan: RigPlan) -> None:
    def life(seed: int) -> list[Touch]:
        return watch(Rflr(RflrParams()), plan, seed, 300.0).touches

    assert life(4) == life(4)
    assert life(4) != life(5)


def test_an_rflr_mouse_stays_after_a_reward_and_leaves_more_readily_without(plan: RigPlan) -> None:
    stayed: dict[bool, list[bool]] = {True: [], False: []}

    class Notes(Rflr):
        last: tuple[str, bool] | None = None

        def learn(self, side: str, rewarded: bool) -> None:
            if self.last is not None:
                stayed[self.last[1]].append(side == self.last[0])
            self.last = side, rewarded
            super().learn(side, rewarded)

    watch(Notes(RflrParams()), plan, 2, 3_000.0)
    assert statistics.fmean(stayed[True]) > statistics.fmean(stayed[False]) + 0.1


# --- scripts ------------------------------------------------------------------------------------------------

HEAD = "t_us,place,level\n"


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    def script(text: str) -> Path:
        path = tmp_path / "a script.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return script


def follow(plan: RigPlan, edges: tuple[tuple[int, str, int], ...], seconds: float = 10.0) -> list[Touch]:
    async def main() -> list[Touch]:
        await asyncio.sleep(3.0)
        box = Box(plan, 0, lambda side: False)
        box.body.begin()
        life = asyncio.create_task(Scripted(ScriptedParams(edges=edges)).live(box.body))
        await asyncio.sleep(seconds)
        await life
        return [(t_s - 3.0, place, broken) for t_s, place, broken in box.touches]

    touches: list[Touch] = virtual.run(main())
    return touches


def test_a_scripted_subject_does_exactly_what_its_list_says(plan: RigPlan) -> None:
    touches = follow(
        plan, ((1_500_000, "left", 1), (500_000, "centre", 1), (1_500_000, "centre", 0), (2_000_001, "left", 0))
    )
    assert [(round(t_s * 1e6), place, broken) for t_s, place, broken in touches] == [
        (500_000, "centre", True),
        (1_500_000, "left", True),
        (1_500_000, "centre", False),
        (2_000_001, "left", False),
    ]


def test_a_script_is_read_from_a_file(script: Callable[[str], Path]) -> None:
    path = script(HEAD + "1500000,left,1\n1700000,left,0\n\n")
    assert read_script(path) == [(1_500_000, "left", 1), (1_700_000, "left", 0)]


def test_every_line_that_is_not_an_edge_is_listed_by_its_number(script: Callable[[str], Path]) -> None:
    path = script(
        HEAD
        + "1500000,left,1\nsoon,left,1\n\n1700000,left\n1800000,left,2\n1.5,left,0\n1900000,left,0\n"
        + ",,\n2000000,left,1,more\n"
    )
    with pytest.raises(ConfigError) as caught:
        read_script(path)
    assert [mistake.removeprefix(f"{path}:").split(":")[0] for mistake in caught.value.mistakes] == [
        "3",
        "5",
        "6",
        "7",
        "9",
        "10",
    ]
    assert all("1500000,left,1" in mistake for mistake in caught.value.mistakes)


@pytest.mark.parametrize(
    "text", ["", "1500000,left,1\n", "time,place,level\n"], ids=["empty", "no head", "another head"]
)
def test_a_script_without_its_head_is_not_a_script(script: Callable[[str], Path], text: str) -> None:
    path = script(text)
    with pytest.raises(ConfigError, match=r":1: .*t_us,place,level"):
        read_script(path)


def test_an_empty_script_is_a_subject_that_sleeps(script: Callable[[str], Path], plan: RigPlan) -> None:
    assert read_script(script(HEAD)) == []
    assert follow(plan, ()) == []


def test_a_script_that_is_not_there_or_not_text_is_a_mistake_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "binary.csv").write_bytes(b"t_us,place,level\n\xff\xfe\x00")
    for name in ("nowhere.csv", "binary.csv"):
        with pytest.raises(ConfigError, match=r"cannot be read as a script") as caught:
            Scripted(ScriptedParams(file=tmp_path / name))
        assert name in str(caught.value)


def test_every_place_that_the_rig_does_not_have_is_named_before_anything_is_done(plan: RigPlan) -> None:
    with pytest.raises(ConfigError) as caught:
        follow(plan, ((1_000_000, "left", 1), (2_000_000, "attic", 1), (3_000_000, "cellar", 1)))
    assert "attic" in str(caught.value)
    assert "cellar" in str(caught.value)
    assert "left, centre, right" in str(caught.value)


# --- by name ------------------------------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the models of this repository, whatever is installed."""
    names = {"rflr": "rflr:Rflr", "random": "random_choice:RandomChoice", "scripted": "scripted:Scripted"}
    points = [EntryPoint(name, f"sim_hardware.models.{value}", "rig.models") for name, value in names.items()]
    monkeypatch.setattr(driver, "entry_points", lambda group: points)


@pytest.mark.usefixtures("installed")
def test_a_model_is_made_by_its_name_from_what_the_command_line_gives() -> None:
    mouse = make_model("rflr", {"alpha": "1.5", "p_early": "0"})
    assert isinstance(mouse, Rflr)
    assert isinstance(mouse.learner, RecursiveLogistic)
    assert mouse.learner.alpha == 1.5
    assert isinstance(make_model("random", {}), NosePortMouse)


@pytest.mark.usefixtures("installed")
def test_every_wrong_parameter_is_listed_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError) as caught:
        make_model("rflr", {"alhpa": "1", "tau": "0", "beta": "much", "p_early": "1.5"})
    mistakes = caught.value.mistakes
    assert len(mistakes) == 4
    for name, mistake in zip(("p_early", "beta", "tau", "alhpa"), mistakes, strict=True):
        assert mistake.startswith(f"--param {name}: ")
        assert "rflr takes: " in mistake
        assert "alpha, beta, tau" in mistake


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "hint"),
    [("rflrr", r"did you mean 'rflr'\? There are: random, rflr, scripted"), ("q", r"installed\. There are: random")],
)
def test_a_model_that_is_not_installed_is_named_with_those_that_are(name: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=hint):
        make_model(name, {})


@pytest.mark.usefixtures("installed")
def test_a_rehearsal_without_a_model_has_no_subject(plan: RigPlan) -> None:
    async def main() -> tuple[Any, Any]:
        body = Body(World(plan, lambda: 0), running(), 0)
        nobody = driver.subject(Rehearsal(), body)
        somebody = driver.subject(Rehearsal("random", {"p_left": "1"}), body)
        return nobody, somebody

    nobody, somebody = virtual.run(main())
    assert nobody is None
    coroutine = somebody()
    coroutine.close()
