"""What a session does with the values that its board samples."""

from pathlib import Path

import pytest

from rig.boards.simulation import SimulatedRig
from rig.core.errors import RecordError, RigError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SamplesLine, SessionLine
from rig.core.model.board import Block
from rig.core.model.events import Continued
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import of_kind
from rig.records.sampled import samples as records
from rig.records.sampled.read import read_samples
from rig.records.sampled.samples import SamplesFile
from rig.session.run.sampling import SampleRecorder
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.testing import set_value
from tests.broken_sessions import ReconnectingHarness
from tests.harness import FaultHarness, bad_link, fault_moves, run_harness
from tests.journal_lines import read_line
from tests.sampled_lab import write_lab


def block(t_us: int, count: int, lost: int = 0, unsent: int = 0) -> Block:
    return Block("wheel", [t_us + 10_000 * n for n in range(count)], list(range(count)), lost, unsent)


class Recorded:
    """A recorder with one source, and what it writes."""

    def __init__(self, folder: Path) -> None:
        self.lines: list[SessionLine] = []
        self.failures: list[RigError] = []
        self.recorder = SampleRecorder({"wheel": SamplesFile(folder, "wheel")})

    def start(self) -> None:
        self.recorder.start(Journal(lambda line: self.lines.append(read_line(line))), self.failures.append)

    @property
    def blocks(self) -> list[tuple[int, int, int, int]]:
        return [(line.first, line.samples, line.lost, line.unsent) for line in of_kind(self.lines, SamplesLine)]


def test_values_are_appended_every_half_second_with_what_is_lost_of_them(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path)
    recorded.start()
    for n in range(11):
        recorded.recorder.record(block(100_000 * n, 10, lost=n == 3, unsent=n == 3))
    assert recorded.blocks == [(0, 60, 1, 1)]
    assert recorded.recorder.close() is None
    assert recorded.blocks == [(0, 60, 1, 1), (60, 50, 0, 0)]
    assert recorded.recorder.close() is None
    assert len(recorded.blocks) == 2


def test_what_comes_before_the_board_is_open_is_kept(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path)
    recorded.recorder.record(block(0, 100))
    assert recorded.blocks == []
    recorded.start()
    recorded.recorder.record(block(1_000_000, 1))
    assert recorded.blocks == [(0, 101, 0, 0)]


def test_values_of_a_source_without_a_file_are_not_kept(tmp_path: Path) -> None:
    recorder = SampleRecorder({})
    recorder.record(block(0, 100))
    assert recorder.close() is None


# --- sessions ---------------------------------------------------------------------------------------------------


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionSpec:
    monkeypatch.chdir(write_lab(tmp_path))
    return build_spec(SessionRequest("treadmill.yaml", seed=1, subject="M1"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "session"
    place.mkdir()
    return place


def values_of(harness: FaultHarness, folder: Path, source: str) -> list[int]:
    """The times of all values of a source, in microseconds."""
    lines = [line for line in harness.of_kind(SamplesLine) if line.source == source]
    times: list[int] = read_samples(folder, source, lines).records["t_us"].tolist()
    return times


def test_a_session_on_a_bad_cable_has_no_wrong_value_and_counts_the_blocks_that_it_lacks(
    spec: SessionSpec, folder: Path
) -> None:
    harness = run_harness(spec, (), folder=folder, faults=bad_link(3))
    lost = sum(line.lost for line in harness.of_kind(SamplesLine) if line.source == "wheel")
    times = values_of(harness, folder, "wheel")
    assert lost > 0
    # All blocks but the last are full, and have 10 values.
    whole = range(times[0], times[-1] + 1, 10_000)
    assert set(times) <= set(whole)
    assert len(whole) - len(times) <= 10 * lost


def test_the_values_of_a_board_that_was_away_go_on_in_the_same_file(spec: SessionSpec, folder: Path) -> None:
    harness = ReconnectingHarness(spec, rehearsal=SimulationOptions(seed=1), folder=folder)
    moves = fault_moves(
        [(7.0, lambda harness: harness.rig.cable.disconnect()), (19.0, lambda harness: harness.rig.cable.connect())]
    )
    harness.run([*moves, set_value(25.0, "lever", 30)])
    (line,) = harness.of_kind(Continued)
    times = values_of(harness, folder, "lever")
    before = [t_us for t_us in times if t_us < line.t_us - line.gap_us]
    after = [t_us for t_us in times if t_us >= line.t_us]
    assert len(before) + len(after) == len(times)
    for part in (before, after):
        assert part == list(range(part[0], part[0] + 1_000 * len(part), 1_000))
    assert after[-1] > line.t_us + 5_000_000
    assert harness.edges[-1].channel == "lever.pressed"


def test_values_that_cannot_be_written_end_the_session_with_everything_off(
    spec: SessionSpec, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*of: object, **also: object) -> None:
        raise RecordError("samples.lever.bin: the disk is full")

    monkeypatch.setattr(records.SamplesFile, "append", full)
    harness = run_harness(spec, (), folder=folder)
    assert (harness.footer.reason, harness.footer.detail) == ("fault", "samples.lever.bin: the disk is full")
    assert harness.footer.t_us < 700_000
    assert harness.on_at_the_end() == []


def test_the_same_session_samples_the_same_values(spec: SessionSpec, tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        run_harness(spec, [(1_000_000, "lever", 1), (2_000_000, "lever", 0)], folder=tmp_path / name)
        files.append((tmp_path / name / "samples.lever.bin").read_bytes())
    assert files[0] == files[1]


def test_a_simulated_rig_that_samples_nothing_has_no_such_input(spec: SessionSpec) -> None:
    def press(harness: FaultHarness) -> None:
        rig: SimulatedRig = harness.rig
        rig.body.set_value("treadle", 1)

    with pytest.raises(RigError, match="which is not sampled on this rig; it samples: lever, wheel"):
        run_harness(spec, (), (1.0, press))
