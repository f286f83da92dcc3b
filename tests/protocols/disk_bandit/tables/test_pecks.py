from pathlib import Path

import pytest

from protocols.disk_bandit.tables.pecks import NEEDED, is_peck_file, read_pecks
from rig.core.errors import ConfigError

HEAD = ",".join(NEEDED)


def file(path: Path, *lines: str, head: str = HEAD) -> Path:
    path.write_text("\n".join([head, *lines]) + "\n")
    return path


def test_a_peck_file_is_recognized_by_its_columns(tmp_path: Path) -> None:
    assert is_peck_file(file(tmp_path / "a.csv", head=HEAD + ",color"))
    assert not is_peck_file(file(tmp_path / "b.csv", head=HEAD.replace("phase", "state")))


def test_rows_are_as_the_protocol_writes_them(tmp_path: Path) -> None:
    (found,) = read_pecks(file(tmp_path / "a.csv", "12.5,15.27,12.01,0,27.000000,1,0,1,respond"))
    assert (found["t"], found["disk"], found["vi_s"], found["block"]) == (12.5, 0, 27, 1)
    assert (found["on_target"], found["rewarded"]) == (True, False)
    assert (found["session"], found["prev_vi_s"]) == (1, None)


def test_beside_the_disks_there_is_no_vi_and_free_grain_has_no_place(tmp_path: Path) -> None:
    (found,) = read_pecks(file(tmp_path / "a.csv", "12.5,,,-1,,False,False,2,free"))
    assert (found["x_cm"], found["vi_s"], found["disk"]) == (None, None, -1)


def test_every_line_that_is_no_peck_is_named(tmp_path: Path) -> None:
    path = file(tmp_path / "a.csv", "1,0,0,0,3,1,0,1,respond", "1,0,0,9,3,1,0,1,respond", "1,0,0,0,3,?,0,1,respond")
    with pytest.raises(ConfigError, match=r"a\.csv:3: disk is 9, not -1 to 8") as raised:
        read_pecks(path)
    assert "a.csv:4: on_target is ?, not True or False" in str(raised.value)
