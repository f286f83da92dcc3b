"""``rig device calibrate``: weigh bursts of drops, and write a new calibration file for each valve."""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rig.config import find, load_config
from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.core.model.reward_types import reward_params
from rig.maintenance.bench import Bench
from rig.maintenance.valves.bursts import Burst, plan_bursts, usual_openings
from rig.maintenance.valves.calibration_writer import file_stem
from rig.maintenance.valves.curve_writer import CurveWriter, calibration_folder
from rig.maintenance.valves.measurement import Measurement, minutes
from rig.maintenance.valves.partial_file import PartialFile
from rig.maintenance.valves.target import ValveTarget, valves_of
from rig.maintenance.valves.weights import StoppedError, Weigher, choose_weigher, density
from rig.session.spec.read_protocol import read_protocol
from rig.system.statuses import NO_HARDWARE, OK, STOPPED

USUAL_REWARD_UL = 2.5


@dataclass(frozen=True)
class _Job:
    """A rig, its measurement, and who writes its curves."""

    bench: Bench
    measurement: Measurement
    writer: CurveWriter


def calibrate(benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
    """Run the measurement of one rig after the other, and write each curve that is right."""
    mg_per_ul = density(arguments.water_c)
    _check_names(benches)
    weigher = choose_weigher(benches, arguments)
    with ExitStack() as locks:
        jobs = [_job(arguments, bench, weigher, mg_per_ul, locks) for bench in benches]
        _print_plan(jobs, weigher)
        return _calibrate(jobs, weigher)


def _check_names(benches: Sequence[Bench]) -> None:
    """Check that no two valves would write the same file. Raises ``ConfigError``."""
    owners: dict[tuple[Path, str], str] = {}
    for bench in benches:
        for valve in valves_of(bench.rig, bench.devices):
            file = (bench.rig.sources[0].parent.parent, file_stem(valve.valve))
            if (owner := owners.setdefault(file, bench.word)) != bench.word:
                raise ConfigError(
                    f"{owner} and {bench.word} both have a valve {valve.valve!r}: write another valve_id into one of "
                    "the rig files"
                )


def _calibrate(jobs: Sequence[_Job], weigher: Weigher) -> int:
    """Run each measurement and write its curves; return the status. What one rig lacks does not stop the others."""
    results: list[tuple[str, bool]] = []

    def left_s() -> float:
        return sum(job.measurement.left_s for job in jobs)

    for number, job in enumerate(jobs):
        try:
            if _is_ready(job, weigher, alone=len(jobs) == 1):
                job.measurement.run(left_s)
        except (StoppedError, KeyboardInterrupt) as error:
            _print_results(job.bench, results)
            for rest in jobs[number:]:
                job.bench.tell(*rest.measurement.kept_texts(rest.measurement.bursts))
            if isinstance(error, KeyboardInterrupt):
                raise
            job.bench.tell(str(error))
            return STOPPED
        results += _write(job)
    if len(results) > 1:
        _print_results(jobs[0].bench, results)
    return OK if all(is_written for _, is_written in results) else NO_HARDWARE


def _is_ready(job: _Job, weigher: Weigher, *, alone: bool) -> bool:
    """Whether no animal is in a rig, and the scale is under its valves; one of several rigs is passed over."""
    try:
        job.bench.confirm_empty("the valves give some hundred drops each, into a vial")
    except ConfigError as error:
        if alone:
            raise
        job.bench.tell(f"{job.bench.word}: {error}")
        return False
    if not alone:
        weigher.place_under(job.bench.word)
    return True


def _print_plan(jobs: Sequence[_Job], weigher: Weigher) -> None:
    """Print which valves are measured in which order, and how long each takes."""
    if weigher.on_board:
        return
    names = [(job, valve) for job in jobs for valve in job.measurement.bursts]
    total_s = 0.0
    for number, (job, valve) in enumerate(names, start=1):
        position = f"{number}. " if len(names) > 1 else ""
        seconds = job.measurement.left_of(valve)
        total_s += seconds
        rig_word = f" of {job.bench.word}" if len(jobs) > 1 else ""
        together = f", {minutes(total_s)} for all so far" if number > 1 else ""
        job.bench.tell(f"{position}{valve.device}{rig_word}: about {minutes(seconds)}{together}")


def _print_results(bench: Bench, results: Sequence[tuple[str, bool]]) -> None:
    for word, wanted in (("written", True), ("NOT written", False)):
        if names := [name for name, is_written in results if is_written is wanted]:
            bench.print(f"{word}: {', '.join(names)}")


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
            job.bench.tell(*why, kept)
        yield f"{valve.device} of {job.bench.word}", is_written


def _job(arguments: argparse.Namespace, bench: Bench, weigher: Weigher, mg_per_ul: float, locks: ExitStack) -> _Job:
    folder = calibration_folder(bench, arguments.folder)
    valves = valves_of(bench.rig, bench.devices)
    rewards_ul = list(_rewards(arguments, bench, [valve.device for valve in valves]))
    by, date = bench.person(), bench.now().date().isoformat()
    writer = CurveWriter(bench, folder, date, arguments.water_c, by, arguments.note, rewards_ul)
    bursts = {valve: _bursts(arguments, valve, _seed(date, valve)) for valve in valves}
    partials = {
        valve: (bursts[valve], _partial(arguments, bench, writer, valve, bursts[valve], locks)) for valve in bursts
    }
    measurement = Measurement(bench, weigher, mg_per_ul, partials, lambda valve: _seed(date, valve))
    return _Job(bench, measurement, writer)


def _seed(date: str, valve: ValveTarget) -> int:
    """Return the seed of the order of the bursts: that of the day, so that a stopped calibration goes on."""
    return zlib.crc32(f"{date}/{valve.device}".encode())


def _rewards(arguments: argparse.Namespace, bench: Bench, names: Sequence[str]) -> Iterator[float]:
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
    sizes = {
        float(reward.size)
        for reward in reward_params(params)
        if any(reward.is_given_at(name, bench.rig.devices[name].gives) for name in names)
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
        openings = [round(1000 * float(word)) for word in text.split(",")]
    except (ValueError, OverflowError):
        openings = []
    if not openings or min(openings) < 1000:
        raise ConfigError(f"--open-ms {text}: wanted open times of 1 ms and more, with commas: 15,25,40,70")
    return openings


def _partial(
    arguments: argparse.Namespace,
    bench: Bench,
    writer: CurveWriter,
    valve: ValveTarget,
    bursts: Sequence[Burst],
    locks: ExitStack,
) -> PartialFile:
    plan = {
        "valve": valve.valve,
        "rig": bench.rig.name,
        "board": bench.plan.board.driver,
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
        bench.tell(f"{valve.device}: goes on after {len(partial.weighings)} of {len(bursts)} bursts")
    return partial
