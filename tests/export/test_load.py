"""`rig.load` has what the journal has, value for value."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rig
from rig.core.errors import ConfigError, RecordError
from rig.core.journal.cells import csv_text
from rig.core.journal.codec import encode, line_bytes
from rig.core.journal.kinds import Command, HealthLine, Paused, Resumed, TrialLine
from rig.core.model.events import Edge, Request, Touch, ZoneEvent
from rig.export.load import Session, Sessions
from rig.records.journal.digest import OTHER_LINES
from rig.records.journal.read import MAX_LISTED
from rig.records.session.trials import format_cell
from rig.records.tables.columns import SESSION_TABLES
from tests.export.recorded import PROTOCOLS, played, save
from tests.harness import run_harness
from tests.missing_modules import hide_module
from tests.past_sessions import rewarded_rows, write_session
from tests.records.lane_truth import lanes_of
from tests.rules.faults import inject
from tests.rules.test_breaks_of_each_protocol import CASES


@pytest.fixture
def bandit(tmp_path: Path) -> Session:
    return one(save(tmp_path, played("two_armed_bandit")))


def one(*paths: Any) -> Session:
    found = rig.load(*paths)
    assert isinstance(found, Session)
    return found


def several(*paths: Any) -> Sessions:
    found = rig.load(*paths)
    assert isinstance(found, Sessions)
    return found


def plain(value: Any) -> Any:
    """Return a value of a frame as Python's."""
    if value is pd.NA or value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    columns = {name: [plain(value) for value in frame[name]] for name in frame.columns}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


# --- what the journal says ------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_tables_of_the_protocol_are_those_of_the_journal_and_of_the_files(protocol: str, tmp_path: Path) -> None:
    harness = played(protocol)
    folder = save(tmp_path, harness)
    session = one(folder)
    for name in ("trials", *harness.spec.header.tables):
        frame, rows = session[name], harness.table(name)
        assert rows_of(frame) == rows
        names, cells = read_csv(folder / f"{name}.csv")
        assert list(frame.columns) == names
        assert [[format_cell(key, value) for key, value in row.items()] for row in rows] == cells
    assert session.complete
    assert session.damage == ()
    assert (session.subject, session.name) == ("M1", "2026-11-21/001")
    assert session.params == harness.spec.header.params
    assert session.footer == harness.footer


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    import csv

    with path.open(newline="", encoding="utf-8") as file:
        names, *cells = csv.reader(file)
    return names, cells


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_other_tables_are_the_lines_of_the_journal(protocol: str, tmp_path: Path) -> None:
    harness = played(protocol)
    session = one(save(tmp_path, harness))
    edges = harness.of_kind(Edge, ZoneEvent)
    assert [
        (round(t * 1e6), c, on) for t, c, on in zip(*(session.edges[k] for k in ("t_s", "channel", "on")), strict=True)
    ] == [(line.t_us, line.channel, bool(line.level)) for line in edges]
    assert list(session.states.state) == [name for name, _ in harness.states]
    assert [round(t * 1e6) for t in session.states.start_s] == [t_us for _, t_us in harness.states]
    assert round(session.states.end_s.iloc[-1] * 1e6) == harness.footer.t_us
    for row, line in zip(rows_of(session.rewards), harness.rewards, strict=True):
        assert row == {"t_s": line.t_us / 1e6, **{name: getattr(line, name) for name in row if name != "t_s"}}
    touches = harness.of_kind(Touch)
    assert list(session.touches.x_cm) == [line.x_cm for line in touches]
    assert list(session.touches.peck) == [line.peck for line in touches]
    lanes = lanes_of(harness.journal)
    for direction, channels in (("input", lanes.inputs), ("output", lanes.outputs)):
        spans = session.spans[session.spans.direction == direction]
        for channel, lane in channels.items():
            found = spans[spans.channel == channel]
            assert [round(t * 1e6) for t in found.start_s] == list(lane.starts)
            assert [-1 if math.isnan(t) else round(t * 1e6) for t in found.end_s] == list(lane.ends)
    (health,) = harness.of_kind(HealthLine)
    counters = dict(zip(session.health.counter, session.health.value, strict=True))
    assert counters == {"executed": health.executed, **health.counters}
    assert list(session.lines("command")) == harness.of_kind(Command)


def test_requests_notes_faults_and_pauses_have_tables(tmp_path: Path) -> None:
    case = CASES["two_armed_bandit"]
    asked = [(10.0, "pause"), (20.0, "resume"), (30.0, "reward left"), (40.0, "pause"), (41.5, "resume")]
    faults = [(at, lambda harness, what=what: harness.request(what)) for at, what in asked]
    stalled = (60.0, partial(inject, kind="silence", amount=2.5))
    harness = run_harness(case.spec, case.live(), *faults, stalled)
    session = one(save(tmp_path, harness))
    assert list(session.requests.what) == [line.what for line in harness.of_kind(Request)]
    assert list(session.faults.what) == ["lease_expired"]
    assert session.faults.details[0]["board_epoch"] == 1
    resumed = harness.of_kind(Resumed)
    assert [round(d * 1e6) for d in session.pauses.duration_s] == [line.paused_us for line in resumed]
    assert [round(t * 1e6) for t in session.pauses.start_s] == [line.t_us for line in harness.of_kind(Paused)]
    # The times of trials are task time; on the axis of the session they are those of the edges.
    times = session.session_time_s(session.trials.t_center_in)
    pokes = session.edges[(session.edges.channel == "center.beam") & session.edges.on.astype(bool)]
    assert set(times) <= set(pokes.t_s)
    assert not set(session.trials.t_center_in) <= set(pokes.t_s)
    assert session.session_time_s(float(session.trials.t_center_in.iloc[-1])) == times[-1]


def test_times_of_a_session_without_pauses_are_the_same_on_both_axes(bandit: Session) -> None:
    assert bandit.session_time_s(3.25) == 3.25
    assert list(bandit.session_time_s(bandit.trials.t_center_in)) == list(bandit.trials.t_center_in)


def test_columns_that_the_program_has_filled_after_the_session_are_those_of_the_file(tmp_path: Path) -> None:
    harness = played("delay_discounting")
    folder = save(tmp_path, harness)
    assert one(folder).trials.idphi.isna().all()
    names, cells = read_csv(folder / "trials.csv")
    for row in cells[1:]:
        row[names.index("idphi")] = "12.5"
    (folder / "trials.csv").write_text(csv_text([names, *cells]), newline="")
    assert [plain(value) for value in one(folder).trials.idphi] == [None, *[12.5] * (len(cells) - 1)]
    # A file of other trials is not believed.
    cells[3][names.index("lap")] = "77"
    (folder / "trials.csv").write_text(csv_text([names, *cells]), newline="")
    assert one(folder).trials.idphi.isna().all()


# --- types ----------------------------------------------------------------------------------------------------


def test_every_column_has_the_type_of_its_kind_also_without_values(tmp_path: Path) -> None:
    harness = played("two_armed_bandit")
    lines = [line for line in harness.raw if b'"k":"trial"' not in line and b'"k":"edge"' not in line]
    empty = one(save(tmp_path, harness, raw=b"".join(lines)))
    full = one(save(tmp_path, harness, number=2))
    wanted = {
        "boolean": "boolean",
        "integer": "Int64",
        "number": "float64",
        "text": ("string", "category"),
        "any": "object",
    }
    for name, columns in full.descriptions.items():
        for column, described in columns.items():
            for session in (empty, full):
                assert str(session[name][column].dtype) in wanted[described["kind"]], f"{name}.{column}"
    assert len(empty.trials) == len(empty.edges) == 0
    assert len(full.trials) > 20
    choice = full.trials.choice.dtype
    assert list(choice.categories) == full.descriptions["trials"]["choice"]["values"]


def test_a_value_that_is_not_of_its_kind_is_kept_as_it_is(tmp_path: Path) -> None:
    harness = played("two_armed_bandit")
    line = harness.of_kind(TrialLine)[3]
    place = harness.journal.index(line)
    other = TrialLine(line.t_us, {**line.row, "trial": "four", "choice": "up"})
    raw = [*harness.raw]
    raw[place] = line_bytes(place, encode(other))
    session = one(save(tmp_path, harness, raw=b"".join(raw)))
    assert session.trials.trial[3] == "four"
    assert session.trials.choice[3] == "up"
    assert session.damage == (OTHER_LINES,)


# --- what is not whole ----------------------------------------------------------------------------------------


def test_a_session_that_runs_or_was_broken_off_is_loaded_as_far_as_it_is_good(tmp_path: Path) -> None:
    harness = played("two_armed_bandit")
    raw = b"".join(harness.raw[: len(harness.raw) // 2])
    session = one(save(tmp_path, harness, raw=raw + b'{"seq":99999,"t":5'))
    assert not session.complete
    assert session.footer is None
    assert session.damage == ("the last line is torn (18 bytes)",)
    assert 5 < len(session.trials) < len(harness.rows)
    assert math.isnan(session.states.end_s.iloc[-1])
    assert "no end, damaged" in repr(session)


def test_a_damaged_line_is_left_out_and_named(tmp_path: Path) -> None:
    harness = played("two_armed_bandit")
    place = harness.journal.index(harness.of_kind(TrialLine)[4])
    raw = [*harness.raw]
    raw[place] = raw[place].replace(b'"trial"', b'"tr1al"', 1)
    session = one(save(tmp_path, harness, raw=b"".join(raw)))
    assert not session.complete
    assert session.damage == (f"line {place + 1}: its checksum does not fit",)
    assert len(session.trials) == len(harness.rows) - 1


def test_of_many_damaged_lines_the_first_are_named_and_the_others_counted(tmp_path: Path) -> None:
    harness = played("two_armed_bandit")
    session = one(save(tmp_path, harness, raw=harness.raw[0] + b"nothing\n" * 100))
    assert len(session.damage) == MAX_LISTED + 1
    assert session.damage[-1] == "80 more lines cannot be trusted"


def test_what_is_no_session_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "other.jsonl").write_bytes(b"hello\n" * 30)
    (tmp_path / "folder").mkdir()
    for name, words in {
        "nowhere": "cannot be read: No such file",
        "empty.jsonl": "has no header line",
        "other.jsonl": "has no header line",
        "folder": "has no session: wanted",
        "nul\0": "cannot be read",
    }.items():
        with pytest.raises(RecordError, match=words):
            rig.load(tmp_path / name)
    with pytest.raises(RecordError, match="nothing to load"):
        rig.load()


def test_without_pandas_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_module(monkeypatch, "pandas")
    with pytest.raises(ConfigError, match=r"pip install 'behavior-rig\[data\]'"):
        rig.load(tmp_path)


# --- several sessions -----------------------------------------------------------------------------------------


@pytest.fixture
def laboratory(tmp_path: Path) -> Path:
    """Two subjects, three sessions of two protocols, and one that cannot be read."""
    save(tmp_path, played("two_armed_bandit"))
    save(tmp_path, played("free_water"), number=2)
    save(tmp_path, played("disk_bandit"), subject="P1")
    broken = save(tmp_path, played("free_water"), subject="P1", number=2)
    (broken / "journal.jsonl").write_bytes(b"nothing\n")
    return tmp_path


def test_the_frames_of_several_sessions_have_the_rows_of_all(laboratory: Path) -> None:
    sessions = several(laboratory)
    assert [(session.subject, session.name) for session in sessions] == [
        ("M1", "2026-11-21/001"),
        ("M1", "2026-11-21/002"),
        ("M1", "2026-11-21/001"),
    ]
    assert list(sessions.unreadable) == [laboratory / "P1" / "2026-11-21" / "002" / "journal.jsonl"]
    assert not sessions.complete
    assert sessions.trials.index.names == ["subject", "session"]
    assert len(sessions.trials) == sum(len(session.trials) for session in sessions)
    assert len(sessions.intervals) == len(list(sessions)[2].intervals)
    first = next(iter(sessions))
    assert list(sessions.trials.t_center_in[: len(first.trials)]) == list(first.trials.t_center_in)
    assert len(sessions.edges.loc[("M1", "2026-11-21/002")]) == len(list(sessions)[1].edges)


def test_a_subject_s_sessions_come_in_the_order_of_time(laboratory: Path) -> None:
    assert [session.name for session in several(laboratory / "M1")] == ["2026-11-21/001", "2026-11-21/002"]


def test_several_paths_are_one_load_and_a_bad_one_is_an_error(laboratory: Path) -> None:
    day = laboratory / "M1" / "2026-11-21"
    assert len(several(day / "002", day / "001" / "journal.jsonl")) == 2
    with pytest.raises(RecordError, match="has no header line"):
        rig.load(day / "001", laboratory / "P1" / "2026-11-21" / "002")


def test_a_table_that_is_not_there_is_named_with_those_that_are(bandit: Session) -> None:
    with pytest.raises(AttributeError, match="there is no table 'intervals', but: trials, edges"):
        bandit.intervals  # noqa: B018
    with pytest.raises(KeyError, match="no table"):
        bandit["lap"]
    assert {"trials", "edges", "params"} <= set(dir(bandit))
    assert set(bandit.table_names) == {"trials", *SESSION_TABLES}


def test_positions_are_read_from_their_file(tmp_path: Path) -> None:
    from rig.records.track.positions import PositionsFile, Sample

    harness = played("delay_discounting")
    folder = save(tmp_path, harness)
    samples = [Sample(1_000_000 + 16_667 * n, 5_000 + n, n / 4, float("nan") if n == 2 else 1.5, n) for n in range(5)]
    line = PositionsFile(folder).append(samples)
    raw = [*harness.raw[:1], line_bytes(1, encode(line))]
    (folder / "journal.jsonl").write_bytes(b"".join(raw))
    session = one(folder)
    assert list(session.positions.frame) == [0, 1, 2, 3, 4]
    assert list(session.positions.x_cm) == [0, 0.25, 0.5, 0.75, 1]
    assert list(session.positions.y_cm.isna()) == [False, False, True, False, False]
    assert session.damage == ()
    (folder / "positions.bin").unlink()
    assert "positions.bin: cannot be read" in one(folder).damage[0]


@pytest.fixture
def differing(tmp_path: Path) -> Path:
    """Three sessions of a subject, the second one with another parameter."""
    for day, value in ((1, 200), (2, 100), (3, 200)):
        write_session(
            tmp_path / "M1", day, rows=rewarded_rows(1, 0), ran={"subject": "M1", "params": {"tone_ms": value}}
        )
    return tmp_path / "M1"


def test_sessions_of_other_parameters_make_a_common_frame_only_if_asked(differing: Path) -> None:
    found = several(differing)
    assert repr(found) == "<Sessions: 3 of 1 subjects, of different code or parameters>"
    assert found.differences == (
        "2 sessions of p (M1 2026-11-01/001, M1 2026-11-03/001)",
        "1 session of p (M1 2026-11-02/001): tone_ms 200 -> 100",
    )
    with pytest.raises(ConfigError, match=r"pool_different=True") as caught:
        _ = found.trials
    assert caught.value.lines[1:] == found.differences
    pooled = rig.load(differing, pool_different=True)
    assert len(pooled.trials) == 6


def test_those_that_are_alike_make_one_each(differing: Path) -> None:
    alike = several(differing).by_task()
    assert [[session.name[8:10] for session in group] for group in alike] == [["01", "03"], ["02"]]
    assert [len(group.trials) for group in alike] == [4, 2]


def test_a_day_is_loaded_by_its_folder(differing: Path) -> None:
    assert [session.name for session in several(differing / "2026-11-02")] == ["2026-11-02/001"]
