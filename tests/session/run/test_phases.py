"""A session goes from phase to phase as its table says, whatever happens to it, and ends with its outputs off."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import RigError
from rig.core.journal.header import Footer
from rig.core.journal.kinds import Command
from rig.core.model.events import Continued
from rig.session.run.phases import IMMEDIATE_STOP, MEANINGS, TRANSITIONS, Phase, Phases
from tests.repository import ROOT
from tests.session.run.lives import WHATS, Happening, Life, Unready, broken_after, short
from tests.tables import read_tables, rows

PAGE = ROOT / "docs" / "explanations" / "session-life.md"
FAR_US = 10**12


def on_the_way_out(life: Life) -> None:
    """Check what holds for every session that is over."""
    assert all(way in TRANSITIONS for way in pairwise(life.path))
    assert life.path[-1] is (Phase.WRITTEN if life.error is None else Phase.REFUSED)
    assert isinstance(life.error, RigError | None)
    assert not life.on_at(FAR_US)
    openings = life.valve_openings
    assert all(opening.us is not None for opening in openings)
    assert [json.loads(line)["seq"] for line in life.raw] == list(range(len(life.journal)))
    if life.outcome is not None:
        assert len(openings) <= life.outcome.rewards, "what was given counts"
        assert isinstance(life.journal[-1], Footer) or life.outcome.detail == "the disk is full"
    else:
        assert not openings
        kinds = [type(line) for line in life.journal]
        # A broken session writes first what it has decided before it broke off.
        assert Command not in (dropwhile(lambda kind: kind is not Continued, kinds) if life.broken else kinds)


# --- the table ------------------------------------------------------------------------------------------------


def test_a_way_that_is_not_in_the_table_is_an_error_and_changes_nothing() -> None:
    phases = Phases(Phase.OPENING)
    phases.enter(Phase.RUNNING)
    with pytest.raises(RigError, match=r"from 'running' to 'rebuilding' \(its phases were: opening, running\)"):
        phases.enter(Phase.REBUILDING)
    assert phases.now is Phase.RUNNING


def test_the_table_names_every_phase_and_leads_to_an_end_from_each() -> None:
    ends = {Phase.WRITTEN, Phase.REFUSED}
    assert set(MEANINGS) == set(Phase)
    assert {start for start, _ in TRANSITIONS} == set(Phase) - ends
    lead_to_an_end = set(ends)
    for _ in Phase:
        lead_to_an_end |= {start for start, following in TRANSITIONS if following in lead_to_an_end}
    assert lead_to_an_end == set(Phase)


def test_an_immediate_stop_is_possible_in_every_phase_that_has_no_stop_behind_it() -> None:
    assert set(IMMEDIATE_STOP.items()) <= set(TRANSITIONS)
    assert set(Phase) - set(IMMEDIATE_STOP) == {Phase.CANCELED, Phase.STOPPED, Phase.WRITTEN, Phase.REFUSED}


def test_the_page_of_the_sessions_life_has_the_table() -> None:
    phases = [f"| {phase.value} | {meaning} |" for phase, meaning in MEANINGS.items()]
    ways = [f"| {start.value} | {following.value} | {why} |" for (start, following), why in TRANSITIONS.items()]
    page = PAGE.read_text()
    for table in (phases, ways):
        assert "\n".join(table) in page, "\n".join(["write this into the page:", *table])


# --- each way -------------------------------------------------------------------------------------------------

OVER = "rebuilding refused"


def phases_of(path: str) -> list[Phase]:
    return [Phase(word) for word in path.split()]


def lives(happenings: Sequence[Sequence[Any]], path: str, *conditions: Any) -> Life:
    """Run a session to which things happen, and check its phases."""
    life = Life([Happening(*happening) for happening in happenings], *conditions)
    assert life.path == phases_of(path)
    on_the_way_out(life)
    return life


@rows("case", "happenings", "path")
def test_a_new_session_that(happenings: Sequence[Sequence[Any]], path: str) -> None:
    life = lives(happenings, path)
    if "reopen" in str(happenings):
        assert len(life.boards) == 2
        assert all(board._link._closed for board in life.boards), "a board that is back at the stop is let go"


def test_a_board_is_opened_again_in_one_of_them() -> None:
    assert "reopen" in str(read_tables(__file__)["test_a_new_session_that"])


@rows("case", "happenings", "path")
def test_a_new_session_whose_task_refuses_it_that(happenings: Sequence[Sequence[Any]], path: str) -> None:
    lives(happenings, path, short(Unready))


@rows("case", "happenings", "path")
def test_a_broken_session_that(happenings: Sequence[Sequence[Any]], path: str, tmp_path: Path) -> None:
    lives(happenings, path, None, broken_after(30, tmp_path))


def test_a_broken_session_whose_task_had_ended_does_not_go_on(tmp_path: Path) -> None:
    lives([], OVER, short(max_trials=1), broken_after(60, tmp_path))


def test_these_lives_take_every_way_of_the_table() -> None:
    paths = [OVER, *(path for table in read_tables(__file__).values() for _, _, path in table)]
    assert {way for path in paths for way in pairwise(phases_of(path))} == set(TRANSITIONS)


def test_what_a_lost_board_may_have_given_counts_when_the_line_of_its_return_has_no_room() -> None:
    in_doubt = []
    for us in range(1_902_000, 1_907_000, 1_000):  # a drop is ordered at 1.9 s
        happenings = [Happening("unplug", "s", us / 1e6), Happening("plug", "s", 2.9)]
        (back,) = [seq for seq, line in enumerate(Life(happenings).journal) if isinstance(line, Continued)]
        life = Life([*happenings, Happening("full_once", back, 0)])
        on_the_way_out(life)
        assert life.path == phases_of("opening running disconnected ending written")
        assert [board._link._closed for board in life.boards] == [True, True]
        in_doubt.append(life.footer.unconfirmed_rewards)
    assert 1 in in_doubt


# --- whatever happens -----------------------------------------------------------------------------------------

SEEDS = [pytest.param(seed, marks=pytest.mark.campaign if seed >= 25 else ()) for seed in range(3_000)]


def random_happening(chance: random.Random, lines: int) -> Happening:
    what = chance.choice((*WHATS, "stop_now", "unplug", "plug"))
    if chance.random() < 0.4:
        return Happening(
            what, "s", chance.choice((chance.uniform(0, 0.01), chance.uniform(0, 6), 2.0, 2.0, 2.001, 5.0))
        )
    moments = ("start", "open", "reopen", "close", lines + chance.randint(1, 8), lines + chance.randint(1, 60))
    return Happening(what, chance.choice(moments), chance.randint(1, 5))


def random_life(seed: int, folder: Path) -> Life:
    chance = random.Random(seed)
    broken = broken_after(chance.randint(10, 60), folder) if chance.random() < 0.3 else None
    task = {"task": Unready} if broken is None and chance.random() < 0.1 else {}
    spec = short(**task, reconnect_within_s=chance.choice((0, 2, 2)), max_trials=chance.choice((None, None, 3)))
    lines = 0 if broken is None else broken.lines
    return Life([random_happening(chance, lines) for _ in range(chance.randint(1, 5))], spec, broken)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happens_a_session_is_written_or_refused_with_its_outputs_off(seed: int, tmp_path: Path) -> None:
    on_the_way_out(random_life(seed, tmp_path))
