"""However a session ends, what it was ended by is in its journal, and its replay decides the same to the last line."""

from typing import Any

import pytest

from rig.core.clock import running
from rig.core.errors import RecordError
from rig.core.journal.journal import REPLAYED_INPUTS, REPLAYED_OUTPUTS
from rig.session.replay import replay_lines
from tests.replay_decisions import recorded_decisions, replayed_decisions
from tests.session.stage import Stage, play, poke, script_for, setting


def assert_the_same(stage: Stage) -> None:
    agreed, difference = replay_lines(stage.journal)
    assert difference is None
    assert agreed == sum(line["k"] in REPLAYED_OUTPUTS for line in stage.journal)
    bare = [line for line in stage.journal if line["k"] in REPLAYED_INPUTS or line["k"] in ("header", "footer")]
    assert replayed_decisions(bare) == recorded_decisions(stage.journal)


def at(seconds: float, what: Any) -> Any:
    return lambda stage: running().call_at(seconds, what, stage)


ENDINGS = {
    "stop": lambda stage: stage.session.request("stop"),
    "reward": lambda stage: stage.session.request("reward right"),
    "disk": lambda stage: stage.session.fail(RecordError("the disk is full")),
    "unplug": lambda stage: stage.rig.cable.disconnect(),
    "reset": lambda stage: stage.rig.board.reset(),
    "hurry": lambda stage: stage.session.hurry(),
    "stop and hurry": lambda stage: (stage.session.request("stop"), stage.session.hurry()),
}


@pytest.mark.parametrize("when_s", [1.9, 2.0003, 2.0015, 2.3, 2.5005, 2.501, 2.7])
@pytest.mark.parametrize("ending", ENDINGS)
def test_however_a_session_is_interrupted_it_is_decided_again(ending: str, when_s: float) -> None:
    stage = play(
        setting(p_high=1, start_high_side="left", stop_session_s=6),
        script_for(poke("center", 2.0), poke("left", 2.5), poke("center", 3.0)),
        direct=at(when_s, ENDINGS[ending]),
    )
    assert_the_same(stage)


@pytest.mark.parametrize("when_s", [0.0, 0.0004, 0.001, 0.0015, 0.002, 0.003])
def test_a_reward_asked_for_before_the_board_is_open_is_decided_again(when_s: float) -> None:
    def ask_and_stop(stage: Stage) -> None:
        stage.session.request("reward left")
        running().call_at(when_s, stage.session.hurry)

    stage = play(setting(stop_session_s=6), script_for(poke("center", 2.0)), direct=at(0.0, ask_and_stop))
    rewards = [line for line in stage.journal if line["k"] == "reward"]
    assert [line["status"] for line in rewards][-1:] in (["refused"], ["unconfirmed"])
    assert_the_same(stage)


@pytest.mark.parametrize("when_s", [2.0015, 2.3, 2.501])
@pytest.mark.parametrize("ending", ["stop", "unplug", "hurry"])
def test_a_session_that_was_killed_in_its_end_is_decided_again_up_to_there(ending: str, when_s: float) -> None:
    stage = play(
        setting(p_high=1, start_high_side="left", stop_session_s=6),
        script_for(poke("center", 2.0), poke("left", 2.5)),
        direct=at(when_s, ENDINGS[ending]),
    )
    for lines in range(1, len(stage.journal)):
        assert replay_lines(stage.journal[:lines])[1] is None


@pytest.mark.parametrize("after_s", [0.0, 0.00005, 0.0001, 0.0006, 0.001, 0.3])
def test_a_session_whose_animal_crashed_is_decided_again(after_s: float) -> None:
    async def mad(body: Any) -> None:
        await body.wait(2.0)
        body.enter("center")
        await body.wait(0.5)
        body.enter("left")
        await body.wait(after_s)
        raise ValueError("mad")

    stage = play(setting(p_high=1, start_high_side="left", stop_session_s=6), mad)
    assert stage.footer["reason"] == "fault"
    assert [line["what"] for line in stage.of_kind("fault")] == ["subject"]
    assert_the_same(stage)


@pytest.mark.parametrize("hold_s", [1.9, 2.2, 5])
def test_a_session_with_an_expired_lease_is_decided_again(hold_s: float) -> None:
    def stall(stage: Stage) -> None:
        stage.rig.cable.to_board.hold()
        running().call_later(hold_s, stage.rig.cable.to_board.release)

    stage = play(
        setting(p_high=1, start_high_side="left", stop_session_s=20),
        script_for(poke("center", 2.0), poke("left", 2.5), poke("center", 9.0), poke("left", 9.5)),
        direct=at(2.1, stall),
    )
    assert ("lease_expired" in [line.get("what") for line in stage.of_kind("fault")]) == (hold_s > 2)
    assert_the_same(stage)
