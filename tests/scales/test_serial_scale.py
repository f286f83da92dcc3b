"""A scale at a serial port."""

import os
import sys
import threading

import pytest
import serial

from rig.core.errors import ConfigError, ScaleError
from rig.scales.serial_scale import ASK, SerialScale, open_scale


class FakePort:
    """A port with these lines; ``None`` is silence, and ``answers`` follow a request."""

    def __init__(self, *lines: bytes | None, answers: tuple[bytes, ...] = ()) -> None:
        self.lines, self.answers = list(lines), list(answers)
        self.written: list[bytes] = []

    def readline(self) -> bytes:
        return (self.lines.pop(0) if self.lines else None) or b""

    def write(self, data: bytes, /) -> int:
        self.written.append(data)
        if self.answers:
            self.lines.append(self.answers.pop(0))
        return len(data)

    def reset_input_buffer(self) -> None:
        """Keep the lines, which have not arrived yet."""


def test_the_first_of_two_stable_weights_that_agree_is_awaited() -> None:
    lines = (b"04 g\r\n", b"S D 0.100 g\r\n", b"S S 0.180 g\r\n", b"S S 0.250 g\r\n", b"S S 0.251 g\r\n")
    assert SerialScale(FakePort(*lines), "p").stable_mg() == pytest.approx(251)


def test_a_scale_that_only_answers_is_asked() -> None:
    port = FakePort(None, answers=(b"S S 0.251 g\r\n", b"S S 0.251 g\r\n"))
    assert SerialScale(port, "p").stable_mg() == pytest.approx(251)
    assert port.written == [ASK, ASK]


@pytest.mark.parametrize(
    ("port", "said"),
    [
        (FakePort(), "p: sends nothing"),
        (FakePort(*[b"S D 0.1 g\r\n"] * 500), "no stable weight"),
        (FakePort(*[b"S +\r\n"] * 500), "too much is on the pan"),
        (FakePort(*[b"ST,+00001.00 oz\r\n"] * 500), "set it to g or mg"),
    ],
)
def test_a_scale_without_a_stable_weight_says_what_to_do(port: FakePort, said: str) -> None:
    with pytest.raises(ScaleError, match=said):
        SerialScale(port, "p").stable_mg()


def test_a_scale_that_is_unplugged_is_a_scale_error() -> None:
    class Gone(FakePort):
        def readline(self) -> bytes:
            raise serial.SerialException("device disconnected")

    with pytest.raises(ScaleError, match="plug it in again"):
        SerialScale(Gone(), "p").stable_mg()


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(ScaleError, match="--scale /dev/nowhere:2400:7E1: cannot be opened"):
        open_scale("/dev/nowhere:2400:7E1")


def test_an_empty_place_is_refused() -> None:
    with pytest.raises(ConfigError, match="wanted PORT"):
        open_scale("")


@pytest.mark.real_time
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_a_scale_at_a_real_port_answers_when_it_is_asked() -> None:
    import pty
    import tty

    ours, theirs = pty.openpty()
    tty.setraw(theirs)

    def answer() -> None:
        for _ in range(2):
            assert os.read(ours, 16) == ASK
            os.write(ours, b"S S     0.2514 g\r\n")

    asked = threading.Thread(target=answer)
    asked.start()
    try:
        assert open_scale(f"{os.ttyname(theirs)}:2400:8N1").stable_mg() == pytest.approx(251.4)
    finally:
        asked.join(timeout=10)
        os.close(ours)
        os.close(theirs)
