"""Random scripts for the simulated board and the firmware, and the comparison of what both did."""

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rig.core.model.actions import CANCEL, NOTHING, Arm, Code, Disarm, Load, Pulse, Ramp, Set, Start, Stop, Tone, Train
from tests.contracts.differential import CHANNELS, AvrSubject, Frame, PicoSubject, Record, Said, SimSubject, Step, play

GRID_US = 64_000
APART_US = 1_700
"""How far apart the two may stamp one thing or do it: a batch takes the chip its time, the more while it speaks."""
ROUNDING_US = 1
FADE_US = 2_000
"""A tone ends with its period."""
FIRST_US = 200_000
INPUTS = ("left", "right", "plain", "lever")
OUTPUTS = ("valve", "feeder", "light", "lamp", "one", "other", "light", "one", "other")
GAPS_US = tuple(count * GRID_US for count in (1, 1, 1, 2, 2, 3, 5, 8, 40))
"""The longest outlasts the lease."""
CHANGES_US = ((0,), (0,), (0, 40), (0, 300, 600), (0, 700))
"""An input changes for good, for a moment, with a bounce, or not for long: within its confirmation and its lock-out."""
grids = st.integers(1, 5).map(lambda count: count * GRID_US)
few = st.integers(1, 2).map(lambda count: count * GRID_US)
outputs = st.sampled_from(OUTPUTS)
pulses = st.builds(lambda output, us: Pulse(output, us + 2_000), outputs, grids)
trains = st.builds(
    lambda output, on, gap, count: Train(output, on + 2_000, on + gap + 28_000, count),
    outputs,
    few | st.just(0),
    few,
    st.integers(1, 2),
)
tones = st.builds(lambda hz, us: Tone("speaker", hz, us + 2_000), st.integers(300, 8_000), grids)
ramps = st.builds(
    lambda hz, step, tone, gap, count: Ramp("speaker", hz, step, tone + 2_000, tone + gap + 28_000, count),
    st.integers(2_000, 4_000),
    st.integers(-300, 300),
    few,
    few,
    st.integers(1, 2),
)
# Squares, because their edges stay apart from all else; the words of codes are compared in test_sync_code.py.
squares = st.builds(
    lambda output, period, bits: Code(output, period, 20_000, bits, 0),
    st.sampled_from(("light", "lamp", "light", "lamp", "valve", "one")),
    few,
    st.sampled_from((0, 0, 0, 33)),
)
sequences = st.sampled_from((1, 1, 1, 1, 2, 3, 4, 5))
acts = st.one_of(
    st.just(NOTHING),
    st.just(CANCEL),
    pulses,
    trains,
    st.builds(Set, st.sampled_from(("light", "lamp")), st.booleans()),
    st.builds(Start, sequences),
    st.builds(Stop, sequences),
)
delays = (grids | st.just(GRID_US)).map(lambda us: us + 6_000)
entry_actions = st.one_of(pulses, tones, st.builds(Set, outputs, st.booleans()))
# Few delays, so that several entries often fall on one tick.
entries = st.lists(delays, min_size=1, max_size=3).flatmap(
    lambda few_delays: st.lists(st.tuples(st.sampled_from(few_delays), entry_actions), max_size=5).map(tuple)
)
members = st.lists(st.tuples(st.sampled_from(INPUTS), st.integers(0, 1), acts), min_size=1, max_size=3).map(tuple)
untils = st.none() | grids.map(lambda us: us - GRID_US + 50_000)
starts_at = (grids | st.just(-GRID_US)).map(lambda us: us + 33_000)
orders = st.one_of(
    st.builds(Set, outputs, st.booleans()),
    pulses,
    trains,
    tones,
    ramps,
    squares,
    st.builds(Load, sequences, entries),
    st.builds(Start, sequences),
    st.builds(Start, sequences, starts_at),
    st.builds(Stop, sequences),
    st.builds(Arm, st.integers(1, 10), untils, members),
    st.builds(Arm, st.integers(1, 3), untils, members),
    st.builds(Disarm, st.integers(1, 4)),
)
some = {
    "batch": st.lists(orders, min_size=1, max_size=3),
    "show": st.tuples(st.builds(Load, st.just(1), entries), st.just(Start(1))),
    "end": st.tuples(st.builds(Set, outputs, st.just(False)), st.builds(Stop, sequences)),
    "rivals": st.just(tuple(Pulse(output, GRID_US + 2_000) for output in ("one", "other"))),
    "stale": st.tuples(orders),
}
"""The orders of a frame; what belongs together by chance too seldom comes together here."""
KINDS = ("batch",) * 8 + ("show", "end", "end", "rivals", "heard", "heard", "time", "health", "again", "stale")


def without_afterthoughts(orders: Sequence[Any]) -> list[Any]:
    """Leave out what a frame says of a sequence that it has just started: in one instant both answers are right."""
    started: set[int] = set()
    kept = []
    for order in orders:
        sequence = getattr(order, "sequence", None)
        if sequence not in started:
            kept.append(order)
        if isinstance(order, Start) and order.at_us is None:
            started.add(order.sequence)
    return kept


def at(t_us: int, order: Any) -> Any:
    """Shift the times that an order names."""
    if isinstance(order, Start) and order.at_us is not None:
        return replace(order, at_us=order.at_us + t_us)
    if isinstance(order, Arm) and order.until_us is not None:
        return replace(order, until_us=order.until_us + t_us)
    return order


@st.composite
def scripts(draw: st.DrawFn) -> list[Step]:
    t_us, levels, steps = FIRST_US, dict.fromkeys(INPUTS, 0), []
    for _ in range(draw(st.integers(1, 80))):
        t_us += draw(few | st.sampled_from(GAPS_US))
        if draw(st.booleans()):
            kind = draw(st.sampled_from(KINDS))
            drawn = without_afterthoughts(draw(some[kind])) if kind in some else []
            told = tuple(at(t_us, order) for order in drawn)
            overlooked = draw(st.sampled_from((0, 0, 0, 1, 2)))
            steps.append(Step(t_us, Frame("batch" if kind in ("show", "end", "rivals") else kind, told, overlooked)))
        if draw(st.booleans()):
            name = draw(st.sampled_from(INPUTS))
            for after_us in draw(st.sampled_from(CHANGES_US)):
                levels[name] ^= 1
                steps.append(Step(t_us + 12_000 + after_us, pin=(name, levels[name])))
    return [*steps, Step(t_us + GRID_US, frame=Frame("time")), Step(t_us + 3 * GRID_US, frame=Frame("health"))]


def some_scripts(count: int) -> list[list[Step]]:
    """Draw scripts, the same every time."""
    found: list[list[Step]] = []

    @seed(7)
    @settings(max_examples=count, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(scripts())
    def collect(script: list[Step]) -> None:
        found.append(script)

    collect()
    return found


WAITING_EDGE = [
    Step(FIRST_US, pin=("left", 1)),
    Step(FIRST_US + 300, pin=("left", 0)),
    Step(FIRST_US + 3_000, Frame("time")),
    Step(FIRST_US + GRID_US, Frame("health")),
]
"""The time is asked for while a change waits for the end of its lock-out, 2 ms later: drawn scripts seldom do."""
STOPPED_SEQUENCE = [
    Step(FIRST_US, Frame("batch", (Load(1, ((GRID_US, Pulse("light", GRID_US)),)), Start(1)))),
    Step(FIRST_US + GRID_US // 2, Frame("batch", (Stop(1),))),
    Step(FIRST_US + 3 * GRID_US, Frame("health")),
]
"""A sequence is stopped between its start and its only entry."""
LATE_START = [
    Step(FIRST_US, Frame("batch", (Load(1, ((GRID_US, Pulse("light", GRID_US)),)),))),
    Step(FIRST_US + GRID_US, Frame("batch", (Start(1, FIRST_US),))),
    Step(FIRST_US + 4 * GRID_US, Frame("health")),
]
"""A sequence is to start at a time that has passed."""
STOPS_ITSELF = [
    Step(FIRST_US, Frame("batch", (Load(1, ((GRID_US, Stop(1)), (2 * GRID_US, Pulse("light", GRID_US)))), Start(1)))),
    Step(FIRST_US + 5 * GRID_US, Frame("health")),
]
"""A sequence stops itself before its last entry."""
ARMED_FIRST = [
    Step(FIRST_US, Frame("batch", (Arm(1, None, (("lever", 1, Pulse("valve", GRID_US)),)),))),
    Step(FIRST_US + GRID_US, Frame("batch", (Arm(2, None, (("plain", 1, Pulse("light", GRID_US)),)),))),
    Step(FIRST_US + 2 * GRID_US, Frame("batch", (Disarm(1),))),
    Step(FIRST_US + 3 * GRID_US, Frame("batch", (Arm(3, None, (("plain", 1, Pulse("lamp", GRID_US)),)),))),
    Step(FIRST_US + 4 * GRID_US, pin=("plain", 1)),
    Step(FIRST_US + 6 * GRID_US, Frame("health")),
]
"""Of two groups with one edge, the later one takes the memory of one before both."""
STARTED_TOGETHER = [
    Step(FIRST_US, Frame("batch", (Load(1, ((0, Pulse("one", GRID_US)),)), Load(2, ((0, Pulse("other", GRID_US)),))))),
    Step(FIRST_US + GRID_US, Frame("batch", tuple(Start(number, FIRST_US + 3 * GRID_US) for number in (2, 1)))),
    Step(FIRST_US + 5 * GRID_US, Frame("health")),
]
"""Two sequences start at one time, and their outputs are interlocked."""
LIMITED = [
    Step(FIRST_US, Frame("batch", (Set("valve", True),))),
    Step(FIRST_US + 4 * GRID_US, Frame("health")),
]
"""A dangerous output is switched on and never off."""
OVERLOOKED_EDGE = [
    Step(FIRST_US, pin=("plain", 1)),
    Step(FIRST_US + GRID_US, Frame("batch", (Arm(1, None, (("plain", 1, Pulse("light", GRID_US)),)),), overlooked=1)),
    Step(FIRST_US + 4 * GRID_US, Frame("health")),
]
"""A group is armed by a host that does not know its edge yet."""
BOTH_MEMBERS = [
    Step(FIRST_US, Frame("batch", (Arm(1, None, tuple((name, 1, Pulse("light", 2_000)) for name in INPUTS[2:])),))),
    Step(FIRST_US + GRID_US, pin=("plain", 1)),
    Step(FIRST_US + 2 * GRID_US, pin=("lever", 1)),
    Step(FIRST_US + 4 * GRID_US, Frame("health")),
]
"""Both members of a group have their edge, one after the other."""
LATE_EDGE = [
    Step(FIRST_US, Frame("batch", (Arm(1, FIRST_US + GRID_US, (("plain", 1, Pulse("light", 2_000)),)),))),
    Step(FIRST_US + 2 * GRID_US, pin=("plain", 1)),
    Step(FIRST_US + 4 * GRID_US, Frame("health")),
]
"""An edge comes when its group has ended."""
REFUSED_ENTRY = [
    Step(
        FIRST_US, Frame("batch", (Load(1, ((GRID_US, Pulse("valve", 2_000)), (0, Pulse("valve", 66_000)))), Start(1)))
    ),
    Step(FIRST_US + 4 * GRID_US, Frame("health")),
]
"""The later entry of a sequence, loaded first, finds its output busy."""
MADE = (
    WAITING_EDGE,
    STOPPED_SEQUENCE,
    LATE_START,
    STOPS_ITSELF,
    ARMED_FIRST,
    STARTED_TOGETHER,
    LIMITED,
    OVERLOOKED_EDGE,
    BOTH_MEMBERS,
    LATE_EDGE,
    REFUSED_ENTRY,
)
"""The scripts for causes that drawn scripts seldom have."""


def by_what(events: Sequence[Said]) -> dict[tuple[Any, ...], list[int]]:
    """Find the places of all that is alike but for its time."""
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, event in enumerate(events):
        places.setdefault((event.kind, *event.fields), []).append(place)
    return places


def both(script: list[Step], laps: int | None = None) -> tuple[Record, Record]:
    model = play(SimSubject(), script)
    return model, play(AvrSubject(laps), script, model)


def both_for_a_pico(script: list[Step]) -> tuple[Record, Record]:
    model = play(SimSubject("pico"), script)
    return model, play(PicoSubject(), script, model)


def assert_in_time(record: Record) -> None:
    """Check that a board says nothing ahead of its time, and after a ``TIME`` no earlier edge."""
    edges_from_us = 0
    for event in record.events:
        assert event.t_us <= event.said_us + ROUNDING_US, event
        if event.kind == "TIME":
            edges_from_us = event.t_us
        elif event.kind == "EDGE":
            assert event.t_us >= edges_from_us, event


def assert_alike(model: Record, chip: Record) -> None:
    assert_in_time(model)
    assert_in_time(chip)
    ours, theirs = by_what(model.events), by_what(chip.events)
    assert {what: len(places) for what, places in theirs.items()} == {
        what: len(places) for what, places in ours.items()
    }
    place_on_chip = {place: other for what in ours for place, other in zip(ours[what], theirs[what], strict=True)}
    for place, event in enumerate(model.events):
        other = chip.events[place_on_chip[place]]
        most_us = FADE_US if event.faded else APART_US
        assert abs(event.t_us - other.t_us) <= most_us, (event, other)
        for earlier in range(place):
            if event.said_us - model.events[earlier].said_us > (
                FADE_US if event.faded or model.events[earlier].faded else APART_US
            ):
                assert place_on_chip[earlier] < place_on_chip[place], (model.events[earlier], event)
    assert chip.answers == model.answers
    for channel in CHANNELS:
        if channel.name != "speaker":  # whose last edge is not its end
            found, wanted = chip.levels(channel.name), model.levels(channel.name)
            assert [value for _, value in found] == [value for _, value in wanted], channel.name
            assert all(abs(a - b) <= APART_US for (a, _), (b, _) in zip(found, wanted, strict=True)), channel.name
