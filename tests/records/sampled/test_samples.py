"""The file of a source's values; `tests/records/side_file` has what holds for every kind of file."""

from pathlib import Path

import pytest

from rig.core.journal.journal import Journal
from rig.core.journal.kinds import SamplesLine
from rig.records.sampled.samples import FORMAT, SamplesFile, is_samples_name, samples_path
from tests.journal_lines import read_line


def test_the_layout_is_the_one_that_is_described(tmp_path: Path) -> None:
    line = SamplesFile(tmp_path, "wheel").append([(1, -2)])
    raw = (tmp_path / "samples.wheel.bin").read_bytes()
    assert samples_path(tmp_path, "wheel") == tmp_path / "samples.wheel.bin"
    assert (len(FORMAT.header), FORMAT.size, len(raw)) == (28, 16, 44)
    assert raw[:28] == b"rig samples, 1: <qi, crc-32\n"
    assert raw[28:40].hex() == "0100000000000000" + "feffffff"
    assert line == SamplesLine(1, "wheel", first=0, samples=1, digest=line.digest)


def test_only_a_name_of_a_rig_file_is_a_source() -> None:
    kept: list[bytes] = []
    Journal(kept.append).write(SamplesLine(5, "wheel_2", 0, 30, "0badcafe", lost=2, unsent=1))
    assert read_line(kept[0]) == SamplesLine(5, "wheel_2", 0, 30, "0badcafe", lost=2, unsent=1)
    Journal(kept.append).write(SamplesLine(5, "../wheel", 0, 30, "0badcafe"))
    with pytest.raises(ValueError, match="regex"):
        read_line(kept[1])
    assert is_samples_name("samples.wheel_2.bin")
    assert not is_samples_name("samples../x.bin")
