"""The scale under the valves of a served rig, read as `rig device calibrate` reads a laboratory balance."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.boards.driver_lookup import ServedPlace
from rig.core.errors import ConfigError, ScaleError
from rig.core.model.rig_spec import SimulationOptions
from rig.scales.lines import Reading, parse_line
from rig.scales.serial_scale import open_scale
from rig.system.tcp_address import LOOPBACK, TcpAddress
from sim_hardware.avr.rig import AvrRig
from sim_hardware.avr.serve import BoardServer
from tests.avr_tools import need_avr_tools
from tests.sim_hardware.avr.test_serve import PLAN

pytestmark = pytest.mark.real_time


def serving(folder: Path) -> BoardServer:
    need_avr_tools()
    make = lambda on_open: AvrRig(PLAN, SimulationOptions(), on_open=on_open)  # noqa: E731
    return BoardServer(make, place=ServedPlace(folder / "board"), scale=ServedPlace(folder / "scale"), seed=1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BoardServer]:
    with serving(tmp_path) as it:
        yield it


def pour(server: BoardServer, ul: float) -> None:
    server.do(lambda rig: rig.world.uncollected_rewards.update(left=ul))


def test_the_weight_is_that_of_the_water_once_it_is_stable(server: BoardServer, tmp_path: Path) -> None:
    scale = open_scale(str(tmp_path / "scale"))
    empty = scale.stable_mg()
    pour(server, 250.0)
    assert scale.stable_mg() - empty == pytest.approx(250 * 0.9982, abs=4)
    assert scale.stable_mg() == scale.stable_mg()


def test_while_the_weight_changes_it_is_marked(server: BoardServer, tmp_path: Path) -> None:
    with (tmp_path / "scale").open("rb", buffering=0) as port:
        lines = [port.readline()]
        pour(server, 250.0)
        end = time.monotonic() + 20
        while b"?" not in lines[-1]:
            assert time.monotonic() < end
            lines.append(port.readline())
    readings = [parse_line(line.decode()) for line in lines]
    assert [reading.stable for reading in readings if isinstance(reading, Reading)][-1] is False
    assert None not in readings


def test_its_link_is_gone_afterward_and_never_replaces_a_file(tmp_path: Path) -> None:
    with serving(tmp_path):
        assert (tmp_path / "scale").is_symlink()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "scale").write_text("mine")
    with pytest.raises(ConfigError, match="cannot become a link"), serving(tmp_path):
        raise AssertionError
    assert (tmp_path / "scale").read_text() == "mine"
    assert not (tmp_path / "board").is_symlink()


def test_at_a_tcp_port_a_scale_is_read_the_same_way() -> None:
    need_avr_tools()
    make = lambda on_open: AvrRig(PLAN, SimulationOptions(), on_open=on_open)  # noqa: E731
    at_tcp = ServedPlace(tcp=TcpAddress(LOOPBACK, 0))
    with BoardServer(make, place=at_tcp, scale=at_tcp, seed=1) as server:
        assert server.scale_name not in (None, server.name)
        scale = open_scale(str(server.scale_name))
        empty = scale.stable_mg()
        pour(server, 250.0)
        assert scale.stable_mg() - empty == pytest.approx(250 * 0.9982, abs=4)
    with pytest.raises(ScaleError, match="the connection is lost"):
        scale.stable_mg()
    with pytest.raises(ScaleError, match="cannot be opened: Connection refused: is the scale plugged in"):
        open_scale(str(server.scale_name))
