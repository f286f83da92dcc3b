"""`rig align`: a file in, a mapping beside the session out; nothing is replaced or guessed."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from rig.align import alignments_of
from tests.align import recordings
from tests.align.recordings import Faults, OtherClock, record
from tests.align.sessions import CODES, SQUARE, session_with
from tests.cli.conftest import Rig
from tests.tables import rows

LENGTH_S = 900
CLOCK = OtherClock(zero_s=40.0, steps=((400, 0.05),))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return session_with(tmp_path / "001", CODES, seconds=LENGTH_S)


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """What another system recorded of the session, as CSV."""
    signal = recordings.codes(7, LENGTH_S / 3600)
    made = record(signal, CLOCK, Faults(), np.random.default_rng(1)).recording
    return put(tmp_path / "ephys.csv", made.times_s, made.levels)


def put(path: Path, times: np.ndarray, levels: np.ndarray | None) -> Path:
    rows = zip(times, levels if levels is not None else np.ones(len(times)), strict=True)
    path.write_text("time_s,level\n" + "".join(f"{time:.9f},{int(level)}\n" for time, level in rows))
    return path


def test_a_recording_is_aligned_and_the_mapping_is_written_beside_the_session(
    rig: Rig, session: Path, events: Path
) -> None:
    journal = (session / "journal.jsonl").read_bytes()
    answer = rig("align", session, events)
    assert (answer.status, answer.err) == (0, "")
    assert "aligned, with 1 gap" in answer.out
    assert "jumped by +50.0" in answer.out
    assert (session / "journal.jsonl").read_bytes() == journal
    mapping = alignments_of(session)["ephys"]
    times = np.array([10e6, 300e6, 500e6, 890e6])
    assert mapping.to_other(times) == pytest.approx(CLOCK(times), abs=60e-6)
    assert mapping.source == "ephys.csv"


def test_the_json_is_what_is_written(rig: Rig, session: Path, events: Path) -> None:
    answer = rig("align", session / "journal.jsonl", events, "--json", "--name", "probe-1")
    printed = json.loads(answer.out)
    (written,) = printed.pop("written")
    assert Path(written) == session / "alignment" / "probe-1.json"
    assert json.loads(Path(written).read_text()) == printed
    assert printed["source"]["file"] == "ephys.csv"
    assert printed["residuals"]["p99_us"] < 50
    assert [gap["why"] for gap in printed["gaps"]] == ["step"]


def test_the_tables_of_an_export_have_both_clocks(rig: Rig, tmp_path: Path, events: Path) -> None:
    session = session_with(tmp_path / "007", CODES, seconds=LENGTH_S, frames=range(5_000_000, 890_000_000, 5_000_000))
    frames = put(tmp_path / "frames.csv", 5 * np.arange(177.0), None)
    assert rig("align", session, events).status == 0
    assert rig("align", session, frames, "--frames", "camera.ttl", "--first-frame", "0").status == 0
    assert rig("export", "csv", session, "--to", tmp_path).status == 0
    for name, count in (("edges", 354), ("frames_camera_ttl", 177)):
        with (tmp_path / f"{session.name}_csv" / f"{name}.csv").open(encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        assert len(table) == count
        known = [row for row in table if row["t_ephys_s"]]
        assert len(known) > 0.98 * count
        shown = CLOCK(np.array([float(row["t_s"]) for row in known]) * 1e6)
        assert [float(row["t_ephys_s"]) for row in known] == pytest.approx(shown, abs=60e-6)


def test_an_alignment_is_replaced_only_with_force(rig: Rig, session: Path, events: Path) -> None:
    assert rig("align", session, events).status == 0
    path = session / "alignment" / "ephys.json"
    before = path.read_bytes()
    answer = rig("align", session, events, "--edges", "1-1500")
    assert (answer.status, answer.out) == (2, "")
    assert "--force" in answer.err
    assert path.read_bytes() == before
    assert rig("align", session, events, "--edges", "1-1500", "--force").status == 0
    assert path.read_bytes() != before


def test_a_refused_recording_leaves_nothing_behind(rig: Rig, tmp_path: Path, events: Path) -> None:
    other = session_with(tmp_path / "002", replace(CODES, seed=8), seconds=LENGTH_S)
    answer = rig("align", other, events)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(f"{events}: the recording has no series of codes that this session sent")
    assert not (other / "alignment").exists()


def test_a_session_without_a_signal_is_refused(rig: Rig, tmp_path: Path, events: Path) -> None:
    answer = rig("align", session_with(tmp_path / "003", seconds=60), events)
    assert answer.status == 2
    assert "sent no sync signal" in answer.err


def test_of_several_outputs_one_must_be_named(rig: Rig, tmp_path: Path, events: Path) -> None:
    both = session_with(tmp_path / "004", replace(SQUARE, output="clock.ttl"), CODES, seconds=LENGTH_S)
    answer = rig("align", both, events)
    assert (answer.status, "--output one of: clock.ttl, sync.ttl" in answer.err) == (2, True)
    assert rig("align", both, events, "--output", "sync.ttl").status == 0


def test_a_square_takes_a_time_nearby(rig: Rig, tmp_path: Path) -> None:
    session = session_with(tmp_path / "005", SQUARE, seconds=3600)
    faults = Faults(from_s=600, to_s=1200)
    made = record(recordings.square(1.0), OtherClock(zero_s=40.0), faults, np.random.default_rng(1)).recording
    file = put(tmp_path / "square.csv", made.times_s, made.levels)
    answer = rig("align", session, file)
    assert (answer.status, "--near SECONDS" in answer.err) == (2, True)
    assert rig("align", session, file, "--near", "40.1").status == 0
    assert alignments_of(session)["square"].to_other(900e6) == pytest.approx(940.045, abs=1e-4)


def test_the_residuals_are_drawn(rig: Rig, session: Path, events: Path, tmp_path: Path) -> None:
    answer = rig("align", session, events, "--plot", tmp_path / "residuals.png")
    assert answer.status == 0
    assert (tmp_path / "residuals.png").read_bytes().startswith(b"\x89PNG")


def test_the_frames_of_a_camera_are_numbered(rig: Rig, tmp_path: Path) -> None:
    edges = 5_000_000 + 10_000 * np.arange(1000)
    session = session_with(tmp_path / "006", frames=edges.tolist(), seconds=30)
    kept = np.delete(np.arange(1000), [100, 500])
    file = tmp_path / "frames.csv"
    file.write_text("frame\n" + "".join(f"{number + 3}\n" for number in kept))
    answer = rig("align", session, file, "--frames", "camera.ttl")
    assert (answer.status, answer.err) == (0, "")
    assert "998 frames numbered" in answer.out
    assert "at 6.000, 10.000 s" in answer.out
    rows = (session / "alignment" / "frames_camera.ttl.csv").read_text().splitlines()
    assert rows[:2] == ["frame,t_us,edge", "3,5000000,1"]
    assert rows[101] == "104,6010000,1"
    assert len(rows) == 999
    assert rig("align", session, file, "--frames", "camera.ttl").status == 2
    again = json.loads(rig("align", session, file, "--frames", "camera.ttl", "--force", "--json").out)
    assert (again["dropped"], again["dropped_t_us"]) == (2, [6_000_000, 10_000_000])


@rows("words", "message")
def test_wrong_options_are_refused_with_what_would_be_right(
    rig: Rig, session: Path, events: Path, words: list[str], message: str
) -> None:
    answer = rig("align", session, events, *words)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert not (session / "alignment").exists()


def test_nothing_is_written_through_a_link(rig: Rig, session: Path, events: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (session / "alignment").symlink_to(elsewhere)
    answer = rig("align", session, events)
    assert (answer.status, "not through a link" in answer.err) == (2, True)
    assert list(elsewhere.iterdir()) == []
