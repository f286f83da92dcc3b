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

    in_waiting = 1_000

    def read(self, size: int, /) -> bytes:
        line = (self.lines.pop(0) if self.lines else None) or b""
        if line[size:]:
            self.lines.insert(0, line[size:])
        return line[:size]

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


def test_lines_may_end_with_a_return_alone_and_arrive_in_any_pieces() -> None:
    sent = b"ST,+00000.251  g\r" * 3
    for size in (1, 5, 17, 40):
        pieces = [sent[place : place + size] for place in range(0, len(sent), size)]
        assert SerialScale(FakePort(*pieces), "p").stable_mg() == pytest.approx(251)
        windows = [piece.replace(b"\r", b"\r\n") for piece in pieces]
        assert SerialScale(FakePort(*windows), "p").stable_mg() == pytest.approx(251)


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
        (FakePort(*[b"\xff\x80\x81"] * 500), "which is no weight. Speed and frame are set as PORT:BAUD:FRAME"),
        (FakePort(*[b"\x80\xfe\r\n"] * 500), "which is no weight. Speed and frame are set as PORT:BAUD:FRAME"),
        (FakePort(*[b"\r\n"] * 500), "is no weight"),
    ],
)
def test_a_scale_without_a_stable_weight_says_what_to_do(port: FakePort, said: str) -> None:
    with pytest.raises(ScaleError, match=said):
        SerialScale(port, "p").stable_mg()


def test_a_scale_that_is_unplugged_is_a_scale_error() -> None:
    class Gone(FakePort):
        def read(self, size: int, /) -> bytes:
            raise serial.SerialException("device disconnected")

    with pytest.raises(ScaleError, match="plug it in again"):
        SerialScale(Gone(), "p").stable_mg()


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(ScaleError, match="2400:7E1: cannot be opened: No such file or directory: is the scale"):
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
