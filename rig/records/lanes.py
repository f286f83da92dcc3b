"""When each input and output of a session was on: a fold over the lines of its journal.

An input is on from one reported edge to the next. The journal has no line for each change of an output. Its spans
follow from the orders: an action begins when the board has executed its batch, with the edge that fired its reflex, or
at its time in a sequence, and ends when the board reports its end, or else after its length.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

Line = Mapping[str, Any]

OPEN = -1
"""The end of a span that has not ended yet."""
_ENDS = ("output", "output_stopped", "output_limit")
_WHOLE_BATCH = 255
_MOST_REPEATS = 65_535
"""The most pulses of a train that an order to a board can have; a journal may say anything."""


class Lane:
    """The spans in which one channel was on: ``starts`` and ``ends`` in microseconds, an open end is ``OPEN``."""

    def __init__(self) -> None:
        self.starts = array("q")
        self.ends = array("q")

    def on(self, t_us: int, until_us: int = OPEN) -> None:
        """Add a span, with its end if that is known; while one is open, it goes on: boards refuse an overlap."""
        if self.ends and (self.ends[-1] == OPEN or self.ends[-1] > t_us):
            return
        self.starts.append(t_us)
        self.ends.append(until_us)

    def off(self, t_us: int) -> None:
        """End what is on at this time, and remove what would begin later."""
        while self.starts and self.starts[-1] > t_us:
            self.starts.pop()
            self.ends.pop()
        if self.ends and (self.ends[-1] == OPEN or self.ends[-1] > t_us):
            self.ends[-1] = t_us

    def end_last(self, t_us: int) -> None:
        """Set the reported end of the last span."""
        if self.ends:
            self.ends[-1] = max(t_us, self.starts[-1])


class Lanes:
    """The spans of all channels, from the lines taken so far; ``t_us`` of outputs may lie ahead of the last line."""

    def __init__(self) -> None:
        self.inputs: defaultdict[str, Lane] = defaultdict(Lane)
        self.outputs: defaultdict[str, Lane] = defaultdict(Lane)
        self._batches: dict[int, list[Line]] = {}
        self._groups: dict[int, list[Line]] = {}
        self._sequences: dict[int, list[Line]] = {}
        self._running: dict[int, set[str]] = {}

    def take(self, line: Line) -> None:
        """Read the next line."""
        kind = line["k"]
        if kind in ("edge", "zone"):
            self._edge(line)
        elif kind == "command":
            self._batches[line["batch"]] = list(line["orders"])
        elif kind == "batch_done":
            self._execute(line["batch"], line["t"])
        elif kind == "time":
            self._execute_up_to(line["executed"], line["t"])
        elif kind == "sequence_started":
            self._start(line["sequence"], line["t"])
        elif kind == "output_done":
            self._output_done(line)
        elif kind == "fault":
            self._fault(line)
        elif kind in ("all_off_done", "continued", "footer"):
            self._all_off(line["t"])

    def _edge(self, line: Line) -> None:
        lane = self.inputs[line["channel"]]
        if line["level"]:
            lane.on(line["t"])
        else:
            lane.off(line["t"])
        for member in self._groups.pop(line.get("fired", 0), ()):
            if (member["channel"], member["level"]) == (line["channel"], line["level"]):
                self._act(member, line["t"])

    def _execute(self, batch: int, t_us: int) -> None:
        for order in self._batches.pop(batch, ()):
            self._act(order, t_us)

    def _execute_up_to(self, batch: int, t_us: int) -> None:
        """Handle batches whose own report was lost: the board has executed them before it said the time."""
        for number in [number for number in self._batches if number <= batch]:
            self._execute(number, t_us)

    def _act(self, order: Line, t_us: int) -> None:
        do = order["do"]
        if do == "set":
            lane = self.outputs[order["output"]]
            (lane.on if order["on"] else lane.off)(t_us)
        elif do in ("pulse", "tone"):
            self.outputs[order["output"]].on(t_us, t_us + order["us"])
        elif do in ("train", "ramp"):
            self._repeat(order, t_us)
        elif do == "load":
            self._sequences[order["sequence"]] = list(order["entries"])
        elif do == "arm":
            self._groups[order["group"]] = list(order["members"])
        elif do == "disarm":
            self._groups.pop(order["group"], None)
        elif do == "stop":
            for output in self._running.pop(order["sequence"], ()):
                self.outputs[output].off(t_us)

    def _repeat(self, order: Line, t_us: int) -> None:
        on_us = order["on_us"] if order["do"] == "train" else order["tone_us"]
        lane = self.outputs[order["output"]]
        for number in range(min(order["count"], _MOST_REPEATS)):
            start_us = t_us + number * order["period_us"]
            lane.on(start_us, start_us + on_us)

    def _start(self, sequence: int, t_us: int) -> None:
        entries = self._sequences.get(sequence, [])
        self._running[sequence] = {entry["output"] for entry in entries if "output" in entry}
        for entry in sorted(entries, key=lambda entry: int(entry["at_us"])):
            if entry["do"] != "start":  # its start is reported
                self._act(entry, t_us + entry["at_us"])

    def _output_done(self, line: Line) -> None:
        for key in _ENDS:
            if key == "output" and key in line:
                self.outputs[line[key]].end_last(line["t"])
            elif key in line:
                self.outputs[line[key]].off(line["t"])

    def _fault(self, line: Line) -> None:
        if line["what"] == "refused":
            self._refuse(line)
        elif line["what"] in ("lease_expired", "panic", "reset"):
            self._all_off(line["t"])

    def _refuse(self, line: Line) -> None:
        orders = self._batches.get(line["batch"], [])
        if line["order"] == _WHOLE_BATCH:
            orders.clear()
        elif line["order"] < len(orders):
            orders[line["order"]] = {"do": "nothing"}

    def _all_off(self, t_us: int) -> None:
        for lane in self.outputs.values():
            lane.off(t_us)
        for memory in (self._batches, self._groups, self._sequences, self._running):
            memory.clear()
