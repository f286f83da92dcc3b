"""Spans that a reader takes out of a lane, so that it keeps only the last ones."""

from hypothesis import given
from hypothesis import strategies as st

from rig.core.journal.kinds import BatchDone, Command, OutputDone, StateLine
from rig.core.model.actions import Pulse
from rig.core.model.events import Edge
from rig.core.model.line import Line
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import Lane

STEPS = st.lists(st.tuples(st.sampled_from(["on", "off", "pulse"]), st.integers(0, 50)), max_size=60)


def act(lane: Lane, what: str, t_us: int) -> None:
    if what == "pulse":
        lane.on(t_us, t_us + 7)
    else:
        getattr(lane, what)(t_us)


@given(steps=STEPS)
def test_a_lane_in_parts_is_the_whole_lane(steps: list[tuple[str, int]]) -> None:
    whole, parted, taken, t_us = Lane(), Lane(), [], 0
    for what, later_us in steps:
        t_us += later_us
        act(whole, what, t_us)
        act(parted, what, t_us)
        taken += zip(*parted.take_ended(t_us), strict=True)
    assert [*taken, *zip(parted.starts, parted.ends, strict=True)] == [*zip(whole.starts, whole.ends, strict=True)]


def test_the_lanes_of_a_session_in_parts_are_the_whole_lanes() -> None:
    lines: list[Line] = [StateLine(0, "ready")]
    for number in range(400):
        t_us = number * 1_000_000
        lines += [
            Edge(t_us, "a", level=number % 2, fired=0, number=number),
            Command(t_us, epoch=0, batch=number, last_event=0, orders=(Pulse("b", 5000),)),
            BatchDone(t_us + 100, number),
            OutputDone(t_us + 5100, "b", "finished"),
        ]
    whole, parted, taken = Lanes(), Lanes(), {True: [], False: []}
    for line in lines:
        whole.take(line)
        parted.take(line)
        for is_input, _, starts, ends in parted.take_ended(line.t_us - 10_000_000):
            taken[is_input] += zip(starts, ends, strict=True)
    for is_input, name in ((True, "a"), (False, "b")):
        rest, all_spans = (each.inputs[name] if is_input else each.outputs[name] for each in (parted, whole))
        assert len(rest.starts) < len(all_spans.starts) / 2
        assert [*taken[is_input], *zip(rest.starts, rest.ends, strict=True)] == [
            *zip(all_spans.starts, all_spans.ends, strict=True)
        ]
