"""A reflex ends at its deadline, also when this is further ahead than a board's clock: it is armed again before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.journal.kinds import Command
from rig.core.model.actions import Arm
from rig.core.model.events import LeaseExpired, Refused
from rig.core.task.states import Next, state
from tests.harness import EdgeAt, Fault, FaultHarness, nose_pokes, run_with_faults
from tests.session_specs import CONFIRM_US, PortTask, Visit, task_spec

BEGIN_US = 1_000_000
LONGEST_SESSION_S = 86_400.0
WITHIN_US = 600_000_000
END_US = BEGIN_US + WITHIN_US
ARMED_AGAIN_US = END_US - 500_000_000


class Patient(PortTask):
    """Pays a poke at the left within ten minutes, or in as many hours as `within_s` says; the right port ends it."""

    within_s = WITHIN_US / 1e6

    @state(to=("pay",))
    async def pay(self) -> Next:
        await self.sleep(until_s=BEGIN_US / 1e6)
        self.begin_trial(Visit())
        with self.reflex((self.box.left.poked, self.drop("left"))):
            edge = await self.first(self.box.left.poked, self.box.right.poked, within=self.within_s)
        self.log.append(edge and (edge.channel, edge.t_us))
        await self.sleep(1)
        self.end_trial()
        return self.end


class PatientAllDay(Patient):
    """Waits for almost a day."""

    within_s = LONGEST_SESSION_S - 100


def play(edges: Sequence[EdgeAt] = (), *faults: Fault, task: type[Patient] = Patient, **given: int) -> FaultHarness:
    length_s = min(task.within_s + 100, LONGEST_SESSION_S)
    spec = task_spec(task, stop={"session_s": length_s, "idle_stop_s": None, **given})
    return run_with_faults(spec, edges, *faults, t_max=length_s + 100)


def deadlines(harness: FaultHarness) -> list[int | None]:
    """Return the deadline of each arming."""
    commands = [line for line in harness.journal if isinstance(line, Command)]
    return [order.until_us for line in commands for order in line.orders if isinstance(order, Arm)]


def check(harness: FaultHarness, poked_us: int | None) -> None:
    """Check that the task has read this poke, or none, and that the board has paid it at once and once."""
    paid = [] if poked_us is None else [poked_us + CONFIRM_US]
    assert harness.log == [None if poked_us is None else ("left.beam", poked_us)]
    assert harness.opened("left") == [pytest.approx(t_us, abs=2) for t_us in paid]
    # A row before the last one is of a trial that an expired lease has interrupted.
    assert harness.rows[-1]["drops"] == ["board left delivered"] * len(paid)
    harness.assert_replay_agrees()


@pytest.mark.parametrize(("after_us", "pays"), [(-1, True), (0, True), (1, False), (2_000, False)])
def test_a_poke_at_the_deadline_pays_and_a_later_one_does_not(after_us: int, pays: bool) -> None:
    poked_us = END_US + after_us
    harness = play(nose_pokes((poked_us, "left", 50_000)))
    assert deadlines(harness) == [None, END_US]
    check(harness, poked_us if pays else None)


@given(st.integers(-3_000, 8_000))
@settings(max_examples=60)
def test_a_poke_while_the_reflex_is_armed_again_pays_once(after_us: int) -> None:
    poked_us = ARMED_AGAIN_US + after_us
    harness = play(nose_pokes((poked_us, "left", 50_000)))
    check(harness, poked_us)
    refused = [line for line in harness.journal if isinstance(line, Refused)]
    assert [line.reason for line in refused] == ["newer_edge"] * len(refused)


def test_a_poke_that_the_host_has_not_read_when_it_arms_again_is_answered_by_the_first_arming() -> None:
    # The host reads nothing for a while, and so asks for the second arming when the poke is long over.
    poked_us = ARMED_AGAIN_US + 1
    harness = play(nose_pokes((poked_us, "left", 50_000)), (ARMED_AGAIN_US / 1e6, lambda harness: harness.stall(1.0)))
    check(harness, poked_us)


def test_an_edge_that_ends_the_wait_before_disarms_the_reflex() -> None:
    right_us = ARMED_AGAIN_US - 1_000
    harness = play(nose_pokes((right_us, "right", 50_000), (right_us + 100_000, "left", 50_000)))
    assert harness.log == [("right.beam", right_us)]
    assert not harness.valve_openings
    assert deadlines(harness) == [None]


@pytest.mark.parametrize("after_s", [-2.5, -1.0, 0.5])
def test_a_lease_that_expires_while_a_reflex_is_armed_again_leaves_one_drop(after_s: float) -> None:
    block_s = ARMED_AGAIN_US / 1e6 + after_s
    harness = play(nose_pokes((END_US - 1_000, "left", 50_000)), (block_s, lambda harness: harness.block_input(2.5)))
    assert [line for line in harness.journal if isinstance(line, LeaseExpired)]
    check(harness, END_US - 1_000)


def test_a_limit_without_room_withholds_the_drop_after_both_armings() -> None:
    harness = play(nose_pokes((END_US - 1_000, "left", 50_000)), max_ul=1)
    assert deadlines(harness) == [None, END_US]
    assert not harness.valve_openings


def test_a_reflex_lasts_a_day() -> None:
    end_us = BEGIN_US + round(PatientAllDay.within_s * 1e6)
    harness = play(nose_pokes((end_us, "left", 50_000)), task=PatientAllDay)
    assert deadlines(harness) == [None, end_us]
    check(harness, end_us)
