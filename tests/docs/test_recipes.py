"""Every recipe is right at the first `rig check`, and does what its sentence says."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rig.cli.main import main
from rig.testing import SessionHarness, at, enter, leave, poke, run_session, set_value
from rig.testing.moves import Move
from scripts import recipes_page
from sim_hardware.world.body import Body, light, output, tone
from tests.avr_tools import need_avr_tools, need_pico_tools
from tests.broken_sessions import lines_of, resume, run_reconnecting
from tests.harness import run_harness
from tests.rules.test_a_board_that_comes_back import plug, unplug
from tests.session_specs import protocol_spec

RECIPES = recipes_page.RECIPES
STAMPS_S = 20e-6
"""The most by which two boards' stamps of one edge differ: ticks of 4 us, and the chip's own work."""
REFLEX_S = 1e-3
"""The most by which the times of their reflexes differ: the simulated board has no latency."""
SAMPLED_S = 10e-3
"""The most by which times of thresholds differ: each board samples at times of its own, and the animal follows."""
OF_REFLEXES = {"t_tone", "t_train"}
LATE_US, LENGTH_US = 500, 50
"""By how much at most the chip is late with an entry of a sequence, and the length of its pulse is wrong."""

Animal = Callable[[Body], Coroutine[Any, Any, None]]

boards = pytest.mark.parametrize("board", ["sim", pytest.param("avr", marks=pytest.mark.slow)])


@pytest.fixture(autouse=True)
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a laboratory's folder that holds the recipes."""
    shutil.copytree(recipes_page.FOLDER, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def played(recipe: str, animal: Any = (), board: str = "sim", session_s: float = 300, **params: Any) -> SessionHarness:
    if board != "sim":
        {"avr": need_avr_tools, "pico": need_pico_tools}[board]()
    return run_session(recipe, animal, params=params, stop={"session_s": session_s}, board=board)


def outcomes(session: SessionHarness) -> Counter[str]:
    return Counter(row.outcome for row in session.rows)


async def visit(body: Body, place: str, for_s: float = 0.1) -> None:
    body.enter(place)
    await body.wait(for_s)
    body.leave(place)


def choosing(choose: Callable[[str], str]) -> Animal:
    """A mouse that looks which side is lit, and pokes where ``choose`` says."""

    async def live(body: Body) -> None:
        while True:
            seen = await body.wait_for(light("left").on, light("right").on)
            await body.wait(0.3)
            await visit(body, choose(seen.place))
            await body.wait_for(light(seen.place).off)

    return live


def other(side: str) -> str:
    return {"left": "right", "right": "left"}[side]


def same(side: str) -> str:
    return side


# --- all of them ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_right_at_the_first_check(recipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", recipe]) == 0
    checked = capsys.readouterr().out
    assert ": ok: " in checked
    assert "never" not in checked, "every state was reached"


def test_there_are_twenty_and_every_file_is_on_the_page() -> None:
    assert len(RECIPES) == 20
    assert sorted(RECIPES) == sorted(file.stem for file in (recipes_page.FOLDER / "protocols").glob("*.py"))


@pytest.mark.parametrize(("recipe", "most"), [("go_no_go", 60), ("five_choice", 110)])
def test_the_two_that_everybody_knows_are_short(recipe: str, most: int) -> None:
    assert len(Path("protocols", f"{recipe}.py").read_text().splitlines()) <= most


# --- each of them ---------------------------------------------------------------------------------------------


async def licks_after_every_tone(body: Body) -> None:
    while True:
        await body.wait_for(tone("speaker"))
        await body.wait(0.4)
        await visit(body, "spout", 0.05)


async def licks_after_the_high_tone(body: Body) -> None:
    while True:
        if (await body.wait_for(tone("speaker"))).value > 5000:
            await body.wait(0.4)
            await visit(body, "spout", 0.05)


def test_go_no_go_rewards_hits_and_punishes_false_alarms() -> None:
    session = played("go_no_go", licks_after_every_tone)
    assert set(outcomes(session)) == {"hit", "false_alarm"}
    assert session.footer.rewards == outcomes(session)["hit"] == len(session.openings("spout.valve"))
    assert all(row.latency_s == pytest.approx(0.4, abs=0.01) for row in session.rows)
    assert all(row.drop_ul == (5 if row.outcome == "hit" else 0) for row in session.rows)
    assert set(outcomes(played("go_no_go", licks_after_the_high_tone))) == {"hit", "correct_rejection"}
    assert set(outcomes(played("go_no_go"))) == {"miss", "correct_rejection"}


def test_go_no_go_waits_longer_after_a_false_alarm() -> None:
    entered = played("go_no_go", licks_after_every_tone).states
    waits = {name: after - t_us for (name, t_us), (_, after) in pairwise(entered) if name in ("wait", "time_out")}
    assert waits["time_out"] == 4_000_000


def test_lick_counting_counts_the_licks_of_the_window() -> None:
    async def licks_thrice(body: Body) -> None:
        while True:
            if body.has_reward_at("spout"):
                for _ in range(3):
                    await visit(body, "spout", 0.05)
                    await body.wait(0.1)
                body.consume("spout")
            await body.wait(0.05)

    session = played("lick_counting", licks_thrice)
    assert {row.licks for row in session.rows[:-1]} == {3}
    assert all(0 < row.first_lick_s < 0.2 for row in session.rows[:-1])
    assert {(row.licks, row.first_lick_s) for row in played("lick_counting").rows} == {(0, None)}


def test_a_drop_follows_the_tone_whatever_the_animal_does() -> None:
    session = played("tone_then_drop", licks_after_every_tone)
    tones = [t_us for t_us, hz in session.changes("speaker.tone") if hz]
    drops = [opening.t_us for opening in session.openings("spout.valve")]
    assert len(drops) == len(session.rows) > 10
    assert [drop - begun for begun, drop in zip(tones, drops, strict=True)] == pytest.approx([1e6] * len(drops), abs=50)
    assert {(row.licks_in_tone, row.licks_after) for row in session.rows} == {(1, 0)}


def pokes_the_flash(
    body: Body,
    holes: dict[str, str] | None = None,
    early: bool = False,
    again: int = 0,
    collects_after_s: float = 0.5,
) -> Coroutine[Any, Any, None]:
    async def live() -> None:
        lights = [light(f"hole{number}").on for number in range(1, 6)]
        while True:
            await body.wait_for(light("tray").on)
            await body.wait(0.5)
            await visit(body, "tray")
            if early:
                await body.wait(1)
                await visit(body, "hole3")
                continue
            lit = (await body.wait_for(*lights)).place
            await body.wait(0.4)
            await visit(body, (holes or {}).get(lit, lit))
            for _ in range(again):
                await body.wait(0.5)
                await visit(body, "hole5")
            if (holes or {}).get(lit, lit) == lit:
                await body.wait(collects_after_s)
                await visit(body, "tray")
                body.consume("tray")

    return live()


def test_five_choice_pays_at_the_tray_for_the_hole_that_flashed() -> None:
    session = played("five_choice", pokes_the_flash)
    assert set(outcomes(session)) == {"rewarded"}
    assert len(session.openings("tray.valve")) == len(session.rows) > 30
    assert {row.hole for row in session.rows} == {f"hole{number}" for number in range(1, 6)}
    assert all(row.response == row.hole and row.latency_s == pytest.approx(0.4, abs=0.01) for row in session.rows)
    assert all(row.collect_s == pytest.approx(0.6, abs=0.01) for row in session.rows[:-1])
    assert {(row.perseverative, row.in_time_out) for row in session.rows} == {(0, 0)}
    flashes = [flash for number in range(1, 6) for flash in session.openings(f"hole{number}.light")]
    assert {flash.duration_us for flash in flashes} == {500_000}


def test_five_choice_tells_wrong_early_and_absent_responses_apart() -> None:
    wrong = played("five_choice", lambda body: pokes_the_flash(body, {f"hole{n}": "hole1" for n in range(2, 6)}))
    assert all(row.outcome == ("rewarded" if row.hole == "hole1" else "wrong") for row in wrong.rows)
    early = played("five_choice", lambda body: pokes_the_flash(body, early=True))
    assert set(outcomes(early)) == {"premature"}
    assert all(row.latency_s < 0 for row in early.rows)
    assert outcomes(played("five_choice", [poke(1, "tray")])) == {"omission": 1}


def test_five_choice_counts_pokes_that_no_state_asks_for() -> None:
    right = played("five_choice", lambda body: pokes_the_flash(body, again=2))
    assert {(row.perseverative, row.in_time_out) for row in right.rows[:-1]} == {(2, 0)}
    wrong = played(
        "five_choice",
        lambda body: pokes_the_flash(body, {f"hole{n}": f"hole{n % 5 + 1}" for n in range(1, 6)}, again=2),
    )
    assert {(row.perseverative, row.in_time_out) for row in wrong.rows[:-1]} == {(0, 2)}


def test_the_tray_of_five_choice_goes_dark_while_its_reward_waits() -> None:
    session = played("five_choice", lambda body: pokes_the_flash(body, collects_after_s=14.0))
    assert all(row.collect_s == pytest.approx(14.1, abs=0.01) for row in session.rows[:-1])
    lit = [light for light in session.openings("tray.light") if (light.duration_us or 0) > 5_000_000]
    assert lit
    assert all(light.duration_us == pytest.approx(10_000_000, abs=10_000) for light in lit[:-1])


def test_the_houselight_of_five_choice_is_off_in_the_time_out() -> None:
    session = played("five_choice", lambda body: pokes_the_flash(body, early=True), session_s=60)
    dark = [
        (after - before) / 1e6 for (before, on), (after, _) in pairwise(session.changes("houselight.light")) if not on
    ]
    assert dark
    assert dark == pytest.approx([5.0] * len(dark), abs=0.01)


def test_a_nose_that_holds_is_rewarded_and_one_that_leaves_is_not() -> None:
    session = played("hold", [poke(2, "left", 0.7), poke(10, "left", 0.3)])
    assert [(row.outcome, row.held_s) for row in session.rows] == [
        ("rewarded", 0.5),
        ("left_early", pytest.approx(0.3)),
    ]
    assert session.openings("left.valve")[0].t_us == pytest.approx(2_500_000, abs=5_000)


def test_a_poke_in_the_time_out_starts_it_again() -> None:
    async def errs_once(body: Body) -> None:
        seen = await body.wait_for(light("left").on, light("right").on)
        await visit(body, other(seen.place))
        await body.wait(3)
        await visit(body, "left")

    session = played("time_out", errs_once, session_s=60)
    assert outcomes(session) == {"unrewarded": 1}
    times = dict(reversed(session.states))
    again_us = [t_us for name, t_us in session.states if name == "choose"][1]
    assert again_us - times["time_out"] == pytest.approx(3e6 + 0.2e6 + 5e6, abs=0.2e6)


def test_corrections_ask_the_same_side_until_it_is_chosen() -> None:
    session = played("correction_trials", choosing(lambda lit: "left"))
    sides = [row.lit for row in session.rows]
    assert {row.correction for row in session.rows if row.lit == "left"} == {0}
    assert max(row.correction for row in session.rows) == 5
    assert all(after.lit == before.lit for before, after in pairwise(session.rows) if after.correction)
    assert sides.count("right") > sides.count("left"), "errors are asked again"
    assert {row.correction for row in played("correction_trials", choosing(same)).rows} == {0}


def test_the_side_that_is_avoided_is_lit_more_often() -> None:
    biased = played("bias_correction", choosing(lambda lit: "left"))
    assert [row.p_right for row in biased.rows[:2]] == [0.5, 0.9]
    assert {row.p_right for row in biased.rows[1:]} == {0.9}
    assert biased.footer.carry_over == {"choices": ["left"] * 20}
    fair = played("bias_correction", choosing(same), session_s=600)
    assert abs(sum(row.lit == "right" for row in fair.rows) / len(fair.rows) - 0.5) < 0.1


def test_licks_in_the_trace_are_counted_and_the_drop_comes_after_the_paired_tone_alone() -> None:
    async def expects(body: Body) -> None:
        while True:
            if (await body.wait_for(tone("speaker"))).value > 5000:
                await body.wait(1.0)
                await visit(body, "spout")

    session = played("trace_conditioning", expects, session_s=600)
    paired = [row for row in session.rows if row.tone == "paired"]
    assert {row.licks_in_trace for row in paired} == {1}
    assert {row.licks_in_trace for row in session.rows if row.tone == "unpaired"} == {0}
    assert [row.rewarded for row in session.rows] == [int(row.tone == "paired") for row in session.rows]
    for begin in range(0, len(session.rows) - 9, 10):
        assert sum(row.tone == "paired" for row in session.rows[begin : begin + 10]) == 5


def test_a_patch_depletes_and_the_other_is_fresh() -> None:
    async def leaves_after_five(body: Body) -> None:
        while True:
            for place in ("left", "right"):
                for _ in range(5):
                    await body.wait_for(light(place).on)
                    await body.wait(0.2)
                    await visit(body, place)
                    await body.wait_for(light(place).off)
                await body.wait_for(light(place).on)
                await visit(body, other(place))

    session = played("foraging", leaves_after_five)
    assert [row.p_reward for row in session.rows[:6]] == [1.0, 0.8, 0.64, 0.512, 0.4096, 1.0]
    assert [row.patch for row in session.rows[:11]] == ["left"] * 5 + ["right"] * 5 + ["left"]
    travels = [after - t_us for (name, t_us), (_, after) in pairwise(session.states) if name == "travel"]
    assert set(travels) == {4_000_000}


def test_the_staircase_follows_what_is_right_and_wrong_and_goes_on_the_next_day() -> None:
    session = played("staircase", choosing(same), session_s=120)
    flashes = [row.flash_s for row in session.rows]
    assert flashes[:5] == [1.0, 1.0, pytest.approx(1 / 1.5, abs=1e-4), pytest.approx(1 / 1.5, abs=1e-4), 0.4444]
    longer = [row.flash_s for row in played("staircase", choosing(other), session_s=120).rows]
    assert longer[:4] == [1.0, 1.5, 2.25, 3.375]
    assert max(longer) == 4.0
    again = run_session("staircase", choosing(same), stop={"session_s": 30}, carried_over=session.footer.carry_over)
    assert again.rows[0].flash_s == pytest.approx(session.footer.carry_over["flash_s"], abs=1e-4)


def test_one_trial_of_each_block_is_a_probe_in_which_neither_side_pays() -> None:
    session = played("probe_trials", choosing(same), session_s=300)
    assert {row.probe for row in session.rows[:20]} == {0}
    for begin in range(20, len(session.rows) - 9, 10):
        assert sum(row.probe for row in session.rows[begin : begin + 10]) == 1
    assert {row.lit for row in session.rows if row.probe} == {"both"}
    assert {row.rewarded for row in session.rows if row.probe} == {0}
    assert {row.rewarded for row in session.rows if not row.probe} == {1}


def test_a_hint_comes_after_three_seconds_while_the_choice_is_awaited() -> None:
    async def follows_the_light(body: Body) -> None:
        while True:
            await body.wait_for(light("center").on)
            await body.wait(0.2)
            for _ in range(2):
                await visit(body, "center")
                await body.wait(0.1)
            await visit(body, (await body.wait_for(light("left").on, light("right").on)).place)

    hinted = played("hint", follows_the_light, session_s=60)
    assert len(hinted.rows) > 8
    assert {(row.hinted, row.outcome, row.extra_pokes) for row in hinted.rows} == {(1, "rewarded", 1)}
    assert [row.choice for row in hinted.rows[:4]] == ["right", "left", "right", "left"]

    quick = played("hint", [poke(1, "center"), poke(2, "right"), poke(4, "center"), poke(4.5, "right")], session_s=20)
    assert [(row.hinted, row.outcome) for row in quick.rows] == [(0, "rewarded"), (0, "unrewarded")]
    assert not [on for side in ("left", "right") for on in quick.openings(f"{side}.light")]


def test_drops_follow_the_weight_and_the_side_the_number() -> None:
    visits = [poke(at_s, side) for at_s, side in ((1, "left"), (3, "right"))]
    for facts, side, drop_ul in (
        ({"number": 7, "weight_g": 22.0, "weight_pct": 88.0}, "left", 2.64),
        ({"number": 8, "weight_g": 30.0, "weight_pct": 95.0}, "right", 3.6),
        ({"number": 8, "weight_g": 40.0, "weight_pct": 95.0}, "right", 4.0),
        ({"number": 9, "weight_g": 19.0, "weight_pct": 80.0}, "left", 4.0),
    ):
        session = run_session("reward_by_weight", visits, facts=facts, stop={"session_s": 10})
        assert [(row.side, row.drop_ul) for row in session.rows] == [(side, pytest.approx(drop_ul))]


def chooses_by_the_clicks(body: Body, choose: Callable[[str], str] = same) -> Coroutine[Any, Any, None]:
    """A rat that counts the clicks of both sides, and pokes where ``choose`` says of the side with more."""

    async def live() -> None:
        while True:
            await body.wait_for(light("center").on)
            await body.wait(0.5)
            body.enter("center")
            clicks = Counter[str]()
            for _ in range(20):
                click = await body.wait_for(output("left_click").on, output("right_click").on)
                clicks[click.place.removesuffix("_click")] += 1
                await body.wait_for(output(click.place).off)
            body.leave("center")
            await body.wait_for(light("left").on)
            await body.wait(0.3)
            await visit(body, choose(max(clicks, key=clicks.__getitem__)))

    return live()


def test_the_side_with_more_of_twenty_clicks_is_rewarded() -> None:
    session = played("poisson_clicks", chooses_by_the_clicks)
    assert len(session.rows) > 40
    assert {row.left_clicks + row.right_clicks for row in session.rows} == {20}
    uneven = [row for row in session.rows if row.left_clicks != row.right_clicks]
    assert {row.side for row in uneven} == {"left", "right"}
    assert all(row.side == ("left" if row.left_clicks > row.right_clicks else "right") for row in uneven)
    assert {row.outcome for row in uneven} == {"rewarded"}
    away = played("poisson_clicks", lambda body: chooses_by_the_clicks(body, other))
    assert {row.outcome for row in away.rows if row.left_clicks != row.right_clicks} == {"unrewarded"}


@boards
def test_the_board_gives_each_click_at_its_drawn_time_after_the_poke(board: str) -> None:
    session = played("poisson_clicks", chooses_by_the_clicks, board, session_s=60)
    clicks = {side: session.openings(f"{side}_click") for side in ("left", "right")}
    lengths = [click.duration_us for side in clicks.values() for click in side]
    assert lengths == pytest.approx([1000] * len(lengths), abs=LENGTH_US)
    given = sorted((click.t_us / 1e6, side) for side, openings in clicks.items() for click in openings)
    started = {row.trial: row.t_train for row in session.rows}
    drawn = [(started[row.trial] + row.after_s, row.side) for row in session.table("clicks")]
    assert [side for _, side in given] == [side for _, side in drawn]
    assert [t_s for t_s, _ in given] == pytest.approx([t_s for t_s, _ in drawn], abs=LATE_US / 1e6)
    pokes = [edge.t_us / 1e6 for edge in session.edges if (edge.channel, edge.level) == ("center.beam", 1)]
    assert list(started.values()) == pytest.approx(pokes[: len(started)], abs=1e-3)


def test_the_intervals_of_the_clicks_have_the_mean_of_their_rate() -> None:
    rows = played("poisson_clicks", chooses_by_the_clicks).table("clicks")
    gaps = [after.after_s - before.after_s for before, after in pairwise(rows) if before.trial == after.trial]
    assert min(gaps) >= 0.005
    # The standard error of the mean of 1,000 intervals is 0.02 s / sqrt(1000) = 0.6 ms.
    assert sum(gaps) / len(gaps) == pytest.approx(1 / 40, abs=3e-3)


def visits_arms(body: Body, arms: tuple[int, ...] = (1, 2, 3, 2, 4, 5, 6, 7, 5, 8)) -> Coroutine[Any, Any, None]:
    """A rat that visits the arms in this order in each run, and bobs its head at each cup."""

    async def live() -> None:
        while True:
            await body.wait_for(light("houselight").on)
            for arm in arms:
                await body.wait(3.0)
                await visit(body, f"arm{arm}", 1.0)
                await body.wait(0.2)
                await visit(body, f"arm{arm}", 0.5)
            await body.wait_for(light("houselight").off)

    return live()


@boards
def test_each_arm_gives_one_drop_in_a_run_and_later_visits_are_errors(board: str) -> None:
    session = played("radial_maze", visits_arms, board)
    row = session.rows[0]
    assert (row.visits, row.arms, row.errors, row.first_error, row.rewarded) == (10, 8, 2, 4, 8)
    assert (row.outcome, row.delivered_by) == ("complete", ",".join(["board"] * 8))
    visits = [(visit.arm, visit.again) for visit in session.table("visits")[:10]]
    assert visits == [(f"arm{arm}", int(at in (3, 8))) for at, arm in enumerate((1, 2, 3, 2, 4, 5, 6, 7, 5, 8))]
    drops = [session.openings(f"arm{arm}.valve") for arm in range(1, 9)]
    assert {len(openings) for openings in drops} == {len(session.rows)}
    entered = [visit.t for visit in session.table("visits") if not visit.again]
    given = sorted(opening.t_us / 1e6 for openings in drops for opening in openings)
    assert given == pytest.approx(entered, abs=1e-3)


def test_a_run_in_the_maze_ends_after_its_time() -> None:
    session = played("radial_maze", lambda body: visits_arms(body, (1, 2)), run_s=20, rest_s=10, session_s=60)
    assert [(row.outcome, row.arms, row.errors, row.first_error) for row in session.rows] == [
        ("time_over", 2, 0, None)
    ] * 2


async def licks_and_waits(body: Body) -> None:
    while True:
        await body.wait(4.0)
        await visit(body, "spout", 0.05)
        for pause_s in (0.2, 0.7):
            await body.wait(pause_s)
            await visit(body, "spout", 0.05)


@boards
def test_a_lick_starts_a_tone_a_drop_and_pulses_of_the_laser(board: str) -> None:
    session = played("tone_drop_laser", licks_and_waits, board)
    assert {row.laser for row in session.rows} == {0, 1}
    assert {(row.licks_in_tone, row.licks_after, row.delivered_by) for row in session.rows} == {(1, 1, "board")}
    assert [row.t_tone for row in session.rows] == pytest.approx([row.t_lick for row in session.rows], abs=REFLEX_S)
    assert len(session.openings("speaker.tone")) == len(session.rows)
    due = [round(1e6 * row.t_tone) + 500_000 for row in session.rows]
    assert [opening.t_us for opening in session.openings("spout.valve")] == pytest.approx(due, abs=LATE_US)
    pulses = session.openings("laser")
    assert [pulse.duration_us for pulse in pulses] == pytest.approx([5_000] * len(pulses), abs=LENGTH_US)
    lasered = [t_us for t_us, row in zip(due, session.rows, strict=True) if row.laser]
    trains = [t_us + 50_000 * index for t_us in lasered for index in range(20)]
    assert [pulse.t_us for pulse in pulses] == pytest.approx(trains, abs=LATE_US)


async def runs_and_rocks(body: Body) -> None:
    """A mouse that runs 100 cm in 2 s and waits 2 s; then the wheel rocks back by less than the hysteresis, or more."""
    steps = 0
    for turn in range(100):
        for _ in range(40):
            await body.wait(0.05)
            steps += 50
            body.set_value("wheel", steps)
        await body.wait(2)
        body.set_value("wheel", steps - (300 if turn % 3 == 0 else 150))
        await body.wait(0.5)
        body.set_value("wheel", steps)


def test_each_mark_of_the_wheel_gives_one_drop_and_running_back_gives_none() -> None:
    session = played("running_wheel", runs_and_rocks)
    assert [row.mark for row in session.rows] == [f"mark{number}" for number in range(1, 11)]
    assert (session.footer.reason, session.footer.rewards) == ("task_finished", 10)
    assert len(session.openings("spout.valve")) == 10
    # A mark lies at the end of every second turn. Each third turn is taken back over the last mark, which is no drop.
    assert [row.run_s for row in session.rows[1:]] == pytest.approx([8.0] * 9, abs=0.011)
    assert [row.turned_back for row in session.rows] == [0, 0, 1, 0, 0, 1, 0, 0, 1, 0]


def test_a_wheel_that_is_turned_backward_gives_nothing() -> None:
    async def runs_backward(body: Body) -> None:
        for steps in range(0, -10_000, -50):
            await body.wait(0.05)
            body.set_value("wheel", steps)

    session = played("running_wheel", runs_backward)
    assert session.openings("spout.valve") == []


def running(from_s: float = 0.0) -> Animal:
    """A mouse that runs 50 cm in each second, on a wheel whose board was opened at a time and counts from 0."""

    async def live(body: Body) -> None:
        while True:
            await body.wait(0.05)
            body.set_value("wheel", round(1_000 * (body.now_s - from_s)))

    return live


async def runs_on_from_0(body: Body) -> None:
    """A mouse that runs 1,100 cm, stops while the cable is out, and runs on when the board counts from 0 again."""
    for steps in range(0, 22_000, 50):
        await body.wait(0.05)
        body.set_value("wheel", steps)
    body.set_value("wheel", 0)
    await body.wait(3)
    await running(body.now_s)(body)


NUMBERS = range(1, 11)


def test_the_marks_begin_again_when_the_cable_was_out() -> None:
    spec = protocol_spec("running_wheel", stop_session_s=300)
    session = run_reconnecting(spec, runs_on_from_0, (21.99, unplug), (24.0, plug))
    marks = [(row.mark, row.outcome) for row in session.rows]
    drops = [(f"mark{number}", "rewarded") for number in NUMBERS]
    assert marks == [*drops[:5], ("mark6", "interrupted"), *drops]
    assert session.footer.reason == "task_finished"
    assert [row.turned_back for row in session.rows] == [0] * 16


def test_the_marks_do_not_begin_again_when_the_lease_has_expired() -> None:
    """The board counts on: it was not opened again."""
    spec = protocol_spec("running_wheel", stop_session_s=300)
    session = run_reconnecting(spec, running(), (9.5, lambda harness: harness.block_input(5)))
    assert "interrupted" in [row.outcome for row in session.rows]
    drops = [row.mark for row in session.rows if row.outcome == "rewarded"]
    assert drops == [f"mark{number}" for number in NUMBERS]


def test_a_cable_that_is_out_while_the_animal_drinks_the_last_drop_ends_nothing_else() -> None:
    spec = protocol_spec("running_wheel", stop_session_s=300)
    session = run_reconnecting(spec, running(), (40.3, unplug), (42.3, plug))
    assert [(row.mark, row.outcome) for row in session.rows] == [(f"mark{number}", "rewarded") for number in NUMBERS]
    assert (session.footer.reason, session.footer.detail) == ("task_finished", "")


def test_the_marks_begin_again_in_a_session_that_is_resumed(tmp_path: Path) -> None:
    spec = protocol_spec("running_wheel", stop_session_s=300)
    whole = run_harness(spec, running())
    until = next(number for number, line in enumerate(whole.journal) if line.t_us > 9_500_000)
    session = resume(whole.spec, tmp_path / "001", lines_of(whole.raw, until), running())
    assert [row.mark for row in session.rows if row.outcome == "rewarded"] == [
        *("mark1", "mark2"),
        *(f"mark{number}" for number in NUMBERS),
    ]
    assert all(row.run_s == pytest.approx(3.0, abs=0.011) for row in session.rows[-9:])


@pytest.mark.parametrize("back_cm", [389, 10])
def test_a_mark_that_is_crossed_while_the_animal_drinks_is_not_forgotten(back_cm: int) -> None:
    way_cm = ((1.0, 200), (2.0, 401), (3.0, back_cm))
    moves = [set_value(at_s, "wheel", round(cm / 0.05)) for at_s, cm in way_cm]
    session = played("running_wheel", moves, session_s=15, drink_s=5.0)
    assert [(row.mark, row.outcome) for row in session.rows] == [
        ("mark1", "rewarded"),
        ("mark2", "rewarded"),
        ("mark3", "interrupted"),
    ]
    assert session.rows[1].run_s == 0
    assert len(session.openings("spout.valve")) == 2


def rewrite_marks(change: Callable[[list[str]], list[str]]) -> None:
    file = Path("configs", "rigs", "sim_wheel.yaml")
    lines = file.read_text().splitlines(keepends=True)
    marks = [line for line in lines if line.lstrip().startswith("mark")]
    first = lines.index(marks[0])
    file.write_text("".join([*lines[:first], *change(marks), *lines[first + len(marks) :]]))


def test_the_marks_may_stand_in_any_order_in_the_rig_file() -> None:
    rewrite_marks(lambda marks: marks[::-1])
    session = played("running_wheel", [set_value(1.0, "wheel", 4020)], session_s=5)
    assert session.rows[0].mark == "mark1"
    assert session.footer.rewards == 1


def test_a_wheel_without_marks_is_refused_by_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    rewrite_marks(lambda marks: ["      {}\n"])
    assert main(["check", "running_wheel"]) == 2
    assert "wheel has no thresholds in the rig file: each is a mark that gives a drop" in capsys.readouterr().err


def licks_by_voltage(body: Body, licks: Callable[[int], bool]) -> Coroutine[Any, Any, None]:
    """A mouse that licks after a tone of some frequency: a voltage that is high, shakes, and falls in two steps."""

    async def live() -> None:
        while True:
            heard = await body.wait_for(tone("speaker"))
            if licks(heard.value):
                await body.wait(0.4)
                for volts in (1.2, 2.6, 1.3, 1.8, 0.9, 0.2):
                    body.set_value("tongue", round(volts / 0.0008))
                    await body.wait(0.02)

    return live()


def test_a_lick_is_one_edge_of_the_voltage_whatever_it_does_between_the_levels() -> None:
    session = played("lick_voltage", lambda body: licks_by_voltage(body, lambda hz: True))
    assert set(outcomes(session)) == {"hit", "false_alarm"}
    assert session.footer.rewards == outcomes(session)["hit"] == len(session.openings("spout.valve"))
    licks = [edge for edge in session.edges if (edge.channel, edge.level) == ("tongue.lick", 1)]
    assert len(licks) == len(session.rows)
    assert all(row.latency_s == pytest.approx(0.42, abs=0.005) for row in session.rows)
    trained = played("lick_voltage", lambda body: licks_by_voltage(body, lambda hz: hz > 5000))
    assert set(outcomes(trained)) == {"hit", "correct_rejection"}
    assert set(outcomes(played("lick_voltage"))) == {"miss", "correct_rejection"}


def test_a_tongue_that_stays_at_the_spout_delays_the_tone() -> None:
    touched, free = (set_value(at_s, "tongue", value) for at_s, value in ((1.0, 3000), (4.0, 0)))
    session = played("lick_voltage", [touched, free], session_s=10)
    tones_us = [t_us for t_us, hz in session.changes("speaker.tone") if hz]
    assert tones_us[0] == pytest.approx(6_000_000, abs=5_000)


def pushes_after_the_light(
    body: Body, choose: Callable[[str], str], percent: float = 90.0
) -> Coroutine[Any, Any, None]:
    """A mouse that pushes the joystick along the axis of ``choose``, in steps, and lets it go."""

    async def live() -> None:
        while True:
            lit = (await body.wait_for(light("x_light").on, light("y_light").on)).place
            axis = choose(lit.removesuffix("_light"))
            for part in (0.3, 0.6, 1.0, 0.0):
                await body.wait(0.1)
                body.set_value(axis, round((50 + part * (percent - 50)) / 0.0244))
            await body.wait_for(light(lit).off)

    return live()


def test_a_push_of_the_joystick_along_the_lit_axis_gives_a_drop() -> None:
    session = played("joystick", lambda body: pushes_after_the_light(body, same))
    assert {(row.outcome, row.pushed == row.lit, row.delivered_by) for row in session.rows} == {
        ("rewarded", True, "board")
    }
    assert {row.lit for row in session.rows} == {"x", "y"}
    assert all(row.latency_s == pytest.approx(0.3, abs=0.011) for row in session.rows)
    crossed = played("joystick", lambda body: pushes_after_the_light(body, {"x": "y", "y": "x"}.__getitem__))
    assert {(row.outcome, row.pushed == row.lit) for row in crossed.rows} == {("unrewarded", False)}
    assert crossed.openings("spout.valve") == []


def test_a_push_that_does_not_reach_the_limit_is_none() -> None:
    session = played("joystick", lambda body: pushes_after_the_light(body, same, percent=75.0))
    assert {(row.outcome, row.pushed, row.latency_s) for row in session.rows} == {("omission", "", None)}


MIDDLE, PUSHED = round(50 / 0.0244), round(90 / 0.0244)


@pytest.mark.parametrize(
    ("moves", "light_s"),
    [
        ([(0.01, "x", PUSHED), (4.0, "x", MIDDLE)], 5.0),
        # x is pushed while y is held, and stays when y is let go.
        ([(0.2, "y", PUSHED), (2.0, "x", PUSHED), (3.0, "y", MIDDLE), (4.5, "x", MIDDLE)], 5.5),
        ([(0.2, "y", PUSHED), (0.4, "y", MIDDLE)], 1.4),
    ],
)
def test_a_light_comes_on_when_no_axis_was_pushed_for_a_while(
    moves: list[tuple[float, str, int]], light_s: float
) -> None:
    session = played("joystick", [set_value(*move) for move in moves], session_s=6)
    lights_us = [t_us for axis in "xy" for t_us, level in session.changes(f"{axis}_light.light") if level]
    assert min(lights_us) == pytest.approx(1e6 * light_s, abs=11_000)


# --- on each chip ---------------------------------------------------------------------------------------------


async def licks_early_and_after_every_tone(body: Body) -> None:
    # The first interval counts from the host's first reading of the board's clock, which comes milliseconds later on
    # the chip. From the first lick on, every time counts from an edge.
    await body.wait(1.0)
    await visit(body, "spout", 0.05)
    await licks_after_every_tone(body)


@pytest.mark.parametrize(
    ("recipe", "chip", "animal"),
    [
        ("go_no_go", "uno", licks_early_and_after_every_tone),
        ("five_choice", "uno", pokes_the_flash),
        ("poisson_clicks", "uno", chooses_by_the_clicks),
        pytest.param("poisson_clicks", "mega", chooses_by_the_clicks, marks=pytest.mark.slow),
        pytest.param("radial_maze", "mega", visits_arms, marks=pytest.mark.slow),
        ("tone_drop_laser", "uno", licks_and_waits),
        pytest.param("tone_drop_laser", "mega", licks_and_waits, marks=pytest.mark.slow),
        pytest.param("go_no_go", "pico", licks_early_and_after_every_tone, marks=pytest.mark.slow),
        pytest.param("five_choice", "pico", pokes_the_flash, marks=pytest.mark.slow),
        pytest.param("poisson_clicks", "pico", chooses_by_the_clicks, marks=pytest.mark.slow),
        pytest.param("radial_maze", "pico", visits_arms, marks=pytest.mark.slow),
        pytest.param("tone_drop_laser", "pico", licks_and_waits, marks=pytest.mark.slow),
    ],
)
def test_the_same_edges_make_the_same_rows_on_the_firmware(recipe: str, chip: str, animal: Animal) -> None:
    put_on(recipe, chip)
    # The simulated Pico is slow, and a run in the maze is long.
    session_s, board = (20 if recipe != "radial_maze" else 200, "pico") if chip == "pico" else (200, "avr")
    script = edges_of(played(recipe, animal, session_s=session_s))
    assert_same(played(recipe, script, session_s=session_s), played(recipe, script, board, session_s=session_s))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "animal"),
    [
        ("running_wheel", runs_and_rocks),
        ("lick_voltage", lambda body: licks_by_voltage(body, lambda hz: hz > 5000)),
        ("joystick", lambda body: pushes_after_the_light(body, same)),
    ],
)
def test_what_is_sampled_makes_the_same_rows_on_a_pico(recipe: str, animal: Animal) -> None:
    ours, theirs = (played(recipe, animal, board, session_s=30) for board in ("sim", "pico"))
    assert_same(ours, theirs, SAMPLED_S)


@pytest.mark.parametrize(
    ("recipe", "animal"), [("poisson_clicks", chooses_by_the_clicks), ("tone_drop_laser", licks_and_waits)]
)
def test_a_mega_makes_the_rows_of_an_uno(recipe: str, animal: Animal) -> None:
    script = edges_of(played(recipe, animal, session_s=200))
    uno = played(recipe, script, session_s=200)
    put_on(recipe, "mega")
    assert_same(uno, played(recipe, script, session_s=200))


def put_on(recipe: str, chip: str) -> None:
    """Write the chip into the recipe's rig file, in the test's copy."""
    rig = re.search(r"rig: (\w+)", Path("configs/protocols", f"{recipe}.yaml").read_text())
    assert rig is not None
    file = Path("configs/rigs", f"{rig[1]}.yaml")
    file.write_text(re.sub(r"chip: \w+", f"chip: {chip}", file.read_text()))


def edges_of(session: SessionHarness) -> list[Move]:
    beams = [(t_us, name.partition(".")[0], on) for t_us, name, on in session.trace if name.endswith(".beam")]
    return [at(t_us / 1e6, place, enter if on else leave) for t_us, place, on in beams]


def assert_same(first: SessionHarness, second: SessionHarness, stamps_s: float = STAMPS_S) -> None:
    tables = {"trials": (first.rows, second.rows)}
    tables |= {name: (first.table(name), second.table(name)) for name in first.spec.task.tables}
    for name, (ours, theirs) in tables.items():
        assert len(ours) > 1, name
        for row, same_row in zip(ours, theirs, strict=True):
            assert row.keys() == same_row.keys()
            for column, value in row.items():
                within_s = REFLEX_S if column in OF_REFLEXES else stamps_s
                expected = pytest.approx(value, abs=within_s) if isinstance(value, float) else value
                assert same_row[column] == expected, (name, column)
