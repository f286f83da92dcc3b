"""A search on a computer that stalls or was killed: the participant goes on at the same page, with the same rewards."""

from pathlib import Path

import pytest

from rig.core.journal.kinds import StateLine
from rig.core.model.events import Continued
from rig.session.replay import replay_lines
from tests.broken_sessions import lines_of, resume
from tests.harness import FaultHarness, run_harness
from tests.protocols.searching.people import SHORT, person
from tests.session_specs import protocol_spec, session_spec

ROUTE = person(lambda body, tiles: tiles[5])


@pytest.fixture(scope="module")
def whole() -> FaultHarness:
    """A session that was not interrupted."""
    return run_harness(session_spec(protocol_spec("grid_bandit", **SHORT)), ROUTE)


@pytest.mark.parametrize(
    "state",
    [
        "example",
        "choose",
        *(pytest.param(state, marks=pytest.mark.slow) for state in ("read", "quiz", "ready", "feedback", "guess")),
    ],
)
def test_a_participant_whose_program_was_killed_goes_on_at_the_same_page(
    whole: FaultHarness, tmp_path: Path, state: str
) -> None:
    entered = [(at, line.name) for at, line in enumerate(whole.journal) if isinstance(line, StateLine)]
    until = [at for at, name in entered if name == state][-1] + 4
    harness = resume(whole.spec, tmp_path / "001", lines_of(whole.raw, until), ROUTE)
    (continued,) = harness.of_kind(Continued)
    after = [name for name, t_us in harness.states if t_us >= continued.t_us]
    assert after[:2] == ["consent", [name for at, name in entered if at < until][-1]]
    assert harness.footer.reason == "task_finished"
    assert [(row["tile"], row["shown"]) for row in harness.rows] == [(row["tile"], row["shown"]) for row in whole.rows]
    assert harness.footer.carry_over == whole.footer.carry_over
    assert len(harness.table("rounds")) == 2
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("where_s", [4.0, 11.5])
def test_an_expired_lease_changes_nothing_for_the_participant(whole: FaultHarness, where_s: float) -> None:
    spec = session_spec(protocol_spec("grid_bandit", **SHORT))
    harness = run_harness(spec, ROUTE, (where_s, lambda harness: harness.block_input(2.5)))
    assert (harness.footer.lease_expirations, harness.footer.reason) == (1, "task_finished")
    assert [row["shown"] for row in harness.rows] == [row["shown"] for row in whole.rows]
    assert replay_lines(harness.journal)[1] is None


def test_a_participant_without_time_left_is_paid_and_debriefed() -> None:
    harness = run_harness(session_spec(protocol_spec("grid_bandit", **SHORT, stop_session_s=9.3)), ROUTE)
    assert (harness.footer.reason, [name for name, _ in harness.states][-2:]) == ("time_limit", ["debrief", "done"])
    (left,) = harness.table("rounds")
    assert (left["end"], left["clicks"]) == ("left", len(harness.rows))
    assert harness.footer.carry_over["payment"] == round(0.5 + left["bonus"], 2)
