"""Files of Open Ephys, SpikeGLX and NWB are read as their programs write them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rig.align.readers.nwb import read_nwb
from rig.align.readers.open_ephys import read_open_ephys
from rig.align.readers.options import ReadOptions
from rig.align.readers.sampled import edges_of_samples
from rig.align.readers.spikeglx import read_spikeglx
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError

RATE_HZ = 30_000
SAMPLES = np.array([300, 900, 1500, 4500, 9000, 9300])
"""Samples at which the signal changes; it is off before the first one."""
LEVELS = [1, 0, 1, 0, 1, 0]


def signal(count: int = 12_000) -> np.ndarray:
    changes = np.zeros(count, dtype=np.int64)
    changes[SAMPLES] = [1, -1] * (len(SAMPLES) // 2)
    return np.cumsum(changes)


def assert_is_the_signal(found: Recording, start_s: float = 0.0) -> None:
    assert found.times_s == pytest.approx(start_s + SAMPLES / RATE_HZ, abs=1e-9)
    assert found.levels is not None
    assert found.levels.tolist() == LEVELS


def test_the_edges_of_samples_do_not_depend_on_the_blocks() -> None:
    levels = signal() > 0
    for size in (1, 7, 299, 300, 301, 12_000):
        blocks = [levels[at : at + size] for at in range(0, len(levels), size)][:2000]
        whole = edges_of_samples(blocks, RATE_HZ, 0.0)
        assert whole.times_s.tolist() == edges_of_samples([np.concatenate(blocks)], RATE_HZ, 0.0).times_s.tolist()
    assert_is_the_signal(edges_of_samples([levels], RATE_HZ, 2.0), 2.0)
    assert len(edges_of_samples([], RATE_HZ, 0.0).times_s) == 0


def open_ephys(folder: Path, lines: tuple[int, ...] = (3,), streams: tuple[str, ...] = ("ProbeA-AP",)) -> Path:
    """A recording in the Binary format, as version 0.6 of the program writes its events."""
    recording = folder / "2026-11-25" / "Record Node 101" / "experiment1" / "recording1"
    for stream in streams:
        events = recording / "events" / f"Neuropix-PXI-100.{stream}" / "TTL"
        events.mkdir(parents=True)
        samples = np.sort(np.concatenate([SAMPLES + line for line in lines]))
        states = np.concatenate([[line if level else -line for line in lines] for level in LEVELS])
        np.save(events / "states.npy", states.astype(np.int16))
        np.save(events / "sample_numbers.npy", samples)
        np.save(events / "timestamps.npy", 5.0 + samples / RATE_HZ)
    (recording / "structure.oebin").write_text(
        json.dumps({"GUI version": "0.6.7", "continuous": [], "events": [], "spikes": []})
    )
    return folder / "2026-11-25"


class TestOpenEphys:
    @pytest.mark.parametrize("below", ["", "Record Node 101", "Record Node 101/experiment1/recording1"])
    def test_the_events_of_a_line_are_read_at_the_times_of_the_file(self, tmp_path: Path, below: str) -> None:
        found = read_open_ephys(open_ephys(tmp_path) / below, ReadOptions())
        assert_is_the_signal(found, 5.0 + 3 / RATE_HZ)

    def test_with_a_rate_the_samples_count(self, tmp_path: Path) -> None:
        found = read_open_ephys(open_ephys(tmp_path), ReadOptions(rate_hz=RATE_HZ))
        assert_is_the_signal(found, 3 / RATE_HZ)
        assert found.resolution_s == 1 / RATE_HZ

    def test_of_several_lines_and_streams_one_must_be_named(self, tmp_path: Path) -> None:
        folder = open_ephys(tmp_path, lines=(3, 5), streams=("ProbeA-AP", "ProbeB-AP"))
        with pytest.raises(ConfigError, match="--stream one of: ProbeA-AP, ProbeB-AP"):
            read_open_ephys(folder, ReadOptions())
        with pytest.raises(ConfigError, match="--line one of: 3, 5"):
            read_open_ephys(folder, ReadOptions(stream="ProbeB-AP"))
        with pytest.raises(ConfigError, match="has no '4'; --line one of: 3, 5"):
            read_open_ephys(folder, ReadOptions(stream="ProbeB-AP", line=4))
        assert_is_the_signal(read_open_ephys(folder, ReadOptions(stream="ProbeB-AP", line=5)), 5.0 + 5 / RATE_HZ)

    def test_what_is_no_recording_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "Record Node 1").mkdir()
        for path in (tmp_path, tmp_path / "Record Node 1", tmp_path / "none"):
            with pytest.raises(RecordError, match="Open Ephys"):
                read_open_ephys(path, ReadOptions())

    def test_damaged_events_are_refused(self, tmp_path: Path) -> None:
        folder = open_ephys(tmp_path)
        next(folder.rglob("states.npy")).write_bytes(b"no numpy")
        with pytest.raises(RecordError, match="events cannot be read"):
            read_open_ephys(folder, ReadOptions())

    def test_events_that_declare_more_than_their_file_has_are_refused_at_once(self, tmp_path: Path) -> None:
        folder = open_ephys(tmp_path)
        states = next(folder.rglob("states.npy"))
        states.write_bytes(states.read_bytes().replace(b"(6,), }" + 9 * b" ", b"(9000000000,), }", 1))
        with pytest.raises(RecordError, match="declares 9000000000 values, and has 12 bytes"):
            read_open_ephys(folder, ReadOptions())

    @pytest.mark.parametrize("header", [9000 * "-" + "1", 9000 * "(", 3000 * "1+" + "1", "{'descr': ('a',)}"])
    def test_a_header_that_no_program_writes_is_refused(self, tmp_path: Path, header: str) -> None:
        folder = open_ephys(tmp_path)
        whole = header.replace("}", ", 'fortran_order': False, 'shape': (1,)}").encode()
        raw = b"\x93NUMPY\x01\x00" + len(whole).to_bytes(2, "little") + whole
        next(folder.rglob("states.npy")).write_bytes(raw)
        with pytest.raises(RecordError, match="events cannot be read"):
            read_open_ephys(folder, ReadOptions())


def spikeglx(folder: Path, lines: str = "0:15") -> Path:
    """A run of the NI device: two analog channels, and the signal at line 9 of the digital word."""
    run = folder / "run_g0"
    run.mkdir()
    samples = np.zeros((12_000, 3), dtype="<u2")
    samples[:, :2] = np.random.default_rng(1).integers(0, 65_535, (12_000, 2))
    samples[:, 2] = signal() << 9 | 1 << 4
    name = run / "run_g0_t0.nidq"
    name.with_name(f"{name.name}.bin").write_bytes(samples.tobytes())
    chans = "(" + ")(".join(("AI0;0:0", "AI1;1:1", "XD0;2:2")) + ")"
    meta = {
        "acqMnMaXaDw": "0,0,2,1",
        "fileName": f"D:/data/{name.name}.bin",
        "fileCreateTime": "2026-11-25T09:00:00",
        "fileSizeBytes": samples.nbytes,
        "fileTimeSecs": 0.4,
        "firstSample": 0,
        "nSavedChans": 3,
        "niAiRangeMax": 5,
        "niAiRangeMin": -5,
        "niMNGain": 1,
        "niMAGain": 1,
        "niSampRate": RATE_HZ,
        "niXDChans1": lines,
        "snsMnMaXaDw": "0,0,2,1",
        "snsSaveChanSubset": "0:2",
        "typeThis": "nidq",
        "~snsChanMap": f"(0,0,1,2,1){chans}",
    }
    name.with_name(f"{name.name}.meta").write_text("".join(f"{key}={value}\n" for key, value in meta.items()))
    return run


class TestSpikeGlx:
    def test_a_line_of_the_digital_word_is_read(self, tmp_path: Path) -> None:
        run = spikeglx(tmp_path)
        for path in (run, run / "run_g0_t0.nidq.bin", run / "run_g0_t0.nidq.meta"):
            found = read_spikeglx(path, ReadOptions(line=9))
            assert_is_the_signal(found)
            assert found.resolution_s == 1 / RATE_HZ
        assert_is_the_signal(read_spikeglx(run, ReadOptions()))  # no other line has edges
        with pytest.raises(RecordError, match=r"line 4 has no edges in 0\.400 s; --line: 1 line with edges: 9"):
            read_spikeglx(run, ReadOptions(line=4))

    def test_of_several_lines_with_edges_one_must_be_named(self, tmp_path: Path) -> None:
        run = spikeglx(tmp_path)
        data = next(run.glob("*.bin"))
        samples = np.fromfile(data, "<u2").reshape(-1, 3)
        samples[5000:, 2] |= 1 << 12
        samples.tofile(data)
        with pytest.raises(ConfigError, match="--line one of: 9, 12"):
            read_spikeglx(run, ReadOptions())

    def test_what_is_no_recording_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(RecordError, match="SpikeGLX"):
            read_spikeglx(tmp_path, ReadOptions())
        run = spikeglx(tmp_path)
        next(run.glob("*.meta")).write_text("nonsense\n")
        with pytest.raises(RecordError, match="SpikeGLX"):
            read_spikeglx(run, ReadOptions(line=9))

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("nSavedChans", "1000000000", "declares 1000000000 channels, and 0 . 0 . 2 . 1 of them by their kinds"),
            ("nSavedChans", " 1_000_000_000", "nSavedChans=1_000_000_000: wanted a whole number"),
            ("nSavedChans", "1000000000\nnSavedChans=3=3", "nSavedChans=3=3: wanted a whole number"),
            ("niXDBytes1", "1000000000", "declares 8000000000 digital lines, and 1 words"),
        ],
    )
    def test_what_its_files_have_no_room_for_is_refused_at_once(
        self, tmp_path: Path, field: str, value: str, said: str
    ) -> None:
        run = spikeglx(tmp_path)
        meta = next(run.glob("*.meta"))
        lines = [line for line in meta.read_text().splitlines() if not line.startswith(f"{field}=")]
        meta.write_text("\n".join([*lines, f"{field}={value}"]))
        with pytest.raises(RecordError, match=said):
            read_spikeglx(run, ReadOptions(line=9))


Fill = Callable[[object], None]


def nwb(folder: Path, *fills: Fill) -> Path:
    """An NWB file with some objects."""
    import datetime

    import pynwb

    start = datetime.datetime(2026, 11, 25, 9, tzinfo=datetime.UTC)
    file = pynwb.NWBFile(session_description="a session", identifier="1", session_start_time=start)
    for fill in fills:
        fill(file)
    path = folder / "session.nwb"
    with pynwb.NWBHDF5IO(str(path), "w") as target:
        target.write(file)
    return path


def sampled(file: object) -> None:
    from pynwb import TimeSeries

    file.add_acquisition(  # type: ignore[attr-defined]
        TimeSeries(name="sync", data=3.3 * signal(), unit="V", rate=float(RATE_HZ), starting_time=2.0)
    )


def changes(file: object) -> None:
    from pynwb import TimeSeries

    series = TimeSeries(name="ttl", data=np.array(LEVELS), unit="bool", timestamps=SAMPLES / RATE_HZ)
    file.add_acquisition(series)  # type: ignore[attr-defined]


def table(file: object) -> None:
    from pynwb.event import EventsTable

    events = EventsTable(name="pulses", description="pulses of the sync line")
    events.add_column(name="line", description="the digital line")
    for rise, fall in SAMPLES.reshape(-1, 2) / RATE_HZ:
        events.add_event(timestamp=float(rise), duration=float(fall - rise), line=3)
        events.add_event(timestamp=float(rise) + 0.001, duration=0.001, line=4)
    file.add_events_table(events)  # type: ignore[attr-defined]


class TestNwb:
    library = pytest.importorskip("pynwb")

    def test_a_sampled_signal_is_read_by_its_middle(self, tmp_path: Path) -> None:
        assert_is_the_signal(read_nwb(nwb(tmp_path, sampled), ReadOptions()), 2.0)

    def test_a_series_of_levels_is_read(self, tmp_path: Path) -> None:
        assert_is_the_signal(read_nwb(nwb(tmp_path, changes), ReadOptions(series="ttl")))

    def test_a_table_of_events_gives_both_edges_of_the_chosen_rows(self, tmp_path: Path) -> None:
        found = read_nwb(nwb(tmp_path, table), ReadOptions(where=("line", "3")))
        assert_is_the_signal(found)

    def test_of_several_objects_one_must_be_named(self, tmp_path: Path) -> None:
        path = nwb(tmp_path, sampled, changes, table)
        with pytest.raises(ConfigError, match="--series one of: pulses, sync, ttl"):
            read_nwb(path, ReadOptions())
        assert_is_the_signal(read_nwb(path, ReadOptions(series="sync")), 2.0)

    def test_values_that_the_file_has_not_are_refused_at_once(self, tmp_path: Path) -> None:
        import h5py

        path = nwb(tmp_path, sampled)
        with h5py.File(path, "r+") as file:
            series = file["acquisition/sync"]
            old = dict(series["data"].attrs)
            del series["data"]
            series.create_dataset("data", shape=(10**12,), dtype="f8", chunks=(1 << 20,)).attrs.update(old)
        with pytest.raises(RecordError, match="acquisition/sync/data declares 8000000000000 bytes"):
            read_nwb(path, ReadOptions())

    @pytest.mark.filterwarnings("ignore:TimeSeries 'ttl'. Length of data")
    def test_a_link_to_more_times_than_values_is_refused_at_once(self, tmp_path: Path) -> None:
        import h5py

        path = nwb(tmp_path, changes)
        with h5py.File(path, "r+") as file, h5py.File(tmp_path / "other.h5", "w") as other:
            series = file["acquisition/ttl"]
            linked = other.create_dataset("times", shape=(10**12,), dtype="f8", chunks=(1 << 20,))
            linked.attrs.update(dict(series["timestamps"].attrs))
            del series["timestamps"]
            series["timestamps"] = h5py.ExternalLink("other.h5", "/times")
        with pytest.raises(RecordError, match="ttl: has 6 values and 1000000000000 times"):
            read_nwb(path, ReadOptions())

    def test_what_is_no_nwb_file_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "session.nwb"
        path.write_bytes(b"no hdf5")
        with pytest.raises(RecordError, match="cannot be read as NWB"):
            read_nwb(path, ReadOptions())


def test_a_missing_library_is_said_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pynwb", None)
    with pytest.raises(ConfigError, match=r"needs pynwb, which is not installed: pip install 'behavior-rig\[nwb\]'"):
        read_nwb(tmp_path, ReadOptions())
