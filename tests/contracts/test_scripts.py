"""Short scripts that every board plays alike: what is ordered and what the pins do -> levels, fired groups, refusals.

Times are milliseconds. An order is on its way for up to 6 ms, so no two causes are nearer to each other than 10 ms.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from rig.core.model.actions import CANCEL, NOTHING, Arm, Disarm, Load, Order, Pulse, Set, Start, Stop, Train
from tests.contracts.bench import ContractBench
from tests.tables import rows

ON_ITS_WAY_US = 6_000
ORDERS: dict[str, Callable[..., Order]] = {
    kind.__name__.lower(): kind for kind in (Arm, Disarm, Load, Pulse, Set, Start, Stop, Train)
}
ORDERS |= {"nothing": lambda: NOTHING, "cancel": lambda: CANCEL}


class Script(NamedTuple):
    """``pins`` are input, time and level; ``levels`` are output, then the times at which it goes on and off in turn."""

    orders: dict[int, list[Any]]
    levels: dict[str, list[int]]
    pins: Sequence[tuple[str, float, int]] = ()
    fired: Sequence[int] = ()
    refusals: Sequence[Sequence[Any]] = ()
    refused_entries: Sequence[Sequence[Any]] = ()
    seen: int | None = None
    """The latest event that the host had read at every order; None: all that had arrived."""


def read_order(written: Any) -> Any:
    """Return an order that is written as its name and its fields, with the orders in these."""
    if not isinstance(written, list):
        return written
    name, *fields = written
    if isinstance(name, str) and name in ORDERS:
        return ORDERS[name](*map(read_order, fields))
    return tuple(map(read_order, written))


START_US = 100_000


def shifted(order: Order) -> Order:
    """Give the times of an order from the start of its script."""
    if isinstance(order, Start) and order.at_us is not None:
        return replace(order, at_us=order.at_us + START_US)
    if isinstance(order, Arm) and order.until_us is not None:
        return replace(order, until_us=order.until_us + START_US)
    return order


@rows("case", "script")
async def test_a_script_is_played_as_it_is_written(rig: ContractBench, script: dict[str, Any]) -> None:
    await play(rig, Script(**script))


async def play(rig: ContractBench, script: Script) -> None:
    for name, at_ms, level in script.pins:
        rig.at(START_US + round(at_ms * 1_000), name, level)
    for at_ms, orders in script.orders.items():
        await rig.until(START_US + at_ms * 1_000)
        rig.order(*map(shifted, map(read_order, orders)), seen=script.seen)
    await rig.until(START_US + 300_000)
    changes: dict[str, list[tuple[int, int]]] = {}
    for t_us, name, value in rig.pins():
        if t_us > START_US - 50_000:
            changes.setdefault(name, []).append((t_us - START_US, value))
    assert changes.keys() == script.levels.keys()
    for name, times_ms in script.levels.items():
        assert [value for _, value in changes[name]] == [(index + 1) % 2 for index in range(len(times_ms))]
        late_us = [t_us - at_ms * 1_000 for (t_us, _), at_ms in zip(changes[name], times_ms, strict=True)]
        assert all(-rig.punctual_us <= late <= ON_ITS_WAY_US for late in late_us), (name, late_us)
    assert [fired for _, _, fired in rig.edges()] == list(script.fired)
    assert list(map(list, rig.refusals())) == list(script.refusals)
    assert list(map(list, rig.refused_entries())) == list(script.refused_entries)
