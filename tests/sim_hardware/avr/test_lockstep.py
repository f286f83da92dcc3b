"""A chip and a loop in one time: never ahead of a timer, never past an event."""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from sim_hardware import loop as virtual
from sim_hardware.avr.chip import HZ, AvrChip, Event, TraceEvent
from sim_hardware.avr.lockstep import Background, Lockstep
from sim_hardware.link_model import LinkFaults, SerialCable
from sim_hardware.loop import ABREAST_S, Deadlock, VirtualLoop

Power = Callable[..., AvrChip]
INSTRUCTION_S = 10 / HZ


class Listener:
    """Writes down what a chip does, with the loop's time."""

    def __init__(self, chip: AvrChip, **settings: Any) -> None:
        self.heard: list[tuple[float, Event]] = []
        self.chip = chip
        self.on: Callable[[Event], object] = lambda event: None
        self.lockstep = Lockstep(chip, self._happened, **settings)

    def _happened(self, event: Event) -> None:
        self.heard.append((asyncio.get_running_loop().time(), event))
        self.on(event)


def now() -> float:
    return asyncio.get_running_loop().time()


def test_the_loop_is_at_the_cycle_of_an_event_when_it_is_reported_of_it(power: Power) -> None:
    async def main() -> Listener:
        await asyncio.sleep(1.0)
        listener = Listener(power("echo"))
        await asyncio.sleep(0.01)
        listener.chip.send(b"ab")
        await asyncio.sleep(0.01)
        return listener

    listener = virtual.run(main())
    assert [event.value for _, event in listener.heard] == [*b"ab"]
    for at, event in listener.heard:
        assert at == pytest.approx(1.0 + event.cycle / HZ, abs=1e-12)


def test_the_chip_has_lived_up_to_every_timer_and_no_further(power: Power) -> None:
    async def main() -> None:
        chip = power("follow")
        Listener(chip)
        for seconds in (0.1, 1e-5, 0.33, 1e-6, 2.0):
            await asyncio.sleep(seconds)
            assert 0 <= chip.cycle / HZ - now() < INSTRUCTION_S

    virtual.run(main())


def test_what_the_world_does_in_answer_to_a_pin_comes_at_that_cycle(power: Power) -> None:
    """Every change of pin 8 flips pin 2, which pin 8 follows: as fast as the interrupt allows, and no slower."""

    async def main() -> list[int]:
        chip = power("follow")
        chip.watch(8)
        listener = Listener(chip)
        listener.on = lambda event: chip.pin(2, 1 - event.value)
        chip.pin(2, 0)
        await asyncio.sleep(0.001)
        chip.pin(2, 1)
        await asyncio.sleep(0.001)
        return [event.cycle for _, event in listener.heard]

    cycles = virtual.run(main())
    gaps = [later - cycle for cycle, later in pairwise(cycles)]
    assert len(gaps) > 100
    assert min(gaps) > 10
    assert sorted(gaps)[len(gaps) // 2] < 80


def test_a_crystal_that_is_too_fast_gains_on_the_loop(power: Power) -> None:
    async def main() -> int:
        chip = power("follow")
        Listener(chip, ppm=200.0)
        await asyncio.sleep(10.0)
        return chip.cycle

    assert virtual.run(main()) == pytest.approx(10 * HZ * 1.0002, abs=20)


def test_two_chips_stay_abreast(power: Power) -> None:
    async def main() -> int:
        one, other = power("follow"), power("follow")
        for chip in (one, other):
            chip.watch(8)
            chip.pin(2, 0)
        first, second = Listener(one), Listener(other)
        first.on = lambda event: other.pin(2, event.value)
        await asyncio.sleep(0.01)
        for step in range(20):
            one.pin(2, (step + 1) % 2)
            await asyncio.sleep(0.0103)
            assert abs(one.cycle - other.cycle) / HZ < INSTRUCTION_S
        for (at, event), (seen_at, seen) in zip(first.heard[-20:], second.heard[-20:], strict=True):
            assert event.value == seen.value
            assert 0 < seen_at - at < ABREAST_S + 1e-4
        return len(second.heard)

    assert virtual.run(main()) >= 20


def test_a_chip_that_only_sleeps_keeps_nobody_waiting_for_ever(power: Power) -> None:
    async def main() -> None:
        Listener(power("echo"))
        await asyncio.sleep(1.0)
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Deadlock, match=r"at t = 1\.0 s nothing is left that could happen"):
        virtual.run(main())


def test_a_chip_and_a_host_that_merely_keep_each_other_awake_are_not_alive(power: Power) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        cable = SerialCable(Background(loop))
        listener = Listener(power("echo"))
        listener.on = lambda event: cable.to_host.send(bytes((event.value,)))
        cable.to_board.deliver = listener.chip.send
        assert isinstance(loop, VirtualLoop)
        cable.to_host.deliver = lambda data: loop.call_later_in_background(0.5, cable.to_board.send, data) and None
        await asyncio.sleep(0.01)
        cable.to_board.send(b"x")
        await loop.create_future()

    with pytest.raises(Deadlock):
        virtual.run(main())


def test_a_pin_that_moves_by_itself_within_the_patience_wakes_its_waiter(power: Power) -> None:
    async def main() -> float:
        chip = power("follow")
        chip.watch(9)
        chip.pin(3, 0)
        listener = Listener(chip)
        await asyncio.sleep(0.5)
        chip.pin(3, 1)
        woken = asyncio.get_running_loop().create_future()
        listener.on = woken.set_result
        await woken
        return now()

    assert virtual.run(main()) == pytest.approx(0.5, abs=0.002)


def test_a_chip_that_is_stopped_stands_still(power: Power) -> None:
    async def main() -> None:
        chip = power("follow")
        listener = Listener(chip)
        await asyncio.sleep(0.1)
        listener.lockstep.stop()
        cycle = chip.cycle
        await asyncio.sleep(0.1)
        assert chip.cycle == cycle

    virtual.run(main())


def test_the_same_seed_makes_the_same_trace_on_a_bad_cable(power: Power) -> None:
    async def main() -> list[tuple[float, Event]]:
        cable = SerialCable(
            asyncio.get_running_loop(), LinkFaults(jitter_s=0.003, flip=0.05, drop=0.05, double=0.05, seed=3)
        )
        listener = Listener(power("echo"))
        cable.to_board.deliver = listener.chip.send
        for step in range(100):
            cable.to_board.send(bytes((step, 200 - step)))
            await asyncio.sleep(0.0007)
        await asyncio.sleep(0.1)
        return listener.heard

    first = virtual.run(main())
    assert len(first) > 150
    assert virtual.run(main()) == first


@pytest.mark.real_time
def test_on_a_real_loop_the_chip_lives_in_real_time(power: Power) -> None:
    async def main() -> tuple[float, Listener]:
        listener = Listener(power("echo"))
        begin = time.perf_counter()
        await asyncio.sleep(0.02)
        listener.chip.send(b"ab")
        await asyncio.sleep(0.2)
        listener.lockstep.stop()
        return time.perf_counter() - begin, listener

    seconds, listener = asyncio.run(main())
    assert [event.value for _, event in listener.heard if event.kind is TraceEvent.BYTE] == [*b"ab"]
    assert 0.5 * seconds < listener.chip.cycle / HZ <= seconds + 0.01
