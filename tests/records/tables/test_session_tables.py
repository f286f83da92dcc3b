"""What becomes of lines that no simulated session of these tests has."""

from typing import Any

from rig.core.journal.kinds import SessionLine
from rig.records.tables.session_tables import SessionTables
from tests.journal_lines import FOOTER, HEADER, made


def rows_of(table: str, *lines: SessionLine) -> list[Any]:
    tables = SessionTables()
    for line in (made("header", **HEADER), *lines):
        tables.take(line)
    return [tuple(row) for row in tables.own()[table].rows]


def test_what_a_person_noted_stands_beside_the_notes_of_the_protocol() -> None:
    assert rows_of(
        "notes",
        made("note", 1_000_000, what="assignment", by_disk=[0, 1]),
        made("note", 2_000_000, what="texts", text="hello"),
        made("note", 2_500_000, what="no text", text=[3]),
        made("operator_note", 3_000_000, text="drank", raw_us=7, uncertainty_us=8),
    ) == [
        (1.0, "host", "assignment", None, {"by_disk": [0, 1]}),
        (2.0, "host", "texts", "hello", None),
        (2.5, "host", "no text", None, {"text": [3]}),
        (3.0, "operator", "operator_note", "drank", {"raw_us": 7, "uncertainty_us": 8}),
    ]


def test_faults_of_the_host_and_of_the_board_have_one_table() -> None:
    assert rows_of(
        "faults",
        made("fault", 1_000_000, what="link_lost", detail="no answer"),
        made("panic", 2_000_000, board="uno", pin=3, executed=4, number=5),
    ) == [
        (1.0, "link_lost", "no answer", None),
        (2.0, "panic", None, {"board": "uno", "pin": 3, "executed": 4, "number": 5}),
    ]


def test_a_zone_of_a_tracker_is_an_edge_of_the_camera_without_a_number() -> None:
    beam = made("edge", 1_000_000, channel="left.beam", level=1, fired=2, number=9)
    zone = made("zone", 2_000_000, channel="left.zone", level=0, raw_us=1, uncertainty_us=20_000)
    assert rows_of("edges", beam, zone) == [
        (1.0, "left.beam", True, "board", 2, 9, None),
        (2.0, "left.zone", False, "camera", 0, None, 0.02),
    ]


def test_a_break_in_a_pause_belongs_to_it_and_an_open_pause_has_no_end() -> None:
    lines = [
        made("continued", 2_000_000, gap_us=500_000, why="crash", restarted=True),
        made("pause", 3_000_000),
        made("continued", 5_000_000, gap_us=1_000_000, why="disconnected", restarted=False),
        made("resume", 6_000_000, paused_us=3_000_000),
        made("pause", 7_000_000),
        made("footer", 8_000_000, **FOOTER),
    ]
    assert rows_of("pauses", *lines) == [
        (1.5, 2.0, 0.5, "crash"),
        (3.0, 6.0, 3.0, "pause"),
        (7.0, None, None, "pause"),
    ]
