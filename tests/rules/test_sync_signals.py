"""A sync signal belongs to the session: it runs from its start to its end, whatever the task and its operator do."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from rig.config import rig_file_model
from rig.core.journal.kinds import AllOffDone, BatchDone, Command, Resumed, StateLine
from rig.core.model.actions import Code
from rig.core.model.events import Continued, Refused
from rig.devices.kinds import installed_kinds
from rig.records.alignments.sync_edges import sync_edges, sync_runs
from rig.records.outputs.lanes import Lanes
from rig.session.spec.read_rig import Rig
from tests.broken_sessions import run_reconnecting
from tests.harness import FaultHarness, nose_pokes, run_harness
from tests.rules.port_tasks import IntervalTask
from tests.session_specs import NOSE_PORTS, session_spec, task_spec

CODES = {"period_s": 1, "bits": 16, "bit_ms": 20}


def with_sync(sync: Any = CODES, **more: Any) -> Rig:
    """Add an output with a sync signal to the rig of three ports."""
    dumped = {name: config.model_dump(exclude_none=True) for name, config in NOSE_PORTS.file.devices.items()}
    outputs = {"sync": {"kind": "ttl_out", "pin": 12, "sync": sync}, **more}
    file = rig_file_model(installed_kinds()).model_validate(
        {"boards": {"sim": {"driver": "sim"}}, "devices": {**dumped, **outputs}}
    )
    return replace(NOSE_PORTS, file=file)


class Drops(IntervalTask):
    wait_s = 1.5


SPEC = session_spec(task_spec(Drops, stop={"session_s": 12}, rig=with_sync()))


def changes(harness: FaultHarness, output: str = "sync") -> list[tuple[int, int]]:
    """Return the changes of an output's pin."""
    return [(t_us, level) for t_us, name, level in harness.trace if name == output]


def told(harness: FaultHarness, output: str = "sync") -> list[tuple[int, int]]:
    return [(edge.t_us, edge.level) for edge in sync_edges(harness.journal, output)]


def test_the_signal_starts_before_the_first_state_waits_and_ends_with_the_session() -> None:
    harness = run_harness(SPEC)
    (command,) = (line for line in harness.of_kind(Command) if isinstance(line.orders[0], Code))
    assert command.batch == 1
    assert harness.journal.index(command) < harness.journal.index(harness.of_kind(StateLine)[0])
    (run,) = sync_runs(harness.journal)
    assert run.is_ended
    assert run.end_us == harness.of_kind(AllOffDone)[0].t_us
    edges = list(run.edges())
    assert {edge.number for edge in edges} == set(range(12))
    assert changes(harness) == told(harness)
    harness.assert_replay_agrees()


def test_the_seed_of_the_session_decides_the_words_and_each_output_has_its_own() -> None:
    def seeds(seed: int) -> list[int]:
        spec = task_spec(Drops, stop={"session_s": 2}, seed=seed, rig=with_sync(other={**OTHER, "sync": CODES}))
        harness = run_harness(session_spec(spec, seed=seed))
        return [line.orders[0].seed for line in harness.of_kind(Command)[:2]]

    assert seeds(1) == seeds(1)
    assert len({*seeds(1), *seeds(2)}) == 4


ORDER = Code("sync", 5_000_000, 20_000, 8, seed=1)
OTHER = {"kind": "ttl_out", "pin": 13}


def test_a_square_and_a_code_run_beside_each_other() -> None:
    spec = session_spec(task_spec(Drops, stop={"session_s": 5}, rig=with_sync(other={**OTHER, "sync": "square"})))
    harness = run_harness(spec)
    assert changes(harness) == told(harness)
    assert changes(harness, "other") == told(harness, "other")
    square = [edge.t_us for edge in sync_edges(harness.journal, "other")]
    assert {after - before for before, after in pairwise(square[:-1])} == {500_000}  # the last one is the end
    with pytest.raises(ValueError, match="several outputs send a sync signal: other, sync; name one"):
        next(sync_edges(harness.journal))


def test_a_pause_does_not_stop_the_signal() -> None:
    harness = run_harness(SPEC, None, (4.0, lambda it: it.request("pause")), (7.2, lambda it: it.request("resume")))
    assert harness.of_kind(Resumed)
    assert len(sync_runs(harness.journal)) == 1
    assert changes(harness) == told(harness)
    numbers = [edge.number for edge in sync_edges(harness.journal)]
    assert max(numbers) >= 14
    harness.assert_replay_agrees()


def test_the_signal_starts_again_with_other_numbers_when_a_lease_has_expired() -> None:
    harness = run_harness(SPEC, None, (4.0, lambda it: it.block_input(2.5)))
    assert "lease_expired" in harness.faults
    first, second = sync_runs(harness.journal)
    assert first.end_us < second.begin_us < 6_600_000
    assert first.is_ended
    assert (first.order.first, second.order.first) == (0, 1_000_000)
    assert changes(harness) == told(harness)
    harness.assert_replay_agrees()


def test_the_signal_starts_again_on_a_board_that_comes_back() -> None:
    harness = run_reconnecting(
        SPEC, [], (4.0, lambda it: it.rig.cable.disconnect()), (9.0, lambda it: it.rig.cable.connect())
    )
    first, second = sync_runs(harness.journal)
    assert not first.is_ended
    assert (first.order.first, second.order.first) == (0, 1_000_000)
    assert first.end_us < harness.of_kind(Continued)[0].t_us < second.begin_us
    harness.assert_replay_agrees()


def test_the_signal_is_no_activity_and_wakes_nothing() -> None:
    alone = run_harness(session_spec(task_spec(Drops, stop={"session_s": 12})), nose_pokes((2_000_000, "left", 50_000)))
    harness = run_harness(SPEC, nose_pokes((2_000_000, "left", 50_000)))
    assert harness.footer.inactive_inputs == alone.footer.inactive_inputs
    assert [line.name for line in harness.of_kind(StateLine)] == [line.name for line in alone.of_kind(StateLine)]
    assert len(harness.valve_openings) == len(alone.valve_openings)


def test_the_lanes_of_a_journal_show_the_signal_up_to_the_last_line() -> None:
    harness = run_harness(SPEC)
    lanes = Lanes()
    for line in harness.journal:
        lanes.take(line)
    lane = lanes.outputs["sync"]
    edges = list(sync_edges(harness.journal))
    spans = list(zip(edges[::2], edges[1::2], strict=True))
    assert list(lane.starts) == [on.t_us for on, _ in spans]
    assert list(lane.ends) == [off.t_us for _, off in spans]


def test_of_a_journal_that_breaks_off_the_edges_up_to_the_last_time_of_the_board_are_known() -> None:
    harness = run_harness(SPEC)
    whole = list(sync_edges(harness.journal))
    lines = [line for line in harness.journal if line.t_us < (5_000_000 if line.src == "board" else 8_000_000)]
    assert lines[-1].t_us > 6_000_000  # the program goes on for a while
    cut = list(sync_edges(lines))
    assert cut == whole[: len(cut)]
    last_us = max(line.t_us for line in lines if line.src == "board")
    assert [edge for edge in whole if edge.t_us < last_us] == cut


def test_a_signal_that_the_board_refused_has_no_edges() -> None:
    lines = [Command(0, 0, 1, 0, (ORDER,)), Refused(5, 1, 0, "busy", 1), BatchDone(5, 1)]
    assert sync_runs(lines) == []
    assert sync_runs([lines[0], lines[2], lines[1]]) == []
