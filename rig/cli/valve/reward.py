"""``rig valve reward``: give one drop by hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli import common
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import ValveTarget, confirm_no_animal, plan_of, valves_of
from rig.cli.subject_names import known_subject
from rig.config import find
from rig.config.subject import limits_of
from rig.core.errors import BoardError, ConfigError
from rig.core.model.actions import Amount, RewardAction
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec
from rig.devices.port import Port
from rig.devices.valve import Valve
from rig.maintenance.run_output import run_output
from rig.records.subject.deliveries import record_manual_delivery
from rig.session.daily_total import load_daily_total
from rig.session.spec.compatibility import check_calibration_ages, check_rig, failed_checks
from rig.session.spec.rig_file import Rig, read_rig
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK, STOPPED

REASON = "rig valve reward"


def run(arguments: argparse.Namespace) -> int:
    """Send the drop; with a subject it is recorded just before the valve opens."""
    rig = read_rig(find("rigs", arguments.rig))
    plan, driver = plan_of(rig, arguments.board)
    mistakes = [*check_rig(rig, arguments.board), *check_calibration_ages(rig, driver, common.now())]
    if mistakes:
        raise ConfigError(*mistakes)
    (valve,) = valves_of(rig, [arguments.device])
    action = _drop(rig, valve.device, arguments.ul)
    print(*(f"warning: {text}\n" for text in failed_checks(rig)), sep="", end="", file=sys.stderr)
    if arguments.subject is None:
        confirm_no_animal(driver, yes=arguments.yes, what="with one in it, name it with --subject")
        return _give(plan, valve, action, lambda: "")
    if driver.records != "real":
        raise ConfigError("--subject: this rig is simulated, and no animal is in it: leave --subject out")
    by = common.signed_by(arguments)
    with known_subject(arguments) as subject:  # the lock refuses a running session, whose count would not see it
        _check_limits(subject, arguments.ul)
        return _give(plan, valve, action, lambda: _record(subject, Amount(ul=arguments.ul), by))


def _give(plan: RigSpec, valve: ValveTarget, action: RewardAction, record: Callable[[], str]) -> int:
    """Send the drop; ``record`` is called when the board is open, and returns what to tell the operator.

    So a board that is not found counts nothing, and after a crash the day's total may be too high, never too low.
    """
    recorded = ""

    async def give(client: BoardClient[Board], connection: Connection) -> int:
        nonlocal recorded
        recorded = record()
        return await run_output(client, action)

    try:
        lasted_us = run_on_board(plan, give)
    except BoardError:
        if recorded:
            print(f"the drop may have been given{recorded}", file=sys.stderr)
        raise
    if lasted_us is None:
        print(f"stopped: everything is off{recorded}")
        return STOPPED
    print(f"{valve.device}: {action.amount.ul:g} ul in {action.duration_us / 1000:.1f} ms{recorded}")
    return OK


def _drop(rig: Rig, name: str, ul: float) -> RewardAction:
    device = rig.devices[name]
    if not isinstance(device, Port | Valve) or not ul > 0:
        raise ConfigError(f"--ul {ul:g}: wanted a volume above 0")
    return device.drop(ul)


def _check_limits(subject: SubjectFolder, ul: float) -> None:
    limits = limits_of(subject.folder, None)
    left = load_daily_total(subject.folder, limits, common.now()).remaining_amounts(("ul",))["ul"]
    if left is not None and ul > left:
        raise ConfigError(
            f"{subject.name} may be given {left:g} ul more today, not {ul:g} ul: give less, or let a named "
            "person record it with `rig subject give`"
        )


def _record(subject: SubjectFolder, amount: Amount, by: str) -> str:
    record_manual_delivery(subject.folder, amount, by, REASON, common.now())
    return f"; recorded for {subject.name}, and counted for today"
