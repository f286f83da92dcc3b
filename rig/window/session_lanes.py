"""The lanes of one session: its channels, states, trials and rewards over time, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np

from rig.core.errors import RecordError
from rig.core.journal.header import Footer, Header, RecordedChannel
from rig.core.journal.kinds import (
    FAULTS,
    Note,
    OperatorNote,
    Paused,
    Resumed,
    RewardLine,
    StateLine,
    TrialLine,
)
from rig.core.model.events import Request, Touch
from rig.core.model.line import Line
from rig.core.model.reward import RewardStatus
from rig.records.journal.read import tells_time
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import OPEN, Lane
from rig.window.span_history import Floats, SpanHistory, Spans, coverage, spans_of

Key: TypeAlias = "tuple[Group, str]"
"""The group and the name of a lane."""

MAX_LANES = 64
"""The most lanes that are shown; a journal may name any number of channels."""
SETTLED_US = 30_000_000
"""A span that ended so long ago changes no more: reports of boards are late by milliseconds."""
COMPACT_LINES = 4096
"""Lines between two moves of ended spans into the bounded memory."""

PAUSED = "(paused)"
_READ = frozenset(
    (Header, StateLine, Paused, Resumed, RewardLine, TrialLine, Touch, Note, OperatorNote, Request, Footer, *FAULTS)
)
"""The kinds of lines that lanes beside those of channels are made of; most lines are none of them."""


class Group(IntEnum):
    """What a lane shows, in the order from top to bottom."""

    STATE = 0
    INPUT = 1
    OUTPUT = 2
    REWARD = 3
    TRIAL = 4
    NOTE = 5


@dataclass(frozen=True)
class LaneRow:
    """One lane that is drawn: its spans, one part after the other; those of an event have no length of their own."""

    group: Group
    name: str
    parts: tuple[Spans, ...]

    def coverage(self, edges_us: Floats) -> Floats:
        """Return for each step between two times the share of it, from 0 to 1, in which the lane is on."""
        total = np.zeros(len(edges_us) - 1)
        for part in self.parts:
            total += coverage(part, edges_us)
        return total

    @property
    def words(self) -> str:
        """Return what its label says."""
        return {Group.REWARD: f"{self.name}: reward", Group.TRIAL: f"trial {self.name}"}.get(self.group, self.name)

    @property
    def is_event(self) -> bool:
        """Whether its spans mark moments."""
        return self.group >= Group.REWARD


class SessionLanes:
    """A fold over the lines of a journal; `rows` returns what there is to draw."""

    def __init__(self) -> None:
        self._channels = Lanes()
        self._others: dict[Key, Lane] = {}
        self._histories: dict[Key, SpanHistory] = {}
        self._order: dict[Key, int] = {}
        self._labels: dict[str, str] = {}
        self._state: Lane | None = None
        self._lines = 0
        self.t_us = 0

    def take(self, line: Line) -> None:
        """Read the next line."""
        self._channels.take(line)
        if type(line) in _READ:
            self._read(line)
        if line.t_us > self.t_us and tells_time(line):
            self.t_us = line.t_us
        self._lines += 1
        if self._lines % COMPACT_LINES == 0:
            self.compact()

    def _read(self, line: Line) -> None:
        t_us = line.t_us
        match line:
            case Header():
                self._add_channels(line.rig.channels)
            case StateLine():
                self._enter(line.name, t_us)
            case Paused():
                self._lane(Group.STATE, PAUSED).on(t_us)
            case Resumed():
                self._lane(Group.STATE, PAUSED).off(t_us)
            case RewardLine(status=RewardStatus.DELIVERED):
                self._mark(Group.REWARD, line.source, t_us)
            case TrialLine():
                self._mark(Group.TRIAL, str(line.row.get("outcome") or ""), t_us)
            case Touch(phase="down"):
                self._mark(Group.NOTE, "pecks" if line.peck else "other touches", t_us)
            case Note() | OperatorNote():
                self._mark(Group.NOTE, "notes", t_us)
            case Request():
                self._mark(Group.NOTE, "requests", t_us)
            case Footer():
                for lane in self._others.values():
                    lane.off(t_us)
            case _ if isinstance(line, FAULTS):
                self._mark(Group.NOTE, "faults", t_us)

    def _add_channels(self, channels: Mapping[str, RecordedChannel]) -> None:
        for name, channel in channels.items():
            if len(self._order) < MAX_LANES:
                group = Group.INPUT if channel.direction == "input" else Group.OUTPUT
                self._order.setdefault((group, name), len(self._order))
                self._labels[name] = channel.label or name

    def _enter(self, state: str, t_us: int) -> None:
        if self._state is not None:
            self._state.off(t_us)
        self._state = self._lane(Group.STATE, state)
        self._state.on(t_us)

    def _mark(self, group: Group, name: str, t_us: int) -> None:
        self._lane(group, name).on(t_us, t_us + 1)

    def _lane(self, group: Group, name: str) -> Lane:
        lane = self._others.get((group, name))
        if lane is None:
            if len(self._others) >= MAX_LANES:
                name = "(others)"
            lane = self._others.setdefault((group, name), Lane())
        return lane

    def compact(self) -> None:
        """Move the spans that change no more into the bounded memory."""
        before_us = self.t_us - SETTLED_US
        with suppress(RecordError):  # more actions than any session has: its outputs are not drawn
            for is_input, name, starts, ends in self._channels.take_ended(before_us):
                self._keep((Group.INPUT if is_input else Group.OUTPUT, name), starts, ends)
        for key, lane in self._others.items():
            self._keep(key, *lane.take_ended(before_us))

    def _keep(self, key: Key, starts: Sequence[int], ends: Sequence[int]) -> None:
        if starts:
            self._histories.setdefault(key, SpanHistory()).add(spans_of(starts, ends))

    def _lanes(self) -> dict[Key, Lane]:
        """Return the lanes with their newest spans, also those that never change: an empty one shows a dead sensor."""
        known = [*self._order.items(), *((key, 0) for key in self._histories)]
        found = {key: Lane() for key, _ in known}
        for group, lanes in ((Group.INPUT, self._channels.inputs), (Group.OUTPUT, self._channels.outputs)):
            found |= {(group, name): lane for name, lane in lanes.items()}
        return found | self._others

    def rows(self, now_us: int) -> list[LaneRow]:
        """Return the lanes from top to bottom; what has not ended yet lasts until ``now_us``."""
        self.compact()
        lanes = self._lanes()
        in_order = sorted(lanes, key=lambda key: (key[0], self._order.get(key, len(self._order)), key[1]))
        return [self._row(key, lanes[key], now_us) for key in in_order[:MAX_LANES]]

    def _row(self, key: Key, lane: Lane, now_us: int) -> LaneRow:
        group, name = key
        label = self._labels.get(name, name) if group in (Group.INPUT, Group.OUTPUT) else name
        return LaneRow(group, label, self._parts(key, lane, now_us))

    def _parts(self, key: Key, lane: Lane, now_us: int) -> tuple[Spans, ...]:
        ends = [max(now_us, start) if end == OPEN else end for start, end in zip(lane.starts, lane.ends, strict=True)]
        recent = spans_of(lane.starts, ends)
        history = self._histories.get(key)
        return (recent,) if history is None else (history.spans, recent)
