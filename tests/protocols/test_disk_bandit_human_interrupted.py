"""The eight disks with people, on a computer that stalls."""

import pytest

from rig.core.board import Opened
from rig.session.replay import compare
from sim_hardware.body import Body
from tests.protocols.test_disk_bandit_human import QUICK, SAME, click
from tests.session.stage import Stage, play, setting


@pytest.mark.parametrize("where", [1.8, 3.2, 10.0, 11.5, 26.0])
def test_after_an_expired_lease_a_participant_goes_on_where_she_was(where: float) -> None:
    def direct(stage: Stage) -> None:
        def deafen() -> None:
            lane = stage.sim.cable.to_board
            lane.hold()
            stage.sim.board._clock.call_later(2.5, lane.release)

        def begin(opened: Opened) -> None:
            stage.sim.board._clock.call_later(where, deafen)

        stage.session.on_opened = begin

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

    stage = play(setting("disk_bandit_human", None, **QUICK, vi_s=SAME), way, direct=direct)
    assert (stage.footer["leases"], stage.footer["reason"]) == (1, "trial_cap")
    assert [line["given"] for line in stage.of_kind("note") if line["what"] == "consent"] == [True]
    assert {row["session"] for row in stage.table("intervals")} == {1}
    assert compare(stage.journal)[1] is None
