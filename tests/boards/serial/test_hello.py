"""The first words between host and board: who speaks first, behind every bootloader, and what is no answer."""

import asyncio
from collections.abc import Callable

import pytest

from rig.boards.identify import identify
from rig.boards.serial.hello import WHAT_TO_TRY, Hello
from rig.boards.serial.requests import ANSWER_S, SETTLE_S
from rig.boards.transport import QUIET_S
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from sim_hardware.bootloader import ATMEGABOOT, NO_BOOTLOADER, OPTIBOOT, STK500V2, Bootloader
from sim_hardware.driver import SimRig

PLAN = RigSpec("bare", BoardSpec("sim", "sim"), Wiring(()))
FIRST_ANSWER_S = 3.0
"""The limit of the time to the first answer behind every bootloader."""
LEASE = frame.encode(wire.LEASE.pack(7, 3, 0, 0))
"""An event of a session whose host has died."""

Arrange = Callable[[SimRig], object]


class Opening:
    """A board that is identified; notes the bytes of the host."""

    def __init__(self, bootloader: Bootloader | None, arrange: Arrange = lambda rig: None) -> None:
        self.rig = SimRig(PLAN, SimulationOptions(), bootloader=bootloader)
        self.rig.transport.quiet_s = QUIET_S
        self.asked_at: list[float] = []
        write = self.rig.transport.write

        def overhear(data: bytes) -> None:
            self.asked_at.append(running().time())
            write(data)

        self.rig.transport.write = overhear  # type: ignore[method-assign]
        arrange(self.rig)

    async def answer(self) -> tuple[Hello, float]:
        """The first answer, and when it came."""
        hello = await identify(self.rig.transport, running())
        return hello, running().time()


async def opened(bootloader: Bootloader | None, arrange: Arrange = lambda rig: None) -> tuple[float, list[float]]:
    """When the first answer came, and when the host had sent something."""
    opening = Opening(bootloader, arrange)
    _, at = await opening.answer()
    return at, opening.asked_at


def arrives(at_s: float, data: bytes) -> Arrange:
    """Send bytes to the host at a time, in place of the program of the board."""
    return lambda rig: running().call_later(at_s, rig.cable.to_host.send, data)


@pytest.mark.parametrize("bootloader", [NO_BOOTLOADER, OPTIBOOT, ATMEGABOOT, STK500V2])
async def test_behind_every_bootloader_the_board_speaks_first_and_the_host_has_sent_nothing(bootloader):
    at, asked = await opened(bootloader)
    assert at == pytest.approx(bootloader.starts_after_s, abs=0.001)
    assert at < FIRST_ANSWER_S
    assert asked == []


async def test_a_board_whose_port_resets_nothing_is_asked_after_the_quiet_time():
    at, asked = await opened(None)
    assert asked == [QUIET_S]
    assert at == pytest.approx(QUIET_S, abs=0.002)
    assert at < FIRST_ANSWER_S


async def test_a_byte_into_the_bootloader_of_a_mega_puts_the_program_off_by_five_seconds():
    opening = Opening(STK500V2)
    opening.rig.transport.quiet_s = 0.0
    with pytest.raises(BoardNotFoundError) as caught:
        await opening.answer()
    heard: list[float] = []
    opening.rig.cable.open_port(lambda data: heard.append(running().time()), lambda why: None)
    await asyncio.sleep(10)
    assert "no board with this program's firmware answered in 3 s" in str(caught.value)
    assert heard[0] == pytest.approx(7.75, abs=0.002)


async def test_a_frame_of_a_running_program_ends_the_quiet_time():
    at, asked = await opened(None, arrives(0.4, LEASE))
    assert asked == [pytest.approx(0.55)]
    assert at < 0.6


@pytest.mark.parametrize("noise", [LEASE[:-4] + b"\0", b"\x18" * 30, b"\0\xff\0\x80\0", LEASE[5:]])
async def test_what_is_no_valid_frame_does_not_end_the_quiet_time(noise):
    at, asked = await opened(None, arrives(0.4, noise))
    assert asked[0] == QUIET_S
    assert at < FIRST_ANSWER_S


async def test_a_half_frame_that_damages_the_hello_costs_the_quiet_time_and_no_more():
    at, asked = await opened(STK500V2, arrives(0.016, LEASE[:5]))
    assert asked == [QUIET_S]
    assert at < FIRST_ANSWER_S


async def test_a_frame_that_the_usb_chip_held_back_does_not_end_the_quiet_time():
    """With it the host would ask at once, and the bootloader of a Mega would wait for 5 s of silence."""
    at, asked = await opened(STK500V2, arrives(0.016, LEASE))
    assert asked == []
    assert at < 1.0


async def test_a_hello_from_before_the_reset_is_no_answer():
    hello = frame.encode(wire.HELLO.pack(*HELLO))
    at, asked = await opened(STK500V2, arrives(0.016, hello))
    assert asked == []
    assert at == pytest.approx(STK500V2.starts_after_s, abs=0.001)


HELLO = (wire.VERSION, 256, 1, 12, 1000, 1, 1, 1, 1, 1, 0, 32, 30, 0, 0, b"old")


async def test_the_host_waits_for_an_answer_from_the_end_of_the_quiet_time_on_and_says_what_to_try():
    opening = Opening(None, lambda rig: rig.cable.to_board.hold())
    with pytest.raises(BoardNotFoundError) as caught:
        await opening.answer()
    assert str(caught.value).endswith(WHAT_TO_TRY)
    assert running().time() == pytest.approx(QUIET_S + ANSWER_S)


async def test_a_cable_that_is_pulled_in_the_quiet_time_ends_it():
    opening = Opening(STK500V2, lambda rig: running().call_later(0.3, rig.cable.disconnect))
    with pytest.raises(BoardNotFoundError) as caught:
        await opening.answer()
    assert str(caught.value) == "the cable was pulled"
    assert running().time() < 0.6


def test_the_usb_chip_is_given_time_to_hand_over_what_it_holds_but_no_program_starts_in_it():
    assert 0.016 < SETTLE_S < NO_BOOTLOADER.starts_after_s
