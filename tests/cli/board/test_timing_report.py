"""The table of `rig board bench`: what happens at the pins of a board."""

import json
from collections.abc import Callable

import pytest

from rig.cli.board import timing_report
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.report_rows import Row, figure, times, unmeasured
from tests.cli.conftest import Rig


def rows_are(monkeypatch: pytest.MonkeyPatch, *rows: Row) -> None:
    async def part(bench: Callable[..., object], chip: str, n: int, seed: int) -> list[Row]:
        return list(rows)

    monkeypatch.setattr(timing_report, "PARTS", (part,))
    monkeypatch.setattr(timing_report, "session_speed", lambda driver, chip, n: figure("speed", 99, "x", at_least=20))


def test_every_row_says_what_must_be_and_what_was_got(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    spread = latencies("reflex", [(0.0, 5.0), (0.0, 26.0)])
    late = times("reflex, quiet", spread, {"max": 25}, note="left.valve")
    rows_are(monkeypatch, late, unmeasured("hang", "no program"))
    said = rig("board", "bench", "--board", "sim", "-n", "2")
    assert said.status == 0
    assert (
        "reflex, quiet: NOT MET\n"
        "    must be max <= 25 us\n"
        "    is      median 5.0, p99 26.0, p99.9 26.0, max 26.0 us, n 2\n"
        "    left.valve\n"
    ) in said.out
    assert "         5 to        6       1  ####" in said.out
    assert "hang: not measured: no program\n" in said.out
    assert "speed: met\n    must be >= 20 x\n    is      99 x, n 1\n" in said.out


def test_only_where_it_is_asked_to_be_strict_a_row_that_is_not_met_is_a_failure(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows_are(monkeypatch, figure("flash", 80, "%", at_most=75))
    assert rig("board", "bench", "--board", "sim", "-n", "2").status == 0
    assert rig("board", "bench", "--board", "sim", "-n", "2", "--strict").status == 1
    rows_are(monkeypatch, figure("flash", 70, "%", at_most=75), unmeasured("hang", "no program"))
    assert rig("board", "bench", "--board", "sim", "-n", "2", "--strict").status == 0


def test_all_of_it_is_there_as_data(rig: Rig) -> None:
    said = rig("board", "bench", "--board", "sim", "-n", "30", "--json", "--strict")
    assert said.status == 0
    rows = {row["what"].strip(): row for row in json.loads(said.out)["rows"]}
    assert rows["reflex, quiet: input edge to output edge"]["n"] == 30
    assert rows["reflex, loaded"]["max_us"] == 0
    assert rows["speed of a session of the two-armed bandit"]["met"]
    assert rows["hang, interrupts on: outputs safe"]["met"] is None


def test_a_mega_is_no_board_for_the_session_that_is_timed() -> None:
    row = timing_report.session_speed("sim", "mega", 10)
    assert (row.met, row.got) == (None, "not measured: its rig is an Uno's")
