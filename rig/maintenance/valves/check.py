"""``rig device check``: weigh one burst, and add the check to the calibration, whether it passed or not."""

from __future__ import annotations

import argparse

from rig.config.find import find_calibration
from rig.core.errors import CalibrationError, ConfigError
from rig.devices.calibration import CHECK_PCT, Calibration
from rig.maintenance.bench import Bench
from rig.maintenance.valves.bursts import Burst, plan_bursts
from rig.maintenance.valves.calibration_writer import append_check
from rig.maintenance.valves.expectation import expected_drop
from rig.maintenance.valves.measurement import check_scale, give_burst
from rig.maintenance.valves.target import ValveTarget, valves_of
from rig.maintenance.valves.weights import (
    Judge,
    StoppedError,
    Verdict,
    Weigher,
    choose_weigher,
    density,
    implausible,
)
from rig.platform.command_line import quoted
from rig.system.statuses import NO_HARDWARE, OK, STOPPED


def check(bench: Bench, arguments: argparse.Namespace) -> int:
    """Check the weight of one burst against the file."""
    mg_per_ul = density(arguments.water_c)
    (valve,) = valves_of(bench.rig, bench.devices)
    remedy = f"`rig device calibrate {quoted(bench.word)} {valve.device}`"
    if valve.calibration is None:
        raise CalibrationError(f"{valve.device}: was never measured: {remedy}")
    by = "" if bench.is_simulated else bench.person()  # before the valve opens: a failed check is not lost
    burst = _burst(valve.calibration, arguments.ul, arguments.pulses, valve.max_open_us)
    weigher = choose_weigher([bench], arguments)
    bench.confirm_empty(f"{valve.device} gives {burst.pulses} drops")
    try:
        mg = _weigh(bench, valve, burst, weigher, _judge(valve.calibration, burst, mg_per_ul))
    except StoppedError as error:
        bench.tell(f"{error}; nothing was recorded")
        return STOPPED
    # A file holds four places, and a check that found a valve shut must not be lost.
    ul = max(round(mg / mg_per_ul / burst.pulses, 4), 0.0001)
    today = bench.now().date().isoformat()
    result = valve.calibration.check(today, burst.open_us, ul, by)
    bench.print(
        f"{valve.device}: {burst.open_us / 1000:g} ms give {ul:.3f} ul, {result.off_pct:+.1f} % of "
        f"{valve.calibration.name} ({valve.calibration.ul(burst.open_us):.3f} ul)"
    )
    if not result.passed:
        accepted = f"at most {CHECK_PCT:g} % is accepted"
        bench.tell(f"{accepted}: look for air and dirt, then measure the valve again: {remedy}")
    if bench.is_simulated:
        bench.print("the rig is simulated: nothing was recorded")
        return OK if result.passed else NO_HARDWARE
    file = find_calibration(valve.word, (bench.rig.sources[0].parent.parent,))
    append_check(file, today, burst.open_us, ul, by)
    if not result.passed:
        bench.tell(f"{file}: the failed check was added; a session on {valve.device} now needs a reason")
        return NO_HARDWARE
    bench.print(f"{file}: the check was added; the calibration counts as new from today on")
    return OK


def _weigh(bench: Bench, valve: ValveTarget, burst: Burst, weigher: Weigher, judge: Judge) -> float:
    """Run one burst, again until it is weighed; return the weight of its water in mg.

    Raises ``StoppedError`` when the operator stops, ``BoardError``.
    """
    while True:
        weigher.before(valve.device)
        if (read_mg := give_burst(bench, valve, burst, weigher, seed=1)) is not None:
            check_scale(valve, burst, read_mg, judge)
            return read_mg
        if isinstance(typed := weigher.after(valve.device, burst, judge), float):
            return typed


def _judge(calibration: Calibration, burst: Burst, mg_per_ul: float) -> Judge:
    """Return the judge of the burst's weight: too little is doubtful, but may be a valve that is shut."""
    expected = expected_drop(burst.open_us, calibration, [], mg_per_ul)

    def judge(mg: float) -> Verdict:
        ul = mg / mg_per_ul / burst.pulses
        impossible = implausible(mg, burst) if ul > expected.ul else ""
        return Verdict(f"{ul:.2f} ul a drop, {expected.comparison(ul)}", expected.is_doubtful(ul), impossible)

    return judge


def _burst(calibration: Calibration, ul: float | None, pulses: int | None, most_us: int) -> Burst:
    """Return the burst of a check, by default in the middle of the curve. Raises ``ConfigError``."""
    first_us, last_us = calibration.points[0][0], min(calibration.points[-1][0], most_us)
    open_us = (first_us + last_us) // 2 if ul is None else calibration.open_us(ul)
    if open_us > most_us:
        raise ConfigError(f"--ul {ul:g}: takes {open_us / 1000:g} ms, and the valve may open {most_us / 1000:g} ms")
    bursts = plan_bursts([open_us, open_us + 1, open_us + 2], calibration, pulses, 2, seed=1)
    return next(burst for burst in bursts if burst.open_us == open_us)
