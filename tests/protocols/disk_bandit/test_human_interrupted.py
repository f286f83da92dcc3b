"""The eight disks with people, on a computer that stalls, without time, and with an unsteady hand."""

import pytest

from rig.core.errors import RecordError
from rig.core.model.board import BoardInfo
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.protocols.disk_bandit.human_disks import QUICK, SAME, click
from tests.session_specs import protocol_spec


@pytest.mark.parametrize("limit_s", [0.2, 0.8, 1.3, 2.3, 5.0, 9.4, 9.8, 24.0, 37.0])
def test_a_participant_without_time_left_is_debriefed_and_nothing_is_lost(limit_s: float) -> None:
    """In the consent, the instructions, the sample, between sessions, at the disks, before the lit box."""

    async def way(body: Body) -> None:
        for name in ("agree", "next", "next", "disk0", "box", "next"):
            if body.scene.item("finish") is None and body.now_s < limit_s - 0.5:
                await click(body, name)
        if body.now_s < limit_s - 6.0:
            await click(body, "disk3", 6.0)
        await body.wait(max(0.0, limit_s - body.now_s) + 1.0)
        await click(body, "finish")

    harness = run_harness(protocol_spec("disk_bandit_human", None, **QUICK, vi_s=SAME, stop_session_s=limit_s), way)
    assert (harness.footer.reason, harness.states[-2][0]) == ("time_limit", "debrief")
    assert harness.states[-2][1] == limit_s * 1_000_000
    assert limit_s + 1 < harness.footer.t_us / 1e6 < limit_s + 3
    assert len(harness.table("points")) == sum(row["rewarded"] for row in harness.rows)
    assert replay_lines(harness.journal)[1] is None


def test_an_unread_debriefing_does_not_delay_the_end() -> None:
    harness = run_harness(
        protocol_spec("disk_bandit_human", None, **QUICK, vi_s=SAME, stop_session_s=5, stop_grace_s=60)
    )
    assert [name for name, _ in harness.states] == ["consent", "debrief"]
    assert (harness.footer.reason, harness.footer.t_us) == ("time_limit", 65_000_000)


@pytest.mark.parametrize("where", [1.8, 3.2, 10.0, 11.5, 26.0])
def test_after_an_expired_lease_a_participant_goes_on_where_she_was(where: float) -> None:
    def arrange(harness: FaultHarness) -> None:
        def block_input() -> None:
            lane = harness.rig.cable.to_board
            lane.hold()
            harness.rig.board._clock.call_later(2.5, lane.release)

        def begin(opened: BoardInfo) -> None:
            harness.rig.board._clock.call_later(where, block_input)

        harness.observer.opened = begin

    async def way(body: Body) -> None:
        for name, after_s in (
            *((name, 1.0) for name in ("agree", "next", "next", "disk0", "box", "next")),
            ("disk3", 6.0),
        ):
            await click(body, name, after_s)
        await body.wait(30.0)
        await click(body, "stop")
        await click(body, "stop")
        await click(body, "finish")

    harness = run_harness(protocol_spec("disk_bandit_human", None, **QUICK, vi_s=SAME), way, arrange=arrange)
    assert (harness.footer.lease_expirations, harness.footer.reason) == (1, "participant_left")
    assert [note.fields["given"] for note in harness.notes("consent")] == [True]
    assert {row["session"] for row in harness.table("intervals")} == {1}
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("ends", ["time", "operator", "operator twice"])
def test_a_participant_who_left_is_recorded_as_such_however_the_debriefing_ends(ends: str) -> None:
    async def way(body: Body) -> None:
        for name in ("agree", "next", "next", "disk0", "box", "stop", "stop"):
            await click(body, name)

    def arrange(harness: FaultHarness) -> None:
        def begin(opened: BoardInfo) -> None:
            if ends != "time":
                harness.rig.board._clock.call_later(6.0, lambda: harness.session.request("stop"))
            if ends == "operator twice":
                harness.rig.board._clock.call_later(6.0, harness.session.stop_now)

        harness.observer.opened = begin

    values = {**QUICK, "vi_s": SAME, "stop_session_s": 10, "stop_min_trials": 0}
    harness = run_harness(protocol_spec("disk_bandit_human", None, **values), way, arrange=arrange)
    assert harness.states[-1][0] == "debrief"
    assert harness.footer.reason == "participant_left"
    assert harness.footer.carry_over["points"] == [0, 0, 0]


def test_a_fault_stays_a_fault_though_the_participant_has_left() -> None:
    async def way(body: Body) -> None:
        for name in ("agree", "stop", "stop"):
            await click(body, name)

    def arrange(harness: FaultHarness) -> None:
        def begin(opened: BoardInfo) -> None:
            harness.rig.board._clock.call_later(6.0, lambda: harness.session.fail(RecordError("the disk is full")))

        harness.observer.opened = begin

    harness = run_harness(protocol_spec("disk_bandit_human", None, **QUICK, vi_s=SAME), way, arrange=arrange)
    assert harness.footer.reason == "fault"


async def double_click(body: Body, name: str) -> None:
    """Click twice at the same place, as many do on everything."""
    item = body.scene.item(name)
    assert item is not None
    for _ in range(2):
        body.peck(item.x_cm, item.y_cm)
        await body.wait(0.2)
    await body.wait(0.5)


def test_a_double_click_skips_no_page_and_does_not_stop() -> None:
    async def way(body: Body) -> None:
        await body.wait(0.5)
        for name in ("agree", "stop", "back", "next", "next", "disk0", "box", "next"):
            await double_click(body, name)
        await body.wait(20.0)
        for _ in range(4):
            body.type("x")
            await double_click(body, "next")
        for name in ("stop", "stop", "finish"):
            await double_click(body, name)

    harness = run_harness(
        protocol_spec("disk_bandit_human", None, **{**QUICK, "questionnaire_after": 1}, vi_s=SAME), way
    )
    names = [name for name, _ in harness.states if name not in ("respond", "sample")]
    assert names == [
        *("consent", "read", "leave", "read", "read", "ready", "over"),
        *("ask", "ask", "ask", "ask", "ready", "leave", "debrief", "done"),
    ]
    assert [row["answer"] for row in harness.table("answers")] == ["x"] * 4
    assert replay_lines(harness.journal)[1] is None
