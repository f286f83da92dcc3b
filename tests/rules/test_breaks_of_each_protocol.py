"""Each shipped protocol goes on after a kill, a reset and a pulled cable at any moment, as after an expired lease."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from rig.core.errors import RecordError
from rig.core.journal.codec import decode
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.kinds import AllOff, Command, StateLine
from rig.core.model.actions import Arm, JournaledOrder, Load, RewardAction
from rig.core.model.events import Continued, Edge, Event, LeaseExpired
from rig.records.session.last_rewards import last_rewards
from rig.session import replay
from rig.session.broken import read_broken
from rig.session.replay_comparison import RecordedDecisions
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.driver import make_model
from tests.broken_sessions import ResumedHarness, resume, save_journal
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec, session_spec


@dataclass(frozen=True)
class Case:
    """A protocol, its virtual subject, and the length of its sessions."""

    protocol: str
    model: str
    session_s: int
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> SessionSpec:
        return session_spec(protocol_spec(self.protocol, stop_session_s=self.session_s, **self.values))

    def live(self) -> Callable[[Any], Any]:
        return make_model(self.model, {}).live


CASES = {
    "two_armed_bandit": Case("two_armed_bandit", "rflr", 90),
    "free_water": Case("free_water", "random_explorer", 90),
    "delay_discounting": Case("delay_discounting", "rat", 600),
    "disk_bandit": Case("disk_bandit", "pigeon", 120),
}
BREAKS = ("kill", "reset", "unplug")
FEW = 2
SEEDS = [*range(FEW), *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(FEW, 334))]


@cache
def unbroken(protocol: str) -> FaultHarness:
    case = CASES[protocol]
    return run_harness(case.spec, case.live())


def broken(protocol: str, how: str, chance: random.Random) -> tuple[FaultHarness, bytes]:
    """Return a session that broke off at a random moment, and the bytes of its journal."""
    case = CASES[protocol]
    if how == "kill":
        whole = unbroken(protocol)
        raw = b"".join(whole.raw)
        end = raw.index(b'"k":"all_off"') - 60
        return whole, raw[: chance.randrange(raw.index(b'"k":"state"') + 200, end)]
    fault = {"reset": lambda harness: harness.rig.board.reset(), "unplug": lambda h: h.rig.cable.disconnect()}[how]
    harness = run_harness(case.spec, case.live(), (chance.uniform(1, 0.9 * case.session_s), fault))
    return harness, b"".join(harness.raw)


def openings(harness: FaultHarness, until_us: float = float("inf")) -> int:
    """Return how often an output that gives rewards went on."""
    outputs = ("left.valve", "right.valve", "hopper.solenoid", "left.feeder", "right.feeder")
    return sum(1 for t_us, channel, value in harness.trace if channel in outputs and value and t_us <= until_us)


def counted(lines: Sequence[Any]) -> int:
    given = DeliveredRewards()
    for line in lines:
        given.take(line)
    return given.total.rewards


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize("protocol", CASES)
def test_a_session_that_breaks_off_at_any_moment_goes_on(protocol: str, how: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"{protocol} {how} {seed}")
    first, raw = broken(protocol, how, chance)
    if first.footer.reason != "fault" and how != "kill":
        pytest.skip("it had ended before")
    case = CASES[protocol]
    harness = resume(case.spec, tmp_path, raw, case.live(), gap_s=chance.uniform(0, 1_700), seed=seed)
    harness.assert_replay_agrees()
    begun = harness.broken
    assert openings(first, begun.last_us) <= counted(harness.journal[: begun.lines])
    assert openings(first, begun.last_us) + openings(harness) <= harness.footer.rewards * most_pulses(harness)
    assert not repeated_orders(harness)
    gap_us = harness.of_kind(Continued)[-1].gap_us
    grace_us = 31e6 if harness.footer.reason == "time_limit" else 0
    assert harness.footer.t_us - gap_us <= case.session_s * 1e6 + grace_us + 1e6
    assert counted(harness.journal) >= counted(harness.journal[: begun.lines]) - pending_refused(harness)


def most_pulses(harness: FaultHarness) -> int:
    """Return in how many pieces a reward may come: several pellets are a train of pulses."""
    orders = [action for line in harness.of_kind(Command) for order in line.orders for action in actions_of(order)]
    return max((getattr(order.action, "count", 1) for order in orders if isinstance(order, RewardAction)), default=1)


def actions_of(order: JournaledOrder) -> list[JournaledOrder]:
    match order:
        case Load():
            return [action for _, action in order.entries]
        case Arm():
            return [action for _, _, action in order.members]
    return [order]


def repeated_orders(harness: FaultHarness) -> list[tuple[int, int]]:
    batches = [(line.epoch, line.batch) for line in harness.of_kind(Command)]
    return [batch for batch in batches if batches.count(batch) > 1] if len(set(batches)) < len(batches) else []


def pending_refused(harness: FaultHarness) -> int:
    """Return how many rewards that were pending at the break were never sent, and so not given."""
    begun = harness.broken.lines
    last = {reward.id: reward.status for reward in last_rewards(harness.journal[:begun])}
    after = {reward.id: reward.status for reward in last_rewards(harness.journal[begun:])}
    return sum(status == "pending" and after.get(number) in ("refused", "cancelled") for number, status in last.items())


# --- as after an expired lease ----------------------------------------------------------------------------------


def decisions(harness: ResumedHarness, events: Sequence[Event]) -> list[tuple[Any, ...]]:
    """Return the states and the orders that follow from some inputs."""
    recorded = RecordedDecisions(harness.journal)
    recorded.events = list(events)
    taken: list[bytes] = []
    with patch.object(replay, "spec_of_header", lambda header, *code: harness.spec):
        replay.rerun(recorded, taken.append)
    lines = map(decode, taken)
    return [
        (line.t_us, line.name if isinstance(line, StateLine) else line.orders)
        for line in lines
        if isinstance(line, (StateLine, Command))
    ]


def executed(harness: ResumedHarness) -> int:
    commands = [line for line in harness.journal[: harness.broken.lines] if isinstance(line, Command)]
    return commands[-1].batch if commands else 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("protocol", ["two_armed_bandit", "free_water"])
def test_it_decides_as_after_an_expired_lease_at_that_moment(protocol: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"lease {protocol} {seed}")
    case, whole = CASES[protocol], unbroken(protocol)
    # A break while no input is on: after one the board reports each input that is on, after a lease it does not.
    on, quiet = set[str](), []
    for seq, line in enumerate(whole.journal):
        if isinstance(line, Edge):
            (on.add if line.level else on.discard)(line.channel)
        if isinstance(line, AllOff):
            break
        # Not at the end: a task that has come to its end does not go on.
        if not on and 5_000_000 < line.t_us < (case.session_s - 1) * 1e6:
            quiet.append(seq + 1)
    raw = b"".join(whole.raw[: chance.choice(quiet)])
    harness = resume(case.spec, tmp_path, raw, case.live(), gap_s=0, seed=seed)
    events = RecordedDecisions(harness.journal).events
    (at,) = [n for n, event in enumerate(events) if isinstance(event, Continued)]
    last = max((event.number for event in events[:at] if isinstance(event, Edge)), default=0)
    lease = LeaseExpired(harness.resumed_us, 1, executed(harness), last)
    after_lease, after_break = (
        [decision for decision in decisions(harness, inputs) if decision[0] < case.session_s * 1e6]
        for inputs in ([*events[:at], lease, *events[at + 1 :]], events)
    )
    # Until the end, which the time of the break moves.
    assert after_lease == after_break


def test_a_session_that_broke_off_at_its_end_says_so(tmp_path: Path) -> None:
    whole = unbroken("two_armed_bandit")
    off = next(seq for seq, line in enumerate(whole.journal) if isinstance(line, AllOff))
    with pytest.raises(RecordError, match="its end had begun"):
        read_broken(save_journal(tmp_path, b"".join(whole.raw[: off + 1])))
