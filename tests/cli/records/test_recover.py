"""``rig recover --port``: the session's board says what it gave."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Rig
from tests.cli.simulated_port import board_at_a_port
from tests.cli.test_records import rewritten
from tests.harness import FaultHarness, nose_pokes, run_with_faults
from tests.records.journals import on_this_machine, put
from tests.rules.test_asked_afterwards import use_before
from tests.session_specs import protocol_spec

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX"),
]
POKES = nose_pokes((1_000_000, "center", 50_000), (1_200_000, "left", 100_000), (2_500_000, "center", 50_000))


@pytest.fixture
def died(tmp_path: Path) -> tuple[Path, FaultHarness]:
    """A session whose host has died with a reflex armed, and what became of it."""
    lines: list[int] = []

    def arrange(harness: FaultHarness) -> None:
        use_before(harness.rig.board, 2, keeps=8)
        harness.rig.call_at_us(2_700_000, lambda: die(harness))

    def die(harness: FaultHarness) -> None:
        lines.append(len(harness.raw))
        harness.rig.cable.to_board.send = lambda data: None

    spec = protocol_spec(p_high=1, p_low=1, allow_asymmetric="true", iti_min_s=0.2, stop_session_s=8)
    harness = run_with_faults(spec, POKES, arrange=arrange, after_s=10)
    session = tmp_path / "lab" / "M1" / "2026-11-21" / "001"
    raw = [line.replace(b'"simulated":true', b'"simulated":false') for line in harness.raw[: lines[0]]]
    return on_this_machine(put(session, raw)), harness


def test_the_board_at_a_port_settles_a_drop_in_doubt(rig: Rig, died: tuple[Path, FaultHarness]) -> None:
    session, harness = died
    assert len(harness.valve_openings) == 1
    with board_at_a_port(harness.rig.board.chip.openings) as port:
        said = rig("recover", "--port", port, session)
        assert said.status == 0, said.err
        assert "board 5131 has kept 3 openings: 0 given, 1 not given" in said.out
        assert "in doubt" not in said.out
        again = rig("recover", "--port", port, "--json", session)
    found = json.loads(again.out)[0]
    assert (found["undecided"], found["confirmed"], found["refused"]) == (0, 0, 0)
    lines = [json.loads(line) for line in (session / "journal.jsonl").read_bytes().splitlines()]
    assert [line["k"] for line in lines[-3:]] == ["correction", "reward", "footer"]
    assert (lines[-3]["uid"], lines[-3]["source"]) == ("5131", port)
    assert (lines[-1]["rewards"], lines[-1]["unconfirmed_rewards"]) == (1, 0)
    assert json.loads((session / "summary.json").read_text())["rewards"] == 1


def test_a_session_that_was_recovered_without_its_board_is_settled_later(
    rig: Rig, died: tuple[Path, FaultHarness]
) -> None:
    session, harness = died
    said = rig("recover", session)
    assert "1 reward in doubt, and counted as given: --port PORT asks the board" in said.out
    assert json.loads((session / "summary.json").read_text())["rewards"] == 2
    with board_at_a_port(harness.rig.board.chip.openings) as port:
        assert "0 given, 1 not given" in rig("recover", "--port", port, session).out
    assert json.loads((session / "summary.json").read_text())["rewards"] == 1
    assert rig("recover", session).status == 0


def test_a_board_without_power_leaves_the_doubt(rig: Rig, died: tuple[Path, FaultHarness]) -> None:
    session, _ = died
    with board_at_a_port() as port:
        said = rig("recover", "--port", port, session)
    assert said.status == 0
    assert "board 5131 has kept 0 openings: 0 given, 0 not given" in said.out
    assert "1 reward still in doubt, and counted as given: it has lost its power" in said.out
    assert json.loads((session / "summary.json").read_text())["rewards"] == 2


def test_another_board_is_refused_before_it_is_opened(rig: Rig, died: tuple[Path, FaultHarness]) -> None:
    session, harness = died
    rewritten(session, b'"uid":"5131"', b'"uid":"7F3A"')
    before = (session / "journal.jsonl").read_bytes()
    with board_at_a_port(harness.rig.board.chip.openings) as port:
        said = rig("recover", "--port", port, session)
    assert said.status == 3
    assert "this is board 5131, the journal names board 7F3A: another cable, or another journal" in said.err
    assert (session / "journal.jsonl").read_bytes() == before


def test_a_port_that_is_not_there_changes_nothing(rig: Rig, died: tuple[Path, FaultHarness]) -> None:
    session, _ = died
    before = (session / "journal.jsonl").read_bytes()
    said = rig("recover", "--port", "/dev/nowhere", session)
    assert (said.status, "there is no such port" in said.err) == (3, True)
    assert (session / "journal.jsonl").read_bytes() == before


def test_a_journal_without_a_board_that_keeps_openings_is_said(rig: Rig, died: tuple[Path, FaultHarness]) -> None:
    session, _ = died
    path = session / "journal.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    said = rig("recover", "--port", "/dev/nowhere", session)
    assert said.status == 2
    assert "names no board that keeps openings" in said.err
