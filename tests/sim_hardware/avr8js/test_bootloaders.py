"""The firmware behind each bootloader of Arduino's boards: from the opening of the port to the end of a session."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.boards.chips import CHIPS
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.core.errors import ConfigError
from rig.core.model.actions import Arm, Pulse
from rig.core.model.board import Wiring
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.avr.chip import HZ, Event, ResetCause, TraceEvent
from sim_hardware.avr.pin_probe import AvrProbe
from sim_hardware.avr.seam import SimulatedChip
from sim_hardware.avr8js.bootloaders import BOOTLOADERS, start_address
from sim_hardware.avr8js.firmware_chip import NO_BOOTLOADER, firmware_on_avr8js
from sim_hardware.driver import make_model
from sim_hardware.link_model import LinkFaults
from tests.contracts.bench import WIRING, ContractBench
from tests.contracts.virtual_bench import Avr8jsBench
from tests.harness import run_harness
from tests.session_specs import task_spec
from tests.sim_hardware.avr8js.quiet_host import QuietDriver, QuietTransport

MS = HZ // 1000
LED_PIN = 13
REPEAT_MS, GIVE_UP_MS = 250, 3_000
"""How a host repeats GET_HELLO that is not silent at first, and when it gives up."""
GET_HELLO = frame.encode(wire.GET_HELLO.pack())


class Behind(NamedTuple):
    """A board behind a bootloader, and its first byte after the port was opened, in milliseconds."""

    kind: str
    bootloader: str
    first_byte_ms: float


NONE, OPTIBOOT = Behind("uno", NO_BOOTLOADER, 1.1), Behind("uno", "optiboot", 1_399.9)
OLD_NANO, MEGA = Behind("uno", "atmegaboot", 1_326.2), Behind("mega", "stk500v2", 835.6)
WITHIN_MS = 60
"""How much longer or shorter it may take with another firmware: an id is made in 30 ms."""


def boards(*but: Behind, **marks: Any) -> Any:
    """Mark a test that is made on every board; one on a Mega takes long."""
    chosen = [board for board in (NONE, OPTIBOOT, OLD_NANO, MEGA) if board not in but]
    slow = {MEGA: [pytest.mark.slow]}
    given = [pytest.param(each, marks=[*slow.get(each, []), *marks.get(each.bootloader, [])]) for each in chosen]
    return pytest.mark.parametrize("board", given, ids=[f"{board.kind}-{board.bootloader}" for board in chosen])


def running_chip(board: Behind) -> SimulatedChip:
    """Return a chip whose program has been running for some time."""
    chip = firmware_on_avr8js(board.bootloader)(board.kind, 500_000, 1)
    trace(chip, 3_000, until=TraceEvent.BYTE)
    trace(chip, 50)
    return chip


def trace(chip: SimulatedChip, ms: float, *, until: TraceEvent | None = None) -> list[Event]:
    """Let time pass, at most until the first event of a kind; return what happens."""
    events, end = list[Event](), chip.cycle + round(ms * MS)
    while chip.cycle < end and not any(event.kind is until for event in events):
        events += chip.run(end)
    return events


def sent(events: list[Event]) -> bytes:
    return bytes(event.value for event in events if event.kind is TraceEvent.BYTE)


def says_hello(data: bytes) -> bool:
    return any(payload[0] == wire.HELLO.code for payload in frame.Deframer().feed(data))


# --- the flash ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "start"), [("optiboot", 0x7E00), ("atmegaboot", 0x7800), ("stk500v2", 0x3E000)])
def test_a_chip_starts_in_the_boot_section_that_the_fuses_of_its_board_say(name: str, start: int) -> None:
    assert BOOTLOADERS[name].start == start


def test_a_chip_whose_fuse_is_not_programmed_starts_at_zero() -> None:
    assert start_address("uno", 0xDF) == 0


def test_an_unknown_bootloader_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match=r"'mystery'; there are: none, optiboot, atmegaboot, stk500v2"):
        firmware_on_avr8js("mystery")


def test_the_bootloader_of_another_chip_is_refused() -> None:
    with pytest.raises(ConfigError, match="optiboot is for an Arduino uno"):
        firmware_on_avr8js("optiboot")("mega", 500_000, 0)


# --- from the opening of the port to the first byte of the program ------------------------------------------


@boards()
def test_a_board_that_is_left_alone_speaks_first(board: Behind) -> None:
    chip = running_chip(board)
    opened = chip.cycle
    chip.reset(ResetCause.BUTTON)
    events = trace(chip, 2_000)
    first = next(event for event in events if event.kind is TraceEvent.BYTE)
    assert (first.cycle - opened) / MS == pytest.approx(board.first_byte_ms, abs=WITHIN_MS)
    assert says_hello(sent(events))


@boards()
def test_a_board_whose_reset_line_is_cut_answers_at_once(board: Behind) -> None:
    chip = running_chip(board)
    chip.send(GET_HELLO)
    assert says_hello(sent(trace(chip, 5)))


@boards(MEGA)
def test_a_host_that_does_not_wait_is_answered_before_it_gives_up(board: Behind) -> None:
    chip = running_chip(board)
    chip.reset(ResetCause.BUTTON)
    said = b"".join(sent(events) for events in importune(chip))
    assert says_hello(said)


def importune(chip: SimulatedChip) -> Iterator[list[Event]]:
    """Send GET_HELLO again and again from the opening on, as long as a host does that does not wait."""
    for _ in range(GIVE_UP_MS // REPEAT_MS):
        chip.send(GET_HELLO)
        yield trace(chip, REPEAT_MS)


@pytest.mark.slow
def test_a_host_that_does_not_wait_keeps_the_bootloader_of_a_mega_until_after_it_has_given_up() -> None:
    # The bootloader reads a byte without a stop bit, leaves its window and waits for 5 s of silence.
    chip = running_chip(MEGA)
    opened = chip.cycle
    chip.reset(ResetCause.BUTTON)
    assert b"".join(sent(events) for events in importune(chip)) == b""
    events = trace(chip, 7_000, until=TraceEvent.BYTE)
    first = next(event for event in events if event.kind is TraceEvent.BYTE)
    assert 7_000 < (first.cycle - opened) / MS < 9_000


@boards(NONE)
def test_a_bootloader_blinks_at_pin_13_at_every_opening(board: Behind) -> None:
    chip = running_chip(board)
    chip.watch(LED_PIN)
    opened = chip.cycle
    chip.reset(ResetCause.BUTTON)
    levels = [event for event in trace(chip, 2_000) if event.kind is TraceEvent.LEVEL]
    assert [event.value for event in levels] == [1, 0] * (len(levels) // 2)
    lengths = [round((off.cycle - on.cycle) / MS) for on, off in pairwise(levels)][::2]
    assert lengths == {"optiboot": [62] * 3, "atmegaboot": [100], "stk500v2": [277, 226]}[board.bootloader]
    assert levels[-1].cycle - opened < board.first_byte_ms * MS


@boards()
def test_a_board_comes_up_after_its_power_has_failed(board: Behind) -> None:
    chip = running_chip(board)
    chip.reset(ResetCause.POWER)
    assert says_hello(sent(trace(chip, 2_500)))


# --- when the program hangs ---------------------------------------------------------------------------------

LOOPS_FOR_EVER = pytest.mark.xfail(reason="it does not stop the watchdog, which resets it again after 16 ms")


@boards()
def test_a_program_that_hangs_starts_again_without_a_reset(board: Behind) -> None:
    chip = running_chip(board)
    chip.hang(interrupts=True)
    events = trace(chip, 500)
    assert says_hello(sent(events))
    assert TraceEvent.RESET not in [event.kind for event in events]


@boards(atmegaboot=[LOOPS_FOR_EVER])
def test_a_program_that_hangs_with_interrupts_disabled_is_reset(board: Behind) -> None:
    chip = running_chip(board)
    chip.hang(interrupts=False)
    events = trace(chip, 3_000)
    assert says_hello(sent(events))
    assert [event.kind for event in events].count(TraceEvent.RESET) == 1


# --- sessions -----------------------------------------------------------------------------------------------


class QuietBench(Avr8jsBench):
    """A board behind a bootloader, and a host that waits for it."""

    def __init__(self, board: Behind) -> None:
        super().__init__(board.kind)
        self.make_chip = firmware_on_avr8js(board.bootloader)

    def wire_up(self, wiring: Wiring, faults: LinkFaults) -> AvrProbe:
        probe = super().wire_up(wiring, faults)
        connect: Callable[[], Any] = probe.connect
        probe.connect = lambda: QuietTransport(connect())  # type: ignore[method-assign]
        return probe


@boards()
def test_a_board_is_opened_and_does_its_work(board: Behind) -> None:
    async def story(rig: ContractBench) -> None:
        assert rig.opened.name == board.kind
        rig.order(Arm(1, None, (("plain", 1, Pulse("valve", 20_000)),)))
        rig.at(1_000_000, "plain", 1)
        await rig.until(1_100_000)
        (on, _), (off, _) = rig.levels("valve")
        assert 0 <= on - 1_000_000 <= 300
        assert off - on == pytest.approx(20_000, abs=150)

    QuietBench(board).run(story)


@boards()
def test_a_board_keeps_its_openings_while_another_host_opens_it(board: Behind) -> None:
    async def story(rig: ContractBench) -> None:
        for length_us in (20_000, 40_000):
            rig.order(Pulse("valve", length_us))
            await rig.until(rig.now_us() + 100_000)
        rig.order(Pulse("feeder", 200_000))
        await rig.soon()
        rig.leash.mute = True
        rig.board.abort()
        await rig.connect()  # type: ignore[attr-defined]
        log = rig.opened.openings
        assert log is not None
        names = [channel.name for channel in WIRING.channels]
        assert [names[kept.channel] for kept in log.kept] == ["valve", "valve", "feeder"]
        lengths = [kept.ticks * log.tick_ns / 1000 for kept in log.kept]
        assert lengths[:2] == pytest.approx([20_000, 40_000], abs=150)
        assert [kept.state for kept in log.kept] == ["ended", "ended", "cut"]

    QuietBench(board).run(story)


@boards()
def test_a_mouse_lives_a_session_of_a_minute(board: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = QuietDriver(board.bootloader)
    monkeypatch.setattr("rig.testing.harness.find_driver", driver)
    spec = task_spec(TwoArmedBandit, stop={"session_s": 60, "max_rewards": 1_000})
    harness = run_harness(wired_to(board.kind, spec), model=make_model("rflr", {}), board="avr8js")
    assert harness.error is None
    assert len(harness.rows) > 8
    assert harness.valve_openings
    assert harness.ended_s > 60 + board.first_byte_ms / 1000


def wired_to(kind: str, spec: SessionSpec) -> SessionSpec:
    """Wire the rig of a specification to another chip: on a Mega not every pin of an Uno's inputs can be one."""
    plan, chip = spec.plan, CHIPS[kind]
    channels = tuple(replace(each, pin=chip.bench_pins.get(each.pin, each.pin)) for each in plan.wiring.channels)
    wiring, board = replace(plan.wiring, channels=channels), replace(plan.board, chip=kind)
    return replace(spec, plan=replace(plan, wiring=wiring, board=board))
