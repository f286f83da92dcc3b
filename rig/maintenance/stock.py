"""``rig device fill`` and ``rig device stock``: what a feeder or a hopper holds."""

from __future__ import annotations

import argparse

from rig.core.errors import ConfigError
from rig.maintenance.bench import Bench
from rig.platform.command_line import quoted
from rig.records.stock.stock import MOST_G, MOST_PELLETS, REFILL_G, WARN_PELLETS, StockFile
from rig.system.statuses import OK


def fill(bench: Bench, arguments: argparse.Namespace) -> int:
    """Record what a person has filled in. Raises ``ConfigError`` for the amount of another kind of device."""
    device, pellets, grain_g = bench.device.name, arguments.pellets, arguments.grain_g
    if bench.device.gives == "access_s":
        if grain_g is None:
            raise ConfigError(f"--pellets {pellets}: {device} is a hopper: give its grain with --grain-g")
        if not 0 <= grain_g <= MOST_G:
            raise ConfigError(f"--grain-g {grain_g:g}: wanted 0 to {MOST_G:g} g")
        _record(bench, {"grain_g": grain_g}, f"{grain_g:g} g of grain")
        if grain_g < REFILL_G:
            bench.tell(f"a session needs {REFILL_G:g} g or more: refill it before")
        return OK
    if pellets is None:
        raise ConfigError(f"--grain-g {grain_g:g}: {device} is a feeder: give its pellets with --pellets")
    if not 0 <= pellets <= MOST_PELLETS:
        raise ConfigError(f"--pellets {pellets}: wanted 0 to {MOST_PELLETS}")
    _record(bench, {"pellets": pellets}, f"{pellets} pellets")
    return OK


def _record(bench: Bench, amount: dict[str, float], text: str) -> None:
    file, device = StockFile(bench.data), bench.device.name
    file.fill(bench.rig.name, device, amount, bench.person(), bench.now())
    bench.print(f"{device} of {bench.rig.name} holds {text}: recorded in {file.path}")


def print_stock(bench: Bench, arguments: argparse.Namespace) -> int:
    """Print how many pellets are left in feeders."""
    file = StockFile(bench.data)
    for device in bench.devices:
        stock = file.stock(bench.rig.name, device.name)
        if stock is None:
            known = f"`rig device fill {quoted(bench.word)} {device.name} --pellets N`"
            bench.print(f"{device.name}: not known: {known}")
            continue
        low = "; fill it soon" if stock.left <= WARN_PELLETS else ""
        doubt = "".join(f"; at most: {reason}" for reason in stock.unknown)
        bench.print(f"{device.name}: {stock.left} pellets, filled {stock.filled}{low}{doubt}")
    return OK
