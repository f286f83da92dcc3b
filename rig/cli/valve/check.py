"""``rig valve check``: weigh one burst, and add the check to the calibration, whether it passed or not."""

from __future__ import annotations

import argparse
import sys

from rig.cli import common
from rig.cli.maintenance.valves import confirm_no_animal, plan_of, valves_of
from rig.cli.maintenance.weigh_burst import weigh_burst
from rig.cli.maintenance.weights import Judge, StoppedError, Verdict, choose_weigher, implausible
from rig.cli.valve.water import density
from rig.config import find
from rig.config.find import find_calibration
from rig.core.errors import CalibrationError, ConfigError
from rig.devices.calibration import CHECK_PCT, Calibration
from rig.maintenance.valves.calibration_writer import append_check
from rig.maintenance.valves.expectation import expected_drop
from rig.maintenance.valves.schedule import Burst, plan_bursts
from rig.session.spec.compatibility import check_rig
from rig.session.spec.rig_file import read_rig
from rig.system.statuses import NO_HARDWARE, OK, STOPPED


def run(arguments: argparse.Namespace) -> int:
    """Check the weight of one burst against the file."""
    mg_per_ul = density(arguments.water_c)
    path = find("rigs", arguments.rig)
    rig = read_rig(path)
    if mistakes := list(check_rig(rig, arguments.board)):
        raise ConfigError(*mistakes)
    plan, driver = plan_of(rig, arguments.board)
    (valve,) = valves_of(rig, [arguments.device])
    if valve.calibration is None:
        raise CalibrationError(
            f"{valve.device}: was never measured: `rig valve calibrate {arguments.rig} {valve.device}`"
        )
    is_simulated = driver.records == "simulated"
    by = "" if is_simulated else common.experimenter(arguments.by)  # before the valve opens: a failed check is not lost
    burst = _burst(valve.calibration, arguments.ul, arguments.pulses, valve.max_open_us)
    weigher = choose_weigher(arguments.scale, simulated=is_simulated, in_place=arguments.in_place)
    confirm_no_animal(driver, yes=arguments.yes, what=f"{valve.device} gives {burst.pulses} drops")
    judge = _judge(valve.calibration, burst, mg_per_ul)
    try:
        mg = weigh_burst(plan, valve, burst, weigher, judge)
    except StoppedError as error:
        print(f"{error}; nothing was recorded", file=sys.stderr)
        return STOPPED
    # A file holds four places, and a check that found a valve shut must not be lost.
    ul = max(round(mg / mg_per_ul / burst.pulses, 4), 0.0001)
    today = common.now().date().isoformat()
    check = valve.calibration.check(today, burst.open_us, ul, by)
    print(
        f"{valve.device}: {burst.open_us / 1000:g} ms give {ul:.3f} ul, {check.off_pct:+.1f} % of "
        f"{valve.calibration.name} ({valve.calibration.ul(burst.open_us):.3f} ul)"
    )
    if not check.passed:
        print(
            f"at most {CHECK_PCT:g} % is accepted: look for air and dirt, then measure the valve again: "
            f"`rig valve calibrate {arguments.rig} {valve.device}`",
            file=sys.stderr,
        )
    if is_simulated:
        print("the rig is simulated: nothing was recorded")
        return OK if check.passed else NO_HARDWARE
    file = find_calibration(valve.word, (path.parent.parent,))
    append_check(file, today, burst.open_us, ul, by)
    if not check.passed:
        print(f"{file}: the failed check was added; a session on {valve.device} now needs a reason", file=sys.stderr)
        return NO_HARDWARE
    print(f"{file}: the check was added; the calibration counts as new from today on")
    return OK


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
