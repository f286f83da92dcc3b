import struct
from pathlib import Path

import pytest

from rig.session.run.cpu_latency import KeepCpuAwake


def test_the_processor_is_kept_awake_as_long_as_the_file_is_open(tmp_path: Path) -> None:
    device = tmp_path / "cpu_dma_latency"
    device.touch()
    with KeepCpuAwake(str(device)) as awake:
        assert awake.active
        assert device.read_bytes() == struct.pack("=i", 0)
    assert not awake.active


def test_where_it_is_not_allowed_the_session_goes_on_without(tmp_path: Path) -> None:
    with KeepCpuAwake(str(tmp_path / "no such device")) as awake:
        assert not awake.active
    assert not awake.active


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_device_that_takes_nothing_is_let_go() -> None:
    with KeepCpuAwake("/dev/full") as awake:
        assert not awake.active


def test_a_crash_lets_the_processor_sleep_again(tmp_path: Path) -> None:
    device = tmp_path / "cpu_dma_latency"
    device.touch()
    awake = KeepCpuAwake(str(device))
    with pytest.raises(ValueError, match="crash"), awake:
        raise ValueError("crash")
    assert not awake.active
