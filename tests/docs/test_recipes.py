"""Every recipe is right at the first `rig check`, and does what its sentence says."""

import shutil
from collections import Counter
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rig.cli.main import main
from rig.testing import SessionHarness, at, enter, leave, poke, run_session
from scripts import recipes_page
from sim_hardware.world.body import Body, light, tone
from tests.avr_tools import need_avr_tools

RECIPES = recipes_page.RECIPES
STAMPS_S = 20e-6
"""The stamps of one edge by the two boards differ by so much at most: ticks of 4 us, and the chip's own work."""

Animal = Callable[[Body], Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a laboratory's folder that holds the recipes."""
    shutil.copytree(recipes_page.FOLDER, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def played(recipe: str, animal: Any = (), board: str = "sim", session_s: float = 300, **params: Any) -> SessionHarness:
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


def test_there_are_fourteen_and_every_file_is_on_the_page() -> None:
    assert len(RECIPES) == 14
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


async def licks_early_and_after_every_tone(body: Body) -> None:
    # The first interval counts from the host's first reading of the board's clock, which comes milliseconds later on
    # the chip. From the first lick on, every time counts from an edge.
    await body.wait(1.0)
    await visit(body, "spout", 0.05)
    await licks_after_every_tone(body)


@pytest.mark.parametrize(
    ("recipe", "animal"), [("go_no_go", licks_early_and_after_every_tone), ("five_choice", pokes_the_flash)]
)
def test_the_same_edges_make_the_same_rows_on_the_firmware(recipe: str, animal: Animal) -> None:
    need_avr_tools()
    watched = played(recipe, animal, session_s=200)
    beams = [(t_us, name.partition(".")[0], on) for t_us, name, on in watched.trace if name.endswith(".beam")]
    script = [at(t_us / 1e6, place, enter if on else leave) for t_us, place, on in beams]
    model, chip = (played(recipe, script, board, session_s=200) for board in ("sim", "avr"))
    assert len(model.rows) > 15
    for ours, theirs in zip(model.rows, chip.rows, strict=True):
        assert ours.keys() == theirs.keys()
        for column, value in ours.items():
            expected = pytest.approx(value, abs=STAMPS_S) if isinstance(value, float) else value
            assert theirs[column] == expected, column


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
