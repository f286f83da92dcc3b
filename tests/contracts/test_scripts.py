"""Short scripts that every board plays alike: what is ordered and what the pins do -> levels, fired groups, refusals.

Times are milliseconds. An order is on its way for up to 6 ms, so no two causes are nearer to each other than 10 ms.
"""

from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from rig.core.model.actions import NOTHING, Arm, Disarm, Load, Order, Pulse, Set, Start, Stop, Train
from tests.contracts.bench import ContractBench

ON_ITS_WAY_US = 6_000
LIGHT_ON, LIGHT_OFF = Set("light", True), Set("light", False)
DROP, PELLET = Pulse("valve", 40_000), Pulse("feeder", 40_000)
SHOW = Load(1, ((0, LIGHT_ON), (40_000, LIGHT_OFF)))
LATER = Load(1, ((20_000, Pulse("valve", 5_000)), (30_000, LIGHT_ON)))


class Script(NamedTuple):
    """``pins`` are input, time and level; ``levels`` are output, then the times at which it goes on and off in turn."""

    orders: dict[int, tuple[Order, ...]]
    levels: dict[str, tuple[int, ...]]
    pins: tuple[tuple[str, float, int], ...] = ()
    fired: tuple[int, ...] = ()
    refusals: tuple[tuple[int, str], ...] = ()
    seen: int | None = None
    """The latest event that the host had read at every order; None: all that had arrived."""


def arm(*members: tuple[str, int, Any], group: int = 1, until_us: int | None = None) -> Arm:
    return Arm(group, until_us, members)


SEQUENCES = {
    "a stopped sequence leaves alone what another order has begun": Script(
        {
            0: (Load(1, ((0, Pulse("valve", 5_000)), (90_000, LIGHT_ON))), Start(1)),
            30: (Pulse("valve", 60_000), LIGHT_ON),
            50: (Stop(1),),
        },
        {"valve": (0, 5, 30, 90), "light": (30,)},
    ),
    "a refused entry does not become the sequence's own": Script(
        {0: (Pulse("valve", 90_000), LIGHT_ON), 20: (LATER, Start(1)), 70: (Stop(1),)},
        {"valve": (0, 90), "light": (0,)},
    ),
    "a stop calls off a start that is still to come": Script(
        {0: (SHOW, Start(1, at_us=150_000)), 50: (Stop(1),)},
        {},
    ),
    "a sequence that is started again is stopped first": Script(
        {0: (SHOW, Start(1)), 20: (Start(1),)},
        {"light": (0, 20, 20, 60)},
    ),
    "a start in the past leaves a running sequence alone": Script(
        {0: (SHOW, Start(1)), 20: (Start(1, at_us=1_000),)},
        {"light": (0, 40)},
        refusals=((0, "past"),),
    ),
    "a sequence that is loaded while it runs is stopped": Script(
        {0: (SHOW, Start(1)), 20: (Load(1, ((0, PELLET),)),), 50: (Start(1),)},
        {"light": (0, 20), "feeder": (50, 90)},
    ),
    "a sequence that was never loaded is unknown, and can be stopped": Script(
        {0: (Start(3), Start(3, at_us=90_000), Stop(3))},
        {},
        refusals=((0, "unknown"), (1, "unknown")),
    ),
    "two sequences run side by side": Script(
        {0: (SHOW, Start(1)), 10: (Load(2, ((0, PELLET), (60_000, DROP))), Start(2)), 60: (Stop(2),)},
        {"light": (0, 40), "feeder": (10, 50)},
    ),
    "an edge stops a sequence": Script(
        {0: (SHOW, Start(1), arm(("plain", 0, Stop(1))))},
        {"light": (0, 30)},
        pins=(("plain", 20, 1), ("plain", 30, 0)),
        fired=(0, 1),
    ),
}
GROUPS = {
    "both edges of an input are members of one group": Script(
        {0: (arm(("plain", 1, NOTHING), ("plain", 0, DROP)),), 30: (arm(("plain", 0, DROP), ("plain", 1, PELLET)),)},
        {"valve": (40, 80)},
        pins=(("plain", 20, 1), ("plain", 40, 0), ("plain", 60, 1)),
        fired=(1, 1, 0),
    ),
    "a number that is armed again replaces its group": Script(
        {0: (arm(("plain", 1, DROP)), arm(("lever", 1, PELLET)))},
        {"feeder": (60, 100)},
        pins=(("plain", 30, 1), ("lever", 60, 1)),
        fired=(0, 1),
    ),
    "two groups do not disturb each other": Script(
        {0: (arm(("plain", 1, DROP)), arm(("lever", 1, PELLET), group=2))},
        {"valve": (30, 70), "feeder": (60, 100)},
        pins=(("plain", 30, 1), ("lever", 60, 1)),
        fired=(1, 2),
    ),
    "disarming does not stop what the group has begun": Script(
        {0: (arm(("plain", 1, DROP)),), 50: (Disarm(1),)},
        {"valve": (30, 70)},
        pins=(("plain", 30, 1),),
        fired=(1,),
    ),
    "a newer edge of an input that is no member does not matter": Script(
        {50: (arm(("plain", 0, DROP), ("lever", 1, NOTHING)),)},
        {},
        pins=(("left", 20, 1),),
        fired=(0,),
        seen=0,
    ),
    **{
        f"one edge in two groups ends both and names group {payer}, which pays": Script(
            {
                at_ms: (arm(("plain", 1, DROP if group == payer else NOTHING), ("lever", 1, PELLET), group=group),)
                for at_ms, group in ((0, 1), (10, 2))
            },
            {"valve": (30, 70)},
            pins=(("plain", 30, 1), ("lever", 90, 1)),
            fired=(payer, 0),
        )
        for payer in (1, 2)
    },
    "the second group acts if the action of the first is refused": Script(
        {0: (Pulse("valve", 90_000), arm(("plain", 1, DROP), group=5), arm(("plain", 1, PELLET), group=6))},
        {"valve": (0, 90), "feeder": (40, 80)},
        pins=(("plain", 40, 1),),
        fired=(6,),
    ),
    "a reflex that its busy output refuses has not fired": Script(
        {0: (Train("valve", 10_000, 40_000, 3), arm(("plain", 1, DROP)))},
        {"valve": (0, 10, 40, 50, 80, 90)},
        pins=(("plain", 25, 1), ("plain", 30, 0), ("plain", 65, 1)),
        fired=(0, 0, 0),
    ),
    "a reflex that another output locks out has not fired": Script(
        {0: (Pulse("one", 60_000), arm(("plain", 1, Pulse("other", 5_000))))},
        {"one": (0, 60)},
        pins=(("plain", 30, 1),),
        fired=(0,),
    ),
    "an edge in time fires although it is confirmed after the end of its group": Script(
        {0: (arm(("left", 1, DROP), until_us=80_000),)},
        {"valve": (80, 120)},
        pins=(("left", 79.95, 1),),
        fired=(1,),
    ),
    "an edge after the end of its group fires nothing, nor does a later one": Script(
        {0: (arm(("plain", 1, DROP), ("lever", 1, PELLET), until_us=50_000),)},
        {},
        pins=(("plain", 60, 1), ("plain", 70, 0), ("plain", 80, 1), ("lever", 90, 1)),
        fired=(0, 0, 0, 0),
    ),
}
OUTPUTS = {
    "outputs lock each other out also in the gap of a train": Script(
        {0: (Train("one", 10_000, 60_000, 2),), 30: (Set("other", True),), 100: (Pulse("other", 20_000),)},
        {"one": (0, 10, 60, 70), "other": (100, 120)},
        refusals=((0, "interlock"),),
    ),
    "an output that is locked out may be switched off, and the other one on again": Script(
        {
            0: (Set("one", True), Set("one", True), Set("other", False), Set("one", False)),
            20: (Pulse("other", 20_000),),
        },
        {"one": (0, 0), "other": (20, 40)},
    ),
    "an output that is on refuses an action": Script(
        {0: (LIGHT_ON, Pulse("light", 20_000))},
        {"light": (0,)},
        refusals=((1, "busy"),),
    ),
    "an output that went off in time can be on as long again": Script(
        {0: (Set("valve", True),), 50: (Set("valve", False),), 70: (Set("valve", True),)},
        {"valve": (0, 50, 70, 170)},
    ),
    "a train and a ramp without gaps count as one opening": Script(
        {0: (Train("valve", 60_000, 1_000, 2), Train("feeder", 60_000, 60_000, 3), Pulse("valve", 100_000))},
        {"valve": (0, 100), "feeder": (0, 180)},
        refusals=((0, "too_long"),),
    ),
    "each output acts for itself": Script(
        {0: (Pulse("valve", 30_000), Pulse("feeder", 60_000), LIGHT_ON), 20: (Set("valve", False),)},
        {"valve": (0, 20), "feeder": (0, 60), "light": (0,)},
    ),
    "orders of one batch are executed as they are written": Script(
        {0: (LIGHT_ON, LIGHT_OFF, DROP, LIGHT_ON)},
        {"light": (0, 0, 0), "valve": (0, 40)},
    ),
}
START_US = 100_000


def shifted(order: Order) -> Order:
    """Give the times of an order from the start of its script."""
    if isinstance(order, Start) and order.at_us is not None:
        return replace(order, at_us=order.at_us + START_US)
    if isinstance(order, Arm) and order.until_us is not None:
        return replace(order, until_us=order.until_us + START_US)
    return order


@pytest.mark.parametrize(
    "script", [pytest.param(script, id=name) for name, script in (SEQUENCES | GROUPS | OUTPUTS).items()]
)
def test_a_script_is_played_as_it_is_written(rig_under_test: ContractBench, script: Script) -> None:
    async def story(rig: ContractBench) -> None:
        for name, at_ms, level in script.pins:
            rig.at(START_US + round(at_ms * 1_000), name, level)
        for at_ms, orders in script.orders.items():
            await rig.until(START_US + at_ms * 1_000)
            rig.order(*map(shifted, orders), seen=script.seen)
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
        assert tuple(fired for _, _, fired in rig.edges()) == script.fired
        assert tuple(rig.refusals()) == script.refusals

    rig_under_test.run(story)
