"""The feeders and hoppers of a session: whether they hold enough, and what the session takes from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.cli import common
from rig.config.limits import DailyLimit
from rig.core.errors import ConfigError
from rig.records.stock.stock import REFILL_G, WARN_PELLETS, StockFile
from rig.session.spec.session_spec import SessionSpec


def stock_warnings(spec: SessionSpec, data: Path, limits: tuple[DailyLimit, ...]) -> list[str]:
    """Return warnings about feeders and hoppers of a real rig; a feeder that was never filled is not known.

    Raises ``ConfigError`` when a feeder holds fewer pellets than the session may give.
    """
    file = StockFile(data)
    most = [limit.maximum for limit in limits if limit.unit == "pellets"]
    need = int(min([*most, *([] if spec.stop.max_pellets is None else [spec.stop.max_pellets])], default=0))
    warnings, refused = [], []
    for name in feeders_of(spec):
        fill = f"`rig device fill {spec.plan.name} {name} --pellets N`"
        found = file.stock(spec.plan.name, name)
        if found is None:
            warnings.append(f"{name}: what it holds is not recorded: {fill}")
            continue
        if found.left < need:
            refused.append(f"{name} holds {found.left} pellets, and the session may give {need}: fill it, then {fill}")
        if found.left <= WARN_PELLETS:
            warnings.append(f"{name} holds {found.left} pellets: fill it, then {fill}")
        warnings += [f"{name} holds at most {found.left} pellets: {reason}" for reason in found.unknown]
    if refused:
        raise ConfigError(*refused)
    return [*warnings, *_hopper_warnings(spec, file)]


def _hopper_warnings(spec: SessionSpec, file: StockFile) -> Iterator[str]:
    """Yield the hoppers for which no refill of today is recorded: pecks for an empty one are unlearned."""
    for name in hoppers_of(spec):
        last = file.last_filled(spec.plan.name, name)
        is_today = last is not None and last["at"][:10] == common.now().date().isoformat()
        if last is None or not is_today or last["grain_g"] < REFILL_G:
            yield (
                f"{name}: no refill to {REFILL_G:g} g of grain or more is recorded today: refill it, then "
                f"`rig device fill {spec.plan.name} {name} --grain-g GRAMS`"
            )


def feeders_of(spec: SessionSpec) -> list[str]:
    """Return the feeders of the session's rig whose stock is kept."""
    devices = spec.rig.devices.items()
    return [name for name, device in devices if device.gives == "pellets" and "fill" in device.maintenance]


def hoppers_of(spec: SessionSpec) -> list[str]:
    """Return the hoppers of the session's rig whose refills are recorded."""
    devices = spec.rig.devices.items()
    return [name for name, device in devices if device.gives == "access_s" and "fill" in device.maintenance]


@contextmanager
def counted(spec: SessionSpec, data: Path, *, simulated: bool) -> Iterator[Callable[[Path], None]]:
    """Yield a function for the folder of the session: what the session gives is then taken from the stock."""
    if simulated or not feeders_of(spec):
        yield lambda folder: None
        return
    file, begun = StockFile(data), list[Path]()

    def begin(folder: Path) -> None:
        file.begin_session(spec.plan.name, folder, common.now())
        begun.append(folder)

    try:
        yield begin
    finally:
        # A session that was refused before its first event leaves no folder, and has given nothing.
        for folder in begun:
            if not folder.exists():
                file.cancel_session(spec.plan.name, folder, common.now())
