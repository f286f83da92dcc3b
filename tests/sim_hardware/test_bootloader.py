"""A board between its reset and its program."""

import pytest

from sim_hardware.bootloader import ATMEGABOOT, NO_BOOTLOADER, OPTIBOOT, START_UP_S, STK500V2, Bootloader, BootSequence
from tests.sim_hardware.fake_clock import FakeClock


class Booting:
    """A board whose program says when it starts, and what it receives."""

    def __init__(self, bootloader: Bootloader) -> None:
        self.clock = FakeClock()
        self.resets: list[float] = []
        self.received: list[bytes] = []
        self.said: list[tuple[float, bytes]] = []
        self.boot = BootSequence(self.clock, bootloader, self._reset, self.received.append, self._say)

    def _reset(self) -> None:
        self.resets.append(self.clock.time())
        self.boot.send(b"hello")

    def _say(self, data: bytes) -> None:
        self.said.append((self.clock.time(), data))


def test_before_a_reset_bytes_pass_both_ways() -> None:
    board = Booting(STK500V2)
    board.boot.receive(b"order")
    board.boot.send(b"answer")
    assert (board.received, board.said, board.resets) == ([b"order"], [(0.0, b"answer")], [])


@pytest.mark.parametrize("bootloader", [NO_BOOTLOADER, OPTIBOOT, ATMEGABOOT, STK500V2])
def test_the_program_speaks_when_the_bootloader_starts_it(bootloader: Bootloader) -> None:
    board = Booting(bootloader)
    board.boot.reset()
    board.clock.run()
    assert board.said == [(bootloader.starts_after_s, b"hello")]


def test_the_chip_is_reset_at_once_so_that_everything_is_off_while_the_bootloader_runs() -> None:
    board = Booting(OPTIBOOT)
    board.boot.reset()
    assert board.resets == [0.0]


@pytest.mark.parametrize("bootloader", [NO_BOOTLOADER, OPTIBOOT, ATMEGABOOT])
def test_most_bootloaders_drop_bytes_and_start_the_program_all_the_same(bootloader: Bootloader) -> None:
    board = Booting(bootloader)
    board.boot.reset()
    board.clock.call_at(bootloader.starts_after_s / 2, board.boot.receive, b"hello?")
    board.clock.run()
    assert board.received == []
    assert board.said == [(bootloader.starts_after_s, b"hello")]


def test_a_byte_makes_the_bootloader_of_a_mega_wait_for_five_seconds_of_silence() -> None:
    board = Booting(STK500V2)
    board.boot.reset()
    for at in (0.5, 3.0):
        board.clock.call_at(at, board.boot.receive, b"hello?")
    board.clock.run()
    assert board.said == [(8.0, b"hello")]


def test_a_chip_that_is_held_in_reset_reads_nothing() -> None:
    board = Booting(STK500V2)
    board.boot.reset()
    board.clock.call_at(START_UP_S / 2, board.boot.receive, b"hello?")
    board.clock.run()
    assert board.said == [(STK500V2.starts_after_s, b"hello")]


def test_another_reset_begins_again() -> None:
    board = Booting(OPTIBOOT)
    board.boot.reset()
    board.clock.call_at(0.3, board.boot.reset)
    board.clock.run()
    assert board.said == [(pytest.approx(0.3 + OPTIBOOT.starts_after_s), b"hello")]
