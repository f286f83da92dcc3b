"""However a session ends, what it was ended by is in its journal, and its replay decides the same to the last line."""

from typing import Any

import pytest

from rig.core.clock import running
from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import REPLAYED_INPUTS, REPLAYED_OUTPUTS, RewardLine
from rig.session.replay import replay_lines
from tests.harness import FaultHarness, poke, run_harness, scripted_subject
from tests.replay_decisions import recorded_decisions, replayed_decisions
from tests.session_specs import protocol_spec, with_panic


def assert_the_same(harness: FaultHarness) -> None:
    agreed, difference = replay_lines(harness.journal)
    assert difference is None
    assert agreed == sum(isinstance(line, REPLAYED_OUTPUTS) for line in harness.journal)
    bare = [line for line in harness.journal if isinstance(line, (*REPLAYED_INPUTS, Header, Footer))]
    assert replayed_decisions(bare) == recorded_decisions(harness.journal)


def at(seconds: float, what: Any) -> Any:
    return lambda harness: running().call_at(seconds, what, harness)


ENDINGS = {
    "stop": lambda harness: harness.session.request("stop"),
    "reward": lambda harness: harness.session.request("reward right"),
    "disk": lambda harness: harness.session.fail(RecordError("the disk is full")),
    "unplug": lambda harness: harness.rig.cable.disconnect(),
    "reset": lambda harness: harness.rig.board.reset(),
    "panic": lambda harness: harness.rig.world.press_panic(True),
    "stop_now": lambda harness: harness.session.stop_now(),
    "stop and stop_now": lambda harness: (harness.session.request("stop"), harness.session.stop_now()),
}


def moments(*often_s: float, seldom_s: tuple[float, ...]) -> pytest.MarkDecorator:
    """Parametrize ``when_s``; what happens seldom is left to the campaign."""
    seldom = (pytest.param(when_s, marks=pytest.mark.campaign) for when_s in seldom_s)
    return pytest.mark.parametrize("when_s", [*often_s, *seldom])


@moments(2.0015, 2.501, seldom_s=(1.9, 2.0003, 2.3, 2.5005, 2.7))
@pytest.mark.parametrize("ending", ENDINGS)
def test_however_a_session_is_interrupted_it_is_decided_again(ending: str, when_s: float) -> None:
    harness = run_harness(
        with_panic(protocol_spec(p_high=1, start_high_side="left", stop_session_s=6)),
        scripted_subject(poke("center", 2.0), poke("left", 2.5), poke("center", 3.0)),
        arrange=at(when_s, ENDINGS[ending]),
    )
    assert_the_same(harness)


@pytest.mark.parametrize("when_s", [0.0, 0.0004, 0.001, 0.0015, 0.002, 0.003])
def test_a_reward_asked_for_before_the_board_is_open_is_decided_again(when_s: float) -> None:
    def ask_and_stop(harness: FaultHarness) -> None:
        harness.session.request("reward left")
        running().call_at(when_s, harness.session.stop_now)

    harness = run_harness(
        protocol_spec(stop_session_s=6), scripted_subject(poke("center", 2.0)), arrange=at(0.0, ask_and_stop)
    )
    assert harness.of_kind(RewardLine)[-1].status in ("refused", "unconfirmed")
    assert_the_same(harness)


@moments(2.501, seldom_s=(2.0015, 2.3))
@pytest.mark.parametrize("ending", ["stop", "unplug", "panic", "stop_now"])
def test_a_session_that_was_killed_in_its_end_is_decided_again_up_to_there(ending: str, when_s: float) -> None:
    harness = run_harness(
        with_panic(protocol_spec(p_high=1, start_high_side="left", stop_session_s=6)),
        scripted_subject(poke("center", 2.0), poke("left", 2.5)),
        arrange=at(when_s, ENDINGS[ending]),
    )
    for lines in range(1, len(harness.journal)):
        assert replay_lines(harness.journal[:lines])[1] is None


@pytest.mark.parametrize("after_s", [0.0, 0.00005, 0.0001, 0.0006, 0.001, 0.3])
def test_a_session_whose_animal_crashed_is_decided_again(after_s: float) -> None:
    async def mad(body: Any) -> None:
        await body.wait(2.0)
        body.enter("center")
        await body.wait(0.5)
        body.enter("left")
        await body.wait(after_s)
        raise ValueError("mad")

    harness = run_harness(protocol_spec(p_high=1, start_high_side="left", stop_session_s=6), mad)
    assert harness.footer.reason == "fault"
    assert harness.faults == ["subject"]
    assert_the_same(harness)


@pytest.mark.parametrize("hold_s", [1.9, 2.2, 5])
def test_a_session_with_an_expired_lease_is_decided_again(hold_s: float) -> None:
    def stall(harness: FaultHarness) -> None:
        harness.rig.cable.to_board.hold()
        running().call_later(hold_s, harness.rig.cable.to_board.release)

    harness = run_harness(
        protocol_spec(p_high=1, start_high_side="left", stop_session_s=20),
        scripted_subject(poke("center", 2.0), poke("left", 2.5), poke("center", 9.0), poke("left", 9.5)),
        arrange=at(2.1, stall),
    )
    assert ("lease_expired" in harness.faults) == (hold_s > 2)
    assert_the_same(harness)
