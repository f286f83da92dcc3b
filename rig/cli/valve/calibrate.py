"""``rig valve calibrate``: weigh bursts of drops, and write a new calibration file for each valve."""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rig.cli import common
from rig.cli.maintenance.valves import ValveTarget, calibration_folder, confirm_no_animal
from rig.cli.maintenance.weights import StoppedError, Weigher, choose_weigher
from rig.cli.valve.measurement import Measurement, minutes
from rig.cli.valve.targets import RigTarget, rig_targets
from rig.cli.valve.water import density
from rig.cli.valve.write_curves import CurveWriter
from rig.config import find, load_config
from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.core.model.reward_types import reward_params
from rig.maintenance.valves.calibration_writer import file_stem
from rig.maintenance.valves.partial_file import PartialFile
from rig.maintenance.valves.schedule import Burst, plan_bursts, usual_openings
from rig.session.spec.protocol_file import read_protocol
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

USUAL_REWARD_UL = 2.5


@dataclass(frozen=True)
class _Job:
    """A rig, its measurement, and who writes its curves."""

    target: RigTarget
    measurement: Measurement
    writer: CurveWriter


def run(arguments: argparse.Namespace) -> int:
    """Run the measurement of one rig after the other, and write each curve that is right."""
    mg_per_ul = density(arguments.water_c)
    targets = rig_targets(arguments)
    _check_names(targets)
    simulated = all(target.driver.records == "simulated" for target in targets)
    weigher = choose_weigher(arguments.scale, simulated=simulated, in_place=arguments.in_place)
    with ExitStack() as locks:
        jobs = [_job(arguments, target, weigher, mg_per_ul, locks) for target in targets]
        _print_plan(jobs, weigher)
        return _calibrate(arguments, jobs, weigher)


def _check_names(targets: Sequence[RigTarget]) -> None:
    """Check that no two valves would write the same file. Raises ``ConfigError``."""
    owners: dict[tuple[Path, str], str] = {}
    for target in targets:
        for valve in target.valves:
            file = (target.rig.sources[0].parent.parent, file_stem(valve.valve))
            if (owner := owners.setdefault(file, target.word)) != target.word:
                raise ConfigError(
                    f"{owner} and {target.word} both have a valve {valve.valve!r}: write another valve_id into one of "
                    "the rig files"
                )


def _calibrate(arguments: argparse.Namespace, jobs: Sequence[_Job], weigher: Weigher) -> int:
    """Run each measurement and write its curves; return the status. What one rig lacks does not stop the others."""
    results: list[tuple[str, bool]] = []

    def left_s() -> float:
        return sum(job.measurement.left_s for job in jobs)

    for place, job in enumerate(jobs):
        try:
            if _is_ready(arguments, job, weigher, alone=len(jobs) == 1):
                job.measurement.run(left_s)
        except (StoppedError, KeyboardInterrupt) as error:
            _print_results(results)
            for rest in jobs[place:]:
                for text in rest.measurement.kept_texts(rest.target.valves):
                    print(text, file=sys.stderr)
            if isinstance(error, KeyboardInterrupt):
                raise
            print(error, file=sys.stderr)
            return STOPPED
        results += _write(job)
    if len(results) > 1:
        _print_results(results)
    return OK if all(is_written for _, is_written in results) else NO_HARDWARE


def _is_ready(arguments: argparse.Namespace, job: _Job, weigher: Weigher, *, alone: bool) -> bool:
    """Whether no animal is in a rig, and the scale is under its valves; one of several rigs is passed over."""
    what = "the valves give some hundred drops each, into a vial"
    word = job.target.word
    try:
        confirm_no_animal(job.target.driver, yes=arguments.yes, what=what, rig="the rig" if alone else word)
    except ConfigError as error:
        if alone:
            raise
        print(f"{word}: {error}", file=sys.stderr)
        return False
    if not alone:
        weigher.place_under(word)
    return True


def _print_plan(jobs: Sequence[_Job], weigher: Weigher) -> None:
    """Print which valves are measured in which order, and how long each takes."""
    if weigher.on_board:
        return
    names = [(job, valve) for job in jobs for valve in job.measurement.bursts]
    total_s = 0.0
    for number, (job, valve) in enumerate(names, start=1):
        place = f"{number}. " if len(names) > 1 else ""
        seconds = job.measurement.left_of(valve)
        total_s += seconds
        rig_word = f" of {job.target.word}" if len(jobs) > 1 else ""
        together = f", {minutes(total_s)} for all so far" if number > 1 else ""
        print(f"{place}{valve.device}{rig_word}: about {minutes(seconds)}{together}", file=sys.stderr)


def _print_results(results: Sequence[tuple[str, bool]]) -> None:
    for word, wanted in (("written", True), ("NOT written", False)):
        if names := [name for name, is_written in results if is_written is wanted]:
            print(f"{word}: {', '.join(names)}")


def _write(job: _Job) -> Iterator[tuple[str, bool]]:
    """Write the curves that are right; yield each valve, and whether its curve was written."""
    measurement = job.measurement
    reasons = job.writer.reasons({valve.device: curve for valve, curve in measurement.curves.items()})
    for valve, partial in measurement.partials.items():
        why = reasons.get(valve.device, [])
        if is_written := valve in measurement.curves and not why:
            job.writer.write(valve, measurement.curves[valve])
            partial.set_aside("done")
        elif why and (aside := partial.set_aside("refused")) is not None:
            kept = f"{valve.device}: no calibration was written; its weights are kept in {display_path(aside)}"
            print(*why, kept, sep="\n", file=sys.stderr)
        yield f"{valve.device} of {job.target.word}", is_written


def _job(
    arguments: argparse.Namespace, target: RigTarget, weigher: Weigher, mg_per_ul: float, locks: ExitStack
) -> _Job:
    simulated = target.driver.records == "simulated"
    folder = calibration_folder(target.rig, arguments.folder, common.data_folder(arguments), simulated=simulated)
    rewards_ul = list(_rewards(arguments, target))
    by, date = common.experimenter(arguments.by), common.now().date().isoformat()
    writer = CurveWriter(target.rig, folder, date, arguments.water_c, by, arguments.note, rewards_ul)
    bursts = {valve: _bursts(arguments, valve, _seed(date, valve)) for valve in target.valves}
    valves = {
        valve: (bursts[valve], _partial(arguments, target, writer, valve, bursts[valve], locks)) for valve in bursts
    }
    measurement = Measurement(target.word, target.plan, weigher, mg_per_ul, valves, lambda valve: _seed(date, valve))
    return _Job(target, measurement, writer)


def _seed(date: str, valve: ValveTarget) -> int:
    """Return the seed of the order of the bursts: that of the day, so that a stopped calibration goes on."""
    return zlib.crc32(f"{date}/{valve.device}".encode())


def _rewards(arguments: argparse.Namespace, target: RigTarget) -> Iterator[float]:
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
    names = [valve.device for valve in target.valves]
    sizes = {
        float(reward.size)
        for reward in reward_params(params)
        if any(reward.is_given_at(name, target.rig.devices[name].gives) for name in names)
    }
    if not sizes:
        raise ConfigError(f"--protocol {arguments.protocol}: gives no water at {' and '.join(names)}")
    yield from sorted(sizes)


def _bursts(arguments: argparse.Namespace, valve: ValveTarget, seed: int) -> list[Burst]:
    text = arguments.open_ms
    openings = usual_openings(valve.calibration, valve.max_open_us) if text is None else _openings(text)
    if too_long := [open_us / 1000 for open_us in openings if open_us > valve.max_open_us]:
        raise ConfigError(
            f"--open-ms: {valve.device} may open {valve.max_open_us / 1000:g} ms (max_open_ms), not {too_long[0]:g} ms"
        )
    return plan_bursts(openings, valve.calibration, arguments.pulses, arguments.repeats, seed)


def _openings(text: str) -> list[int]:
    try:
        found = [round(1000 * float(word)) for word in text.split(",")]
    except (ValueError, OverflowError):
        found = []
    if not found or min(found) < 1000:
        raise ConfigError(f"--open-ms {text}: wanted open times of 1 ms and more, with commas: 15,25,40,70")
    return found


def _partial(
    arguments: argparse.Namespace,
    target: RigTarget,
    writer: CurveWriter,
    valve: ValveTarget,
    bursts: Sequence[Burst],
    locks: ExitStack,
) -> PartialFile:
    plan = {
        "valve": valve.valve,
        "rig": target.rig.name,
        "board": target.plan.board.driver,
        "date": writer.date,
        "water_c": arguments.water_c,
        "bursts": [[burst.open_us, burst.pulses] for burst in bursts],
    }
    partial = PartialFile(writer.folder / f"{file_stem(valve.valve)}.partial.jsonl", plan)
    locks.enter_context(partial)
    if arguments.restart:
        partial.set_aside("stopped")
    partial.open()
    if partial.weighings:
        print(f"{valve.device}: goes on after {len(partial.weighings)} of {len(bursts)} bursts", file=sys.stderr)
    return partial
