"""``rig valve calibrate``: weigh bursts of drops, and write a new calibration file."""

from __future__ import annotations

import argparse
import datetime
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rig.boards.registry import Driver
from rig.cli import common
from rig.cli.commands.preflight import experimenter
from rig.cli.maintenance.valves import (
    ValveTarget,
    calibration_folder,
    confirm_no_animal,
    plan_of,
    valves_beside,
    valves_of,
)
from rig.cli.maintenance.weigh_burst import weigh_burst
from rig.cli.maintenance.weights import StoppedError, Weigher, choose_weigher
from rig.cli.terminal.printing import print_lines
from rig.cli.valve.curve_report import curve_text
from rig.cli.valve.water import density
from rig.config import find, load_config
from rig.config.errors.errors import Loc, SourceLocation
from rig.config.errors.formatting import display_path
from rig.config.find import find_calibration
from rig.core.errors import BoardError, ConfigError
from rig.core.model.reward_types import reward_params
from rig.core.model.rig_spec import RigSpec
from rig.devices.calibration import Calibration
from rig.maintenance.valves.calibration_writer import CalibrationFacts, file_stem, write_calibration
from rig.maintenance.valves.curve import Curve, fit_curve, reasons_to_refuse, sides_that_differ
from rig.maintenance.valves.partial_file import PartialFile
from rig.maintenance.valves.schedule import Burst, plan_bursts, usual_openings
from rig.session.build.compatibility import age_days
from rig.session.build.protocol_file import read_protocol
from rig.session.build.rig_file import Rig
from rig.session.build.uncalibrated_rig import load_uncalibrated_rig
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

USUAL_REWARD_UL = 2.5


@dataclass(frozen=True)
class _Job:
    """What is measured, on which rig, by whom."""

    rig: Rig
    plan: RigSpec
    weigher: Weigher
    folder: Path
    date: str
    mg_per_ul: float
    arguments: argparse.Namespace

    def seed(self, valve: ValveTarget) -> int:
        """Return the seed of the order of the bursts: that of the day, so that a stopped calibration goes on."""
        return zlib.crc32(f"{self.date}/{valve.device}".encode())


def run(arguments: argparse.Namespace) -> int:
    """Run the calibration: write all files, or none when one valve is refused."""
    mg_per_ul = density(arguments.water_c)
    rig = load_uncalibrated_rig(arguments.rig, arguments.board)
    plan, driver = plan_of(rig, arguments.board)
    valves = valves_of(rig, arguments.device)
    rewards_ul = list(_rewards(arguments, rig, valves))
    job = _job(arguments, rig, plan, driver, mg_per_ul)
    bursts = {valve: _bursts(job, valve) for valve in valves}
    confirm_no_animal(driver, yes=arguments.yes, what="the valves give some hundred drops each, into a vial")
    with ExitStack() as locks:
        return _calibrate(job, bursts, rewards_ul, locks)


def _calibrate(
    job: _Job, bursts: Mapping[ValveTarget, Sequence[Burst]], rewards_ul: Sequence[float], locks: ExitStack
) -> int:
    partials: list[PartialFile] = []
    curves: dict[str, Curve] = {}
    for valve in bursts:
        partial = _partial(job, valve, bursts[valve], locks)
        try:
            curves[valve.device] = _measure(job, valve, bursts[valve], partial)
        except (BoardError, KeyboardInterrupt) as error:
            stored = f"{len(partial.weighings)} of {len(bursts[valve])} bursts of {valve.device} are kept"
            print(f"{stored} in {display_path(partial.path)}: the same command goes on", file=sys.stderr)
            if not isinstance(error, StoppedError):
                raise
            print(error, file=sys.stderr)
            return STOPPED
        partials.append(partial)
        print_lines(curve_text(valve.device, curves[valve.device]))
    refused = [*_refused(curves), *_sides(job, curves, rewards_ul)]
    if refused:
        kept = [display_path(aside) for partial in partials if (aside := partial.set_aside("refused")) is not None]
        print(
            *refused,
            f"No calibration was written; the weights are kept in {', '.join(kept)}",
            sep="\n",
            file=sys.stderr,
        )
        return NO_HARDWARE
    for valve, partial in zip(bursts, partials, strict=True):
        _write(job, valve, curves[valve.device])
        partial.set_aside("done")
    return OK


def _job(arguments: argparse.Namespace, rig: Rig, plan: RigSpec, driver: Driver, mg_per_ul: float) -> _Job:
    simulated = driver.records == "simulated"
    weigher = choose_weigher(arguments.scale, simulated=simulated, in_place=arguments.in_place)
    folder = calibration_folder(rig, arguments.folder, common.data_folder(arguments), simulated=simulated)
    return _Job(rig, plan, weigher, folder, common.now().date().isoformat(), mg_per_ul, arguments)


def _rewards(arguments: argparse.Namespace, rig: Rig, valves: Sequence[ValveTarget]) -> Iterator[float]:
    """Yield the volumes at which the valves are compared. Raises ``ConfigError``."""
    if arguments.protocol is None:
        reward_ul = USUAL_REWARD_UL if arguments.reward_ul is None else arguments.reward_ul
        if not 0 < reward_ul <= 1000:
            raise ConfigError(f"--reward-ul {reward_ul:g}: wanted a volume in ul, above 0 and up to 1000")
        yield reward_ul
        return
    if arguments.reward_ul is not None:
        raise ConfigError("--protocol and --reward-ul: give one of them")
    _, _, params = read_protocol(load_config(find("protocols", arguments.protocol)))
    names = [valve.device for valve in valves]
    sizes = {
        float(reward.size)
        for reward in reward_params(params)
        if any(reward.is_given_at(name, rig.devices[name].gives) for name in names)
    }
    if not sizes:
        raise ConfigError(f"--protocol {arguments.protocol}: gives no water at {' and '.join(names)}")
    yield from sorted(sizes)


def _bursts(job: _Job, valve: ValveTarget) -> list[Burst]:
    text = job.arguments.open_ms
    openings = usual_openings(valve.calibration, valve.max_open_us) if text is None else _openings(text)
    if too_long := [open_us / 1000 for open_us in openings if open_us > valve.max_open_us]:
        raise ConfigError(
            f"--open-ms: {valve.device} may open {valve.max_open_us / 1000:g} ms (max_open_ms), not {too_long[0]:g} ms"
        )
    return plan_bursts(openings, valve.calibration, job.arguments.pulses, job.arguments.repeats, job.seed(valve))


def _openings(text: str) -> list[int]:
    try:
        found = [round(1000 * float(word)) for word in text.split(",")]
    except (ValueError, OverflowError):
        found = []
    if not found or min(found) < 1000:
        raise ConfigError(f"--open-ms {text}: wanted open times of 1 ms and more, with commas: 15,25,40,70")
    return found


def _partial(job: _Job, valve: ValveTarget, bursts: Sequence[Burst], locks: ExitStack) -> PartialFile:
    plan = {
        "valve": valve.valve,
        "rig": job.rig.name,
        "board": job.plan.board.driver,
        "date": job.date,
        "water_c": job.arguments.water_c,
        "bursts": [[burst.open_us, burst.pulses] for burst in bursts],
    }
    partial = PartialFile(job.folder / f"{file_stem(valve.valve)}.partial.jsonl", plan)
    locks.enter_context(partial)
    if job.arguments.restart:
        partial.set_aside("stopped")
    partial.open()
    if partial.weighings:
        print(f"{valve.device}: goes on after {len(partial.weighings)} of {len(bursts)} bursts", file=sys.stderr)
    return partial


def _measure(job: _Job, valve: ValveTarget, bursts: Sequence[Burst], partial: PartialFile) -> Curve:
    """Add the bursts that are missing; return the curve. Raises ``StoppedError``."""
    for number in range(len(partial.weighings), len(bursts)):
        burst = bursts[number]
        print(
            f"{valve.device}: burst {number + 1} of {len(bursts)}: {burst.pulses} drops of {burst.open_us / 1000:g} ms",
            file=sys.stderr,
        )
        mg = weigh_burst(job.plan, valve.device, valve.output, burst, job.weigher, job.seed(valve) + number)
        partial.add(burst, mg)
    return fit_curve(partial.weighings, job.mg_per_ul)


def _refused(curves: dict[str, Curve]) -> Iterator[str]:
    for device, curve in curves.items():
        yield from (f"{device}: {reason}" for reason in reasons_to_refuse(curve))


def _sides(job: _Job, curves: dict[str, Curve], rewards_ul: Sequence[float]) -> Iterator[str]:
    """Yield the sides that differ: of the valves that were measured, and of those beside them in the rig."""
    if list(_refused(curves)):
        return
    measured = {device: curve.calibration("new", device, "today") for device, curve in curves.items()}
    known = dict(_known_beside(job, list(curves)))
    for reward_ul in rewards_ul:
        if len(measured) > 1:
            yield from sides_that_differ(measured, reward_ul)
        for other, calibration in known.items():
            if calibration.points[0][1] <= reward_ul <= calibration.points[-1][1]:
                for device, new in measured.items():
                    yield from sides_that_differ({other: calibration, device: new}, reward_ul)


def _known_beside(job: _Job, names: Sequence[str]) -> Iterator[tuple[str, Calibration]]:
    """Yield the calibrations of the valves that are not measured now, as far as a session may use them."""
    limit, today = job.rig.file.calibration_max_days, datetime.date.fromisoformat(job.date)
    for valve in valves_beside(job.rig, names):
        known = valve.calibration
        if known is not None and (limit is None or 0 <= age_days(known, today) <= limit):
            yield valve.device, known


def _write(job: _Job, valve: ValveTarget, curve: Curve) -> None:
    by = experimenter(job.arguments.by)
    note = "; ".join(filter(None, (f"by {by}, rig {job.rig.name}", job.arguments.note)))
    path = write_calibration(job.folder, curve, CalibrationFacts(valve.valve, job.date, job.arguments.water_c, note))
    smallest = curve.trusted[0]
    print(f"{display_path(path)}: written; {valve.device} may give {smallest.ul:.3g} to {curve.trusted[-1].ul:.3g} ul")
    if find_spec("matplotlib") is None:
        print("no figure: matplotlib is missing (pip install 'behavior-rig[analysis]')", file=sys.stderr)
    else:
        from rig.analysis.valves.figure import save_curve

        print(f"{display_path(save_curve(path.with_suffix('.png'), path.stem, curve))}: its figure")
    if not _is_found(job.rig, path.stem, path):
        print(f"{valve.device}: no session of {job.rig.name} uses this file: it is not in the rig's calibrations")
    elif not _is_found(job.rig, valve.word, path):
        where = _place_to_write(job.rig, ("devices", valve.device, "calibration"))
        newest = file_stem(valve.valve)
        print(f"{where}: devices.{valve.device}.calibration: write {path.stem}, or {newest} for the newest one")


def _is_found(rig: Rig, word: str, path: Path) -> bool:
    """Whether this word in the rig file is the name of the new file."""
    try:
        found = find_calibration(word, (rig.sources[0].parent.parent,))
    except ConfigError:
        return False
    return found.resolve() == path.resolve()


def _place_to_write(rig: Rig, loc: Loc) -> SourceLocation:
    """Return where the rig file says it, or the rig file: a file that it extends serves other rigs too."""
    own = display_path(rig.sources[0])
    said = rig.layered.location(loc)
    return said if said.file == own else SourceLocation(own)
