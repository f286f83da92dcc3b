"""``rig device reward``: give one drop by hand."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable

from rig.boards.client import BoardClient
from rig.boards.driver_lookup import Connection
from rig.config.subject import limits_of
from rig.core.errors import BoardError, ConfigError
from rig.core.model.actions import Amount, RewardAction
from rig.core.model.board import Board
from rig.devices.base import Device
from rig.maintenance.bench import Bench
from rig.maintenance.run_output import run_output
from rig.records.subject.deliveries import record_manual_delivery
from rig.session.daily_total import load_daily_total
from rig.session.spec.calibration_ages import check_calibration_ages, failed_checks
from rig.session.subject_folder import SubjectFolder
from rig.system.statuses import OK, STOPPED

REASON = "rig device reward"


def reward(bench: Bench, arguments: argparse.Namespace) -> int:
    """Send the drop; with a subject it is recorded just before the valve opens."""
    if mistakes := list(check_calibration_ages(bench.rig, bench.driver, bench.now())):
        raise ConfigError(*mistakes)
    action = _drop(bench.device, arguments.ul)
    bench.tell(*(f"warning: {text}" for text in failed_checks(bench.rig)))
    if arguments.subject is None:
        bench.confirm_empty("with one in it, name it with --subject")
        return _give(bench, action, lambda: "")
    if bench.driver.records != "real":
        raise ConfigError("--subject: this rig is simulated, and no animal is in it: leave --subject out")
    by = bench.person(is_named=True)
    with bench.subject() as subject:  # the lock refuses a running session, whose count would not see it
        _check_limits(subject, arguments.ul, bench.now())
        return _give(bench, action, lambda: _record(subject, Amount(ul=arguments.ul), by, bench.now()))


def _give(bench: Bench, action: RewardAction, record: Callable[[], str]) -> int:
    """Send the drop; ``record`` is called when the board is open, and returns what to tell the operator.

    So a board that is not found counts nothing, and after a crash the day's total may be too high, never too low.
    """
    recorded = ""

    async def give(client: BoardClient[Board], connection: Connection) -> int:
        nonlocal recorded
        recorded = record()
        return await run_output(client, action)

    try:
        lasted_us = bench.run_on_board(give)
    except BoardError:
        if recorded:
            bench.tell(f"the drop may have been given{recorded}")
        raise
    if lasted_us is None:
        bench.print(f"stopped: everything is off{recorded}")
        return STOPPED
    bench.print(f"{bench.device.name}: {action.amount.ul:g} ul in {action.duration_us / 1000:.1f} ms{recorded}")
    return OK


def _drop(device: Device, ul: float) -> RewardAction:
    if not ul > 0:
        raise ConfigError(f"--ul {ul:g}: wanted a volume above 0")
    return device.reward(ul)


def _check_limits(subject: SubjectFolder, ul: float, now: datetime.datetime) -> None:
    limits = limits_of(subject.folder, None)
    left = load_daily_total(subject.folder, limits, now).remaining_amounts(("ul",))["ul"]
    if left is not None and ul > left:
        raise ConfigError(
            f"{subject.name} may be given {left:g} ul more today, not {ul:g} ul: give less, or let a named "
            "person record it with `rig subject give`"
        )


def _record(subject: SubjectFolder, amount: Amount, by: str, now: datetime.datetime) -> str:
    record_manual_delivery(subject.folder, amount, by, REASON, now)
    return f"; recorded for {subject.name}, and counted for today"
