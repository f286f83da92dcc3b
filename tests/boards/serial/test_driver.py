import asyncio
import errno
import os
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from rig.boards.driver_lookup import find_driver
from rig.boards.serial.driver import SerialDriver, explain
from rig.core.errors import BoardNotFoundError, ConfigError
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")


def plan(port: str | None = None) -> RigSpec:
    return RigSpec("rig", BoardSpec("uno", "serial", port=port), Wiring(()))


def a_port(device: str, vid: int | None = 0x2341, description: str = "Arduino Uno") -> SimpleNamespace:
    return SimpleNamespace(device=device, vid=vid, pid=None, description=description)


@pytest.fixture
def path() -> Iterator[str]:
    far, near = os.openpty()
    yield os.ttyname(near)
    os.close(far)
    os.close(near)


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    found: list[SimpleNamespace] = []
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    return found


def refusal(port: str | None) -> str:
    with pytest.raises(BoardNotFoundError) as caught:
        SerialDriver().connect(plan(port), SimulationOptions())
    return str(caught.value)


def test_it_is_found_by_its_name() -> None:
    driver = find_driver("serial")
    assert isinstance(driver, SerialDriver)


@pytest.mark.parametrize("speed", [None, 1, 1.0])
def test_a_real_board_gets_a_standard_loop(speed: float | None) -> None:
    loop = SerialDriver().loop(speed)
    assert isinstance(loop, asyncio.SelectorEventLoop)
    loop.close()


@pytest.mark.parametrize("speed", [10.0, float("inf"), 0.5])
def test_real_time_has_one_speed(speed: float) -> None:
    with pytest.raises(ConfigError, match="real time"):
        SerialDriver().loop(speed)


def test_the_port_of_the_rig_file_is_opened(path: str) -> None:
    connection = SerialDriver().connect(plan(path), SimulationOptions())
    assert connection.subject is None
    connection.transport.close()


def test_without_a_port_in_the_rig_file_the_only_usb_port_is_taken(path: str, ports: list[SimpleNamespace]) -> None:
    ports += [a_port("/dev/ttyS0", None, "n/a"), a_port(path)]
    SerialDriver().connect(plan(), SimulationOptions()).transport.close()


def test_of_several_usb_ports_none_is_guessed(ports: list[SimpleNamespace]) -> None:
    ports += [a_port("/dev/ttyACM0"), a_port("/dev/ttyUSB0", description="FT232R")]
    text = refusal(None)
    assert "'uno' could be on any of these ports" in text
    assert "/dev/ttyACM0 (Arduino Uno), /dev/ttyUSB0 (FT232R)" in text
    assert "port:" in text


def test_without_a_usb_port_it_says_what_is_there_instead(ports: list[SimpleNamespace]) -> None:
    assert "plug the board in" in refusal(None)
    ports.append(a_port("/dev/ttyS0", None, "n/a"))
    assert refusal(None).endswith("other ports here: /dev/ttyS0 (n/a)")


def test_a_port_that_is_not_there_is_named_with_those_that_are(ports: list[SimpleNamespace]) -> None:
    assert refusal("/dev/ttyACM7").endswith("is the board plugged in? Ports here: none")
    ports.append(a_port("/dev/ttyACM0"))
    assert refusal("/dev/ttyACM7").endswith("Ports here: /dev/ttyACM0 (Arduino Uno)")


def test_a_port_that_another_session_has_is_called_busy(path: str) -> None:
    first = SerialDriver().connect(plan(path), SimulationOptions())
    assert "has it; close that one first" in refusal(path)
    first.transport.close()


def test_a_port_without_permission_says_which_group_to_join() -> None:
    assert "group dialout" in explain("/dev/ttyACM0", PermissionError(errno.EACCES, "Permission denied"))


def test_the_words_of_windows_are_understood() -> None:
    missing = OSError("could not open port 'COM9': FileNotFoundError(2, 'The system cannot find the file', None, 2)")
    taken = OSError("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)")
    assert "there is no such port" in explain("COM9", missing)
    assert "is busy" in explain("COM3", taken)


def test_a_file_that_is_no_port_is_refused_in_words(tmp_path: os.PathLike[str]) -> None:
    file = os.path.join(tmp_path, "no_port")
    with open(file, "w"):
        pass
    assert "cannot be opened as a serial port" in refusal(file)
