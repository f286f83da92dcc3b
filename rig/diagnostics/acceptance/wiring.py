"""Wiring mistakes that show without touching anything: wrong pins, restless inputs, crossed wires, a bad line."""

from __future__ import annotations

import asyncio
from collections import Counter

from rig.boards.chips import CHIPS, pin_ranges
from rig.boards.client import BoardClient
from rig.core.model.actions import Set
from rig.core.model.board import Board, Input, Output
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics.acceptance.interference import measure_interference
from rig.diagnostics.acceptance.line import damage_row, measure_round_trip
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import Site
from rig.diagnostics.io_test import spoken_name

REST_S = 3.0
ON_S = 0.3
INPUTS_REST = "is off, and stays off"


async def check_wiring(site: Site) -> list[AcceptanceRow]:
    """Check the pins of the rig file, every input at rest, that no output moves an input, and the line.

    Raises ``BoardError``.
    """
    rows = pin_rows(site.plan, site.chip)
    if any(row.verdict == "fail" for row in rows):
        return rows
    await site.operator.done("take everything out of the beams, and keep your hands off the rig")
    async with site.opened(site.plan.wiring) as (client, _, _):
        await client.board_time()
        rows += await _rest(site.plan, client)
        rows += await _crossed(site.plan, client)
        rows += await measure_interference(site, client)
        rows.append(await measure_round_trip(client))
    return [*rows, damage_row(client.health)]


def pin_rows(plan: RigSpec, chip: str) -> list[AcceptanceRow]:
    """Return what is wrong with the pins of a rig file on a chip, or one row that nothing is."""
    kind = CHIPS[chip]
    wrong: list[AcceptanceRow] = []
    owners: dict[int, list[str]] = {}
    for pin, channel in plan.wiring.wired:
        owners.setdefault(pin, []).append(channel.name)
        if pin not in kind.pins:
            text = f"use {pin_ranges(kind.pins)} of {kind.a_board}"
            wrong.append(AcceptanceRow(f"pin {pin} of {channel.name}", "fail", text))
        elif isinstance(channel, Input) and not kind.can_be_input(pin):
            text = f"no change can be detected at this pin of {kind.a_board}"
            wrong.append(AcceptanceRow(f"pin {pin} of {channel.name}", "fail", text))
    if plan.wiring.panic is not None:
        owners.setdefault(plan.wiring.panic.pin, []).append("the panic button")
    wrong += [
        AcceptanceRow(f"pin {pin}", "fail", f"{' and '.join(names)} are on one pin")
        for pin, names in owners.items()
        if len(names) > 1
    ]
    return wrong or [AcceptanceRow("pins of the rig file", "pass", f"{len(owners)} pins, each used once")]


async def _rest(plan: RigSpec, client: BoardClient[Board]) -> list[AcceptanceRow]:
    start = len(client.edges)
    on = {name for name, level in client.levels.items() if level}
    await asyncio.sleep(REST_S)
    await client.board_time()
    changes = Counter(edge.channel for edge in client.edges[start:])
    return [_at_rest(channel, channel.name in on, changes) for channel in _inputs(plan)]


def _at_rest(channel: Input, on: bool, changes: Counter[str]) -> AcceptanceRow:
    what, must = f"{spoken_name(channel)} at rest (pin {channel.pin})", f"off for {REST_S:g} s"
    count = changes[channel.name]
    if count and not channel.machine:
        text = f"changed {count} times untouched: a loose wire, a missing pull-up, or light from outside"
        return AcceptanceRow(what, "fail", text, must)
    if on and not channel.machine:
        inverted = "without" if channel.inverted else "with"
        text = f"stays on: something is in it, its wire is broken, or its sensor works the other way round ({inverted} "
        return AcceptanceRow(what, "fail", f"{text}`inverted` in the rig file)", must)
    return AcceptanceRow(what, "pass", INPUTS_REST if not on else "on: another machine drives it", must)


async def _crossed(plan: RigSpec, client: BoardClient[Board]) -> list[AcceptanceRow]:
    rows = []
    for light in _harmless(plan):
        start = len(client.edges)
        await client.execute(Set(light.name, True))
        await asyncio.sleep(ON_S)
        await client.execute(Set(light.name, False))
        await asyncio.sleep(ON_S)
        await client.board_time()
        moved = sorted({edge.channel for edge in client.edges[start:]} - _equipment(plan))
        what, must = f"{spoken_name(light)} moves no input", "no change"
        if moved:
            text = f"{' and '.join(moved)} changed with it: crossed wires, or its light reaches the sensor"
            rows.append(AcceptanceRow(what, "fail", text, must))
        else:
            rows.append(AcceptanceRow(what, "pass", "no change", must))
    return rows


def _inputs(plan: RigSpec) -> list[Input]:
    return [channel for channel in plan.wiring.channels if isinstance(channel, Input)]


def _equipment(plan: RigSpec) -> set[str]:
    return {channel.name for channel in _inputs(plan) if channel.machine}


def _harmless(plan: RigSpec) -> list[Output]:
    channels = [channel for channel in plan.wiring.channels if isinstance(channel, Output)]
    return [channel for channel in channels if channel.role == Role.LIGHT and channel.max_on_us is None]
