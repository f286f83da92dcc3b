"""An engine with a fake board whose events a test writes."""

import asyncio
from collections.abc import Callable

import pytest

from rig.core.engine.activity import ActivityLimits
from rig.core.engine.engine import Engine, no_reward
from rig.core.engine.interrupts import SessionEnded
from rig.core.engine.reward_ledger import RewardLedger, RewardLimits
from rig.core.journal.journal import Journal
from rig.core.model.actions import (
    Pulse,
    RewardAction,
    Set,
)
from rig.core.model.board import Board, Health
from rig.core.model.events import (
    BoardTime,
    Edge,
    LeaseExpired,
    OutputOn,
    Panic,
    Refused,
    SequenceStarted,
)
from rig.core.model.patterns import EdgePattern
from sim_hardware.loop import VirtualLoop
from tests.journal_lines import read_line
from tests.recording_observer import RecordingObserver

LEFT, RIGHT, CENTER = (EdgePattern(f"{place}.beam", 1) for place in ("left", "right", "center"))
LEFT_OUT = EdgePattern("left.beam", 0)
DROP = RewardAction(Pulse("left.valve", 40_000), "left", 2.5)
ON, OFF = Set("left.light", True), Set("left.light", False)


class FakeBoard(Board):
    """Takes batches and answers nothing."""

    def __init__(self):
        self.batches = []
        self.asked = []

    async def open(self, wiring):
        raise NotImplementedError

    def batch(self, orders, seen, epoch, number):
        self.batches.append((epoch, number, seen, list(orders)))

    def ask_time(self, at_us):
        self.asked.append(at_us)

    def estimate_us(self):
        return 0, 0

    def all_off(self):
        pass

    async def close(self):
        return Health(False, 0, 0)

    def abort(self):
        pass


class EngineBench:
    """An engine that has begun, its board, and the events that a board would send, numbered as it would."""

    def __init__(
        self,
        max_rewards=None,
        max_ul=None,
        stuck_us=120_000_000,
        started=True,
        max_pellets=None,
        host_inputs=(),
        reward_at=no_reward,
    ):
        self.raw = []
        self.observer = RecordingObserver()
        journal = Journal(self.raw.append)
        self.engine = Engine(
            journal,
            lambda inbox: FakeBoard(),
            RewardLedger(RewardLimits(max_rewards, max_ul, max_pellets), journal),
            activity_limits=ActivityLimits(stuck_us),
            host_inputs=host_inputs,
            observer=self.observer,
            reward_at=reward_at,
        )
        self.board, self.inbox = self.engine.board, self.engine.inbox
        self.engine.time.deadline_us = 1_000_000
        self.engine.time.started = started
        self.number = 0

    @property
    def lines(self):
        return [read_line(line) for line in self.raw]

    @property
    def orders(self):
        """The orders of every batch that was sent."""
        return [orders for _, _, _, orders in self.board.batches]

    def edge(self, pattern, t_us, fired=0):
        self.number += 1
        return Edge(t_us, pattern.channel, pattern.level, fired, self.number)

    def time(self, t_us, executed=0):
        self.number += 1
        return BoardTime(t_us, executed, self.number)

    def refused(self, batch, order, reason="newer_edge"):
        self.number += 1
        return Refused(0, batch, order, reason, self.number)

    def lease(self, executed=0):
        self.number += 1
        return LeaseExpired(0, 1, executed, self.number)

    def panic(self, executed=0):
        self.number += 1
        return Panic(0, "uno", 12, executed, self.number)

    def on(self, action, cause, by, part, t_us=0):
        """The output of a reward went on."""
        self.number += 1
        return OutputOn(t_us, action.action.output, cause, by, part, self.number)

    @property
    def reserved(self):
        """What may still be given without an order."""
        ledger = self.engine.ledger
        return ledger.max_total.amount - ledger.total

    def wait(self, wanted, within_us, *events):
        """Wait, while some events arrive; one that can be called is done instead."""
        return run(self.meanwhile(self.engine.wait(wanted, within_us), *events))

    async def meanwhile(self, wait, *events):
        waiting = asyncio.ensure_future(wait)
        try:
            for event in events:
                await asyncio.sleep(0)
                if isinstance(event, Callable):
                    event()
                else:
                    self.inbox.put(event)
            return await waiting
        finally:
            waiting.cancel()

    def end(self, wanted, within_us, *events):
        """Wait for what ends the session."""
        with pytest.raises(SessionEnded) as caught:
            self.wait(wanted, within_us, *events)
        return caught.value


def run(work):
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


def started(bench, sequence, t_us, cause="order", by=1):
    bench.number += 1
    return SequenceStarted(t_us, sequence, cause, by, bench.number)
