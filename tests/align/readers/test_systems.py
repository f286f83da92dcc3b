"""Edges of samples, and what only one reader meets: headers, objects, and sizes that a file only declares."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rig.align.readers.nwb import read_nwb
from rig.align.readers.open_ephys import read_open_ephys
from rig.align.readers.options import ReadOptions
from rig.align.readers.sampled import edges_of_samples
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError
from tests.align.readers import foreign
from tests.align.readers.foreign import LEVELS, RATE_HZ, SAMPLES

TIMES_S = SAMPLES / RATE_HZ


def assert_is_the_signal(found: Recording, start_s: float = 0.0) -> None:
    assert found.times_s == pytest.approx(start_s + TIMES_S, abs=1e-9)
    assert found.levels is not None
    assert found.levels.tolist() == LEVELS.tolist()


def test_the_edges_of_samples_do_not_depend_on_the_blocks() -> None:
    levels = foreign.signal() > 0
    for size in (1, 7, 119, 120, 121, 12_000):
        blocks = [levels[at : at + size] for at in range(0, len(levels), size)][:2000]
        whole = edges_of_samples(blocks, RATE_HZ, 0.0)
        assert whole.times_s.tolist() == edges_of_samples([np.concatenate(blocks)], RATE_HZ, 0.0).times_s.tolist()
    assert_is_the_signal(edges_of_samples([levels], RATE_HZ, 2.0), 2.0)
    assert len(edges_of_samples([], RATE_HZ, 0.0).times_s) == 0


@pytest.mark.parametrize("header", [9000 * "-" + "1", 9000 * "(", 3000 * "1+" + "1", "{'descr': ('a',)}"])
def test_a_header_that_no_program_writes_is_refused(tmp_path: Path, header: str) -> None:
    whole = header.replace("}", ", 'fortran_order': False, 'shape': (1,)}").encode()
    raw = b"\x93NUMPY\x01\x00" + len(whole).to_bytes(2, "little") + whole
    foreign.binary()(tmp_path)
    next(tmp_path.rglob("states.npy")).write_bytes(raw)
    with pytest.raises(RecordError, match="events cannot be read"):
        read_open_ephys(tmp_path, ReadOptions())


SAMPLED = foreign.series(3.3 * foreign.signal(), starting_time=2.0)
CHANGES = foreign.series(LEVELS, "ttl", timestamps=TIMES_S)


def events_table(file: Any) -> None:
    """Add the pulses of line 3 as events with durations, and others of line 4."""
    from pynwb.event import EventsTable

    events = EventsTable(name="pulses", description="pulses of the sync line")
    events.add_column(name="line", description="the digital line")
    for rise, fall in TIMES_S.reshape(-1, 2).tolist():
        events.add_event(timestamp=rise, duration=fall - rise, line=3)
        events.add_event(timestamp=rise + 0.001, duration=0.001, line=4)
    file.add_events_table(events)


def nwb(folder: Path, *fills: Callable[[Any], None]) -> Path:
    """Write an NWB file with some objects; return its path."""
    foreign.nwb(*fills)(folder)
    return folder / "a.nwb"


class TestNwb:
    library = pytest.importorskip("pynwb")

    def test_a_sampled_signal_is_read_by_its_middle(self, tmp_path: Path) -> None:
        assert_is_the_signal(read_nwb(nwb(tmp_path, SAMPLED), ReadOptions()), 2.0)

    def test_a_table_of_events_gives_both_edges_of_the_chosen_rows(self, tmp_path: Path) -> None:
        found = read_nwb(nwb(tmp_path, events_table), ReadOptions(where=("line", "3")))
        assert_is_the_signal(found)

    def test_of_several_objects_one_must_be_named(self, tmp_path: Path) -> None:
        path = nwb(tmp_path, SAMPLED, CHANGES, events_table)
        with pytest.raises(ConfigError, match="--series one of: pulses, sync, ttl"):
            read_nwb(path, ReadOptions())
        assert_is_the_signal(read_nwb(path, ReadOptions(series="sync")), 2.0)

    def test_values_that_the_file_has_not_are_refused_at_once(self, tmp_path: Path) -> None:
        import h5py

        path = nwb(tmp_path, SAMPLED)
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

        path = nwb(tmp_path, CHANGES)
        with h5py.File(path, "r+") as file, h5py.File(tmp_path / "other.h5", "w") as other:
            series = file["acquisition/ttl"]
            linked = other.create_dataset("times", shape=(10**12,), dtype="f8", chunks=(1 << 20,))
            linked.attrs.update(dict(series["timestamps"].attrs))
            del series["timestamps"]
            series["timestamps"] = h5py.ExternalLink("other.h5", "/times")
        with pytest.raises(RecordError, match="ttl: has 40 values and 1000000000000 times"):
            read_nwb(path, ReadOptions())


def test_a_missing_library_is_said_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pynwb", None)
    with pytest.raises(ConfigError, match=r"needs pynwb, which is not installed: pip install 'behavior-rig\[nwb\]'"):
        read_nwb(tmp_path, ReadOptions())
