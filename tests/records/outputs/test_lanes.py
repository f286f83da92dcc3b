"""The spans of a session's channels are those of its pins."""

from __future__ import annotations

import dataclasses
import json
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec import ValidationError
from msgspec.structs import replace

import rig.records.outputs.board_outputs
from rig.core.errors import OrderRefusedError, RecordError
from rig.core.journal.codec import decode
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import BatchDone, Command, OutputDone
from rig.core.model.actions import Action, Code, JournaledOrder, Pulse, Ramp, Set, Start, Stop, Train
from rig.core.model.events import WHOLE_BATCH, BoardTime, Continued, Edge, LeaseExpired, Refused
from rig.core.model.line import Line
from rig.core.task.states import Next, state
from rig.records.outputs.lanes import Lanes
from rig.records.outputs.spans import OPEN
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.link_model import LinkFaults
from tests.broken_sessions import run_reconnecting
from tests.harness import FaultHarness, nose_pokes, run_harness, run_with_faults
from tests.journal_lines import as_json
from tests.records.lane_truth import compare_inputs, compare_outputs, lanes_of, spans_of
from tests.rules.faults import inject
from tests.rules.test_breaks_of_each_protocol import CASES
from tests.session_specs import PortTask, protocol_spec, session_spec, task_spec

LATE_US = 25_200
"""A debounced edge fires this long after its stamp at most."""

# --- sessions of the protocols --------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", CASES)
def test_the_spans_of_a_session_are_those_of_its_pins(protocol: str) -> None:
    case = CASES[protocol]
    harness = run_harness(case.spec, case.live())
    assert compare_outputs(harness, late_us=LATE_US) > 5
    assert protocol == "disk_bandit" or compare_inputs(harness) > 5


@pytest.mark.parametrize("how", ["stall", "silence", "stop", "stop_now", "reset"])
@pytest.mark.parametrize("protocol", CASES)
def test_they_are_when_something_happens_to_the_board(protocol: str, how: str) -> None:
    case = CASES[protocol]
    harness = run_harness(case.spec, case.live(), (20.2, partial(inject, kind=how, amount=2.5)), keep_error=True)
    assert compare_outputs(harness, 1_000, late_us=LATE_US, until_us=19_000_000 if how == "reset" else None)


def test_reports_that_never_come_do_not_fill_the_memory() -> None:
    lanes = Lanes()
    for number in range(1, 12_000):
        t_us = number * 10_000
        lanes.take(command(t_us, number, Set(f"o{number}", True)))
        if number == 50:  # the board has executed these, but their own reports were lost
            lanes.take(BoardTime(t_us, executed=50, number=1))
            assert set(lanes.outputs) == {f"o{number}" for number in range(1, 51)}
    assert len(lanes._batches) <= 6_500
    lanes.take(BatchDone(120_000_000, batch=11_999))
    assert {"o1", "o50", "o11998", "o11999"} < set(lanes.outputs)
    assert len(lanes.outputs) <= 6_500


# --- anything at random ---------------------------------------------------------------------------------------

OUTPUTS = ("left.light", "center.light", "right.light")


def random_action(draw: Random) -> Action:
    """Draw an action for one of three outputs: few outputs and few lengths, so that they meet and overlap."""
    output, us = draw.choice(OUTPUTS), draw.choice((20_000, 50_000, 50_000, 120_000))
    kind = draw.choice(("set", "set", "pulse", "pulse", "train", "start", "stop"))
    if kind == "set":
        return Set(output, draw.random() < 0.6)
    if kind == "train":
        return Train(output, us, draw.choice((us, us + 30_000)), draw.randint(1, 4))
    if kind == "pulse":
        return Pulse(output, us)
    return Start(draw.randint(1, 3)) if kind == "start" else Stop(draw.randint(1, 3))


class Anything(PortTask):
    """Orders at random: sequences that are loaded again, start and stop each other, reflexes, and plain actions."""

    def prepare(self) -> None:
        self.draw = Random(self.stream("anything").random())
        self.parts = [self.sequence(*self.random_entries()) for _ in range(3)]

    def on_interrupted(self) -> None:
        for part in self.parts:
            part.load()

    def random_entries(self) -> list[tuple[float, Action]]:
        return [
            (self.draw.randint(10_000, 200_000) / 1e6, random_action(self.draw)) for _ in range(self.draw.randint(1, 2))
        ]

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        draw = self.draw
        if draw.random() < 0.7:
            self.do(random_action(draw))
        if draw.random() < 0.3:
            draw.choice(self.parts).load(*self.random_entries())
        elif draw.random() < 0.3:
            draw.choice(self.parts).start(
                max(0, self.now_s + draw.choice((-0.05, 0.05, 0.1))) if draw.random() < 0.5 else None
            )
        if draw.random() < 0.5:
            poked = draw.choice((self.box.left.poked, self.box.right.poked, self.box.right.on_exit))
            with self.reflex((poked, random_action(draw))):  # type: ignore[arg-type]
                await self.first(poked, within=draw.choice((0.05, 0.2)))  # type: ignore[arg-type]
        else:
            await self.sleep(draw.choice((0.01, 0.05, 0.05, 0.15)))
        return self.here


def with_limit(spec: SessionSpec, *outputs: str) -> SessionSpec:
    """Return a specification in which the board limits these outputs, and so reports when they go on."""
    wiring = spec.plan.wiring
    channels = tuple(
        dataclasses.replace(channel, max_on_us=150_000) if channel.name in outputs else channel
        for channel in wiring.channels
    )
    return dataclasses.replace(
        spec, plan=dataclasses.replace(spec.plan, wiring=dataclasses.replace(wiring, channels=channels))
    )


def at_random(
    seed: int, faults: LinkFaults | None = None, *injected: Any, limited: tuple[str, ...] = ()
) -> FaultHarness:
    draw, at_us, visits = Random(seed), 100_000, []
    while at_us < 2_800_000:
        place, us = draw.choice(("left", "right")), draw.choice((1_000, 20_000, 80_000))
        visits.append((at_us, place, us))
        at_us += us + draw.choice((1_000, 30_000, 150_000))
    spec = with_limit(task_spec(Anything, {}, {"session_s": 3}, seed), *limited)
    return run_with_faults(spec, nose_pokes(*visits), *injected, faults=faults, t_max=120)


def compare_random(seeds: range, limited: tuple[str, ...] = ()) -> int:
    total = 0
    for seed in seeds:
        try:
            total += compare_outputs(at_random(seed, limited=limited), 200, late_us=LATE_US)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return total


@pytest.mark.parametrize("limited", [(), OUTPUTS[:2], OUTPUTS])
def test_random_orders_switch_the_outputs_as_the_lanes_say(limited: tuple[str, ...]) -> None:
    assert compare_random(range(20), limited) > 200


@pytest.mark.campaign
@pytest.mark.parametrize("limited", [(), OUTPUTS])
@pytest.mark.parametrize("first", range(1_000, 3_000, 500))
def test_they_do_in_all_but_two_of_a_thousand_sessions(first: int, limited: tuple[str, ...]) -> None:
    """The order of two causes within the lock-out of an input, of which one is a reflex, cannot always be told."""
    wrong = []
    for seed in range(first, first + 500):
        try:
            compare_random(range(seed, seed + 1), limited)
        except AssertionError as error:
            wrong.append(str(error))
    assert len(wrong) <= 1, wrong


UNSURE_US = 150_000
"""Of a batch whose report was lost until the end, the board has said only after which other batch it came."""


def bad_link(seed: int, limited: tuple[str, ...] = ()) -> FaultHarness:
    draw = Random(f"link {seed}")
    latency_s, rate = draw.choice((0.0005, 0.004, 0.03)), draw.choice((1e-3, 5e-3))
    faults = LinkFaults(latency_s, latency_s / 2, flip=rate, drop=rate, double=rate, seed=seed)
    kind, amount = draw.choice(("silence", "block_input", "stall", "delay")), draw.choice((0.05, 0.4, 2.2))
    injected = draw.uniform(0.3, 2.6), partial(inject, kind=kind, amount=amount)
    return at_random(seed, faults, injected, limited=limited)


def compare_on_bad_links(seeds: range, limited: tuple[str, ...] = ()) -> int:
    expired = 0
    for seed in seeds:
        harness = bad_link(seed, limited)
        if harness.outcome is not None and harness.footer.complete:
            compare_outputs(harness, UNSURE_US)
            expired += harness.footer.lease_expirations
    return expired


@pytest.mark.parametrize("limited", [(), OUTPUTS])
def test_lost_and_late_reports_and_expired_leases_change_no_span(limited: tuple[str, ...]) -> None:
    assert compare_on_bad_links(range(25), limited)


def drawn_while_it_grows(harness: FaultHarness, every: int) -> Lanes:
    lanes = Lanes()
    for number, line in enumerate(harness.journal):
        lanes.take(line)
        if number % every == 0:
            dict(lanes.outputs)
    return lanes


@pytest.mark.parametrize("every", [1, 7, 100])
def test_reading_them_while_a_session_grows_changes_nothing(every: int) -> None:
    harness = at_random(3, limited=OUTPUTS[:2])
    whole, grown = lanes_of(harness.journal), drawn_while_it_grows(harness, every)
    assert {name: spans_of(lane) for name, lane in grown.outputs.items()} == {
        name: spans_of(lane) for name, lane in whole.outputs.items()
    }


def test_the_spans_of_a_long_session_are_settled_while_it_grows() -> None:
    case = CASES["delay_discounting"]
    harness = run_harness(case.spec, case.live())
    whole, grown = lanes_of(harness.journal), drawn_while_it_grows(harness, 50)
    assert grown._settled._acts > 10
    assert {name: spans_of(lane) for name, lane in grown.outputs.items()} == {
        name: spans_of(lane) for name, lane in whole.outputs.items()
    }


def test_a_journal_of_hours_is_read_in_the_memory_of_minutes() -> None:
    lanes, actions = Lanes(), 12_000
    for number in range(actions):
        t_us = number * 1_000_000
        lanes.take(command(t_us, number, Pulse("left.valve", 5_000)))
        lanes.take(BatchDone(t_us + 100, batch=number))
        lanes.take(OutputDone(t_us + 5_100, "left.valve", "finished"))
        assert len(lanes._facts) <= 5_100
        assert len(lanes._batches) <= 2_000
    starts_us = lanes.outputs["left.valve"].starts
    assert list(starts_us) == [number * 1_000_000 + 100 for number in range(actions)]


@pytest.mark.parametrize("grows", [False, True])
def test_what_a_batch_did_whose_report_is_lost_is_told_in_its_place(grows: bool) -> None:
    lanes, light = Lanes(), Set("left.light", True)
    lanes.take(command(100_000, 1, light))
    for number in range(2, 8_000):
        t_us = number * 250_000
        lanes.take(command(t_us, number, Set("left.light", number != 1_000)))
        lanes.take(BatchDone(t_us + 100, batch=number))
        if grows and number % 500 == 0:
            list(lanes.take_ended(0))
            assert lanes.outputs
    lanes.take(LeaseExpired(2_100_000_000, board_epoch=1, executed=7_999, number=1))
    spans = spans_of(lanes.outputs["left.light"])
    assert [round(end_us / 1e6) for _, end_us in spans] == [250, 2_100]
    assert spans[0][0] == 100_000


def test_a_long_action_that_was_settled_ends_when_its_end_is_reported() -> None:
    ramp = Ramp("speaker.tone", hz=1, step_hz=0, tone_us=10**5, period_us=10**6, count=99)
    lines: list[Line] = [command(0, 1, ramp), BatchDone(500, batch=1)]
    lines += [Edge(200_000 * number, "a", number % 2, 0, number) for number in range(1, 200)]
    lines.append(OutputDone(40_050_500, "speaker.tone", "stopped"))
    growing = Lanes()
    for line in lines:
        growing.take(line)
        dict(growing.outputs)
    spans = spans_of(growing.outputs["speaker.tone"])
    assert spans == spans_of(lanes_of(lines).outputs["speaker.tone"])
    assert (len(spans), spans[-1]) == (41, (40_000_500, 40_050_500))


# --- breaks ---------------------------------------------------------------------------------------------------


def connect(harness: FaultHarness) -> None:
    harness.rig.cable.connect()


@pytest.mark.parametrize("how", ["reset", "unplug"])
def test_a_board_that_was_lost_and_comes_back_begins_with_all_outputs_off(how: str) -> None:
    spec = session_spec(protocol_spec("two_armed_bandit", stop_session_s=40, stop_reconnect_within_s=20))
    faults = (15.03, partial(inject, kind=how, amount=0)), (20.0, connect)
    harness = run_reconnecting(spec, CASES["two_armed_bandit"].live(), *faults)
    assert harness.of_kind(Continued)
    # Where the board was lost its outputs go off with the lease, which no line can say.
    assert compare_outputs(harness, 10_000_000, reported_within_us=10_000) > 10


# --- by hand --------------------------------------------------------------------------------------------------


def command(t_us: int, batch: int, *orders: JournaledOrder, epoch: int = 0) -> Command:
    return Command(t_us, epoch, batch, 0, orders)


LIGHT_ON = Set("left.light", True)


def test_an_input_that_is_on_when_the_board_is_lost_is_off_from_then_on() -> None:
    edge = Edge(1_000, "left.beam", 1, fired=0, number=1)
    gone = Continued(9_000, gap_us=6_000, why="crash", restarted=False)
    lanes = lanes_of([edge, gone, replace(edge, t_us=9_500)])
    assert spans_of(lanes.inputs["left.beam"]) == [(1_000, 3_000), (9_500, OPEN)]


def test_a_refusal_counts_also_when_it_comes_after_the_report_of_its_batch() -> None:
    lines = [command(0, 1, LIGHT_ON), BatchDone(500, batch=1)]
    refusal = Refused(500, batch=1, order=0, reason="busy", number=4)
    assert lanes_of(lines).outputs
    assert not lanes_of([*lines, refusal]).outputs
    assert not lanes_of([*lines, replace(refusal, order=WHOLE_BATCH)]).outputs


def test_a_batch_of_an_epoch_that_has_ended_does_nothing() -> None:
    expired = LeaseExpired(900, board_epoch=1, executed=0, number=1)
    lines = [expired, command(1_000, 1, LIGHT_ON), BatchDone(1_500, batch=1)]
    assert not lanes_of(lines).outputs
    lines[1] = command(1_000, 1, LIGHT_ON, epoch=1)
    assert spans_of(lanes_of(lines).outputs["left.light"]) == [(1_500, OPEN)]


def test_an_action_that_runs_ends_as_planned_until_its_end_is_reported() -> None:
    lines: list[Line] = [command(0, 1, Pulse("left.valve", 40_000)), BatchDone(500, batch=1)]
    assert spans_of(lanes_of(lines).outputs["left.valve"]) == [(500, 40_500)]
    lines.append(OutputDone(20_000, "left.valve", "stopped"))
    assert spans_of(lanes_of(lines).outputs["left.valve"]) == [(500, 20_000)]


VALVE = {"do": "pulse", "output": "left.valve", "us": 40_000}
BAD_ORDERS: list[dict[str, Any]] = [
    {"do": "set"},
    {"do": "set", "output": 3, "on": True},
    {"do": "pulse", "output": "left.valve", "us": "long"},
    {"do": "pulse", "output": "left.valve", "us": -5},
    {"do": "train", "output": "left.valve", "on_us": 1, "period_us": 2, "count": 10**15},
    {"do": "pulse", "output": "left.valve", "us": 2**63 - 1},
    {"do": "train", "output": "left.valve", "on_us": 2**62, "period_us": 1, "count": 65_535},
    {"do": "train", "output": "left.valve", "on_us": 1, "period_us": 2**62, "count": 3},
    {"do": "code", "output": "sync", "period_us": 0, "bit_us": 20_000, "bits": 8, "seed": 1},
    {"do": "code", "output": "sync", "period_us": 5_000_000, "bit_us": -1, "bits": 8, "seed": 1},
    {"do": "code", "output": "sync", "period_us": 5_000_000, "bit_us": 20_000, "bits": 33, "seed": 1},
    {"do": "load", "sequence": 1, "entries": [{"do": "pulse", "output": "left.valve", "us": 4}]},
    {"do": "load", "sequence": 1, "entries": [[-1, {"do": "pulse", "output": "left.valve", "us": 4}]]},
    {"do": "load", "sequence": 1, "entries": [[0, {"do": "cancel"}]] * 300},
    {"do": "arm", "group": 1, "until_us": None, "members": [["left.beam", 1, {"do": "set"}]]},
    {"do": "arm", "group": 1, "until_us": None, "members": [["left.beam", 1, {"do": "disarm", "group": 1}]]},
    {"do": "start", "sequence": None},
    {"do": "dance"},
    {"do": "reward", "action": VALVE, "source": None, "ul": 2.5},
    {"do": "reward", "action": VALVE, "source": "left", "ul": "much"},
    {"do": "reward", "action": VALVE, "source": "left", "ul": -2.5},
]


@pytest.mark.parametrize("order", BAD_ORDERS, ids=str)
def test_an_order_that_no_board_could_have_had_is_damage(order: dict[str, Any]) -> None:
    fields = as_json(command(0, 1, LIGHT_ON))
    decode(json.dumps(fields).encode())
    with pytest.raises(ValidationError):
        decode(json.dumps({**fields, "orders": [*fields["orders"], order]}).encode())


def test_no_journal_gets_an_order_that_no_board_could_have_had() -> None:
    kept: list[bytes] = []
    with pytest.raises(OrderRefusedError, match="65536' is beyond what any board can do"):
        Journal(kept.append).command(0, 0, 1, 0, [Train("left.valve", 1, 2, 65_536)])
    assert not kept


def test_a_journal_that_is_made_to_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.records.outputs.board_outputs, "MAX_ACTS", 100_000)
    train, off = Train("left.light", on_us=1, period_us=2, count=65_535), Set("left.light", False)
    lines = [command(0, 1, *[order for _ in range(2) for order in (train, off)]), BatchDone(500, batch=1)]
    with pytest.raises(RecordError, match="no journal of a session"):
        lanes_of(lines).outputs  # noqa: B018


def test_a_sync_signal_up_to_a_time_that_no_session_reaches_is_refused_before_it_is_computed() -> None:
    signal = Code("sync", period_us=1_000_000, bit_us=10_000, bits=16, seed=1)
    lines = [command(0, 1, signal), BatchDone(500, batch=1), BoardTime(10**15, executed=1, number=1)]
    with pytest.raises(RecordError, match="no journal of a session"):
        lanes_of(lines).outputs  # noqa: B018
