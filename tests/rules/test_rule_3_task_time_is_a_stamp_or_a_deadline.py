"""Task time is the stamp of the edge that was taken, or the deadline; never "now"."""

from __future__ import annotations

from rig.core.model.events import BoardTime
from tests.rules.probe_task import SOON_US, ProbeTask, run_plot


def test_a_session_begins_at_the_boards_first_answer() -> None:
    harness = run_plot(ProbeTask.over, session_s=1)
    (_, begun_us), *_ = harness.states
    assert begun_us == harness.of_kind(BoardTime)[0].t_us < SOON_US
