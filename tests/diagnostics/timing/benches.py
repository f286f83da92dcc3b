"""Boards on a bench, for the tests of what is measured there: one that is punctual, and some that are not."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from rig.boards.pin_probe import Change, PinProbe
from rig.core.model.board import Wiring
from sim_hardware import loop
from sim_hardware.board.pin_probe import BENCH_CABLE, SimProbe

T = TypeVar("T")


class Tampered(SimProbe):
    """Leads on the board in Python that see something else than what happens."""

    def __init__(self, tamper: Callable[[Change], Change | None]) -> None:
        super().__init__(BENCH_CABLE)
        self._tamper = tamper

    def _driven(self, pin: int, value: int) -> None:
        super()._driven(pin, value)
        seen = self._tamper(self.transitions.pop())
        if seen is not None:
            self.transitions.append(seen)


class Misled(SimProbe):
    """Leads that put a level on a pin sooner than they say."""

    def __init__(self, late_us: float) -> None:
        super().__init__(BENCH_CABLE)
        self._late_us = late_us

    def drive(self, pin: int, level: int) -> float:
        return super().drive(pin, level) + self._late_us


def punctual(wiring: Wiring, seed: int, heard: frozenset[str] = frozenset()) -> PinProbe:
    return SimProbe(BENCH_CABLE)


def run(part: Awaitable[T]) -> T:
    async def main() -> T:
        return await part

    result: T = loop.run(main(), t_max=600.0)
    return result


def seeing(tamper: Callable[[Change], Change | None]) -> Callable[..., PinProbe]:
    return lambda wiring, seed, heard=frozenset(): Tampered(tamper)
