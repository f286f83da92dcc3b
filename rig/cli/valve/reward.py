"""``rig valve reward``: give one drop by hand."""

from __future__ import annotations

import argparse

from rig.boards.client import BoardClient
from rig.boards.registry import Connection
from rig.cli import common
from rig.cli.commands.preflight import named_person
from rig.cli.maintenance.on_board import run_on_board
from rig.cli.maintenance.valves import confirm_no_animal, plan_of, valves_of
from rig.config import find
from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount, RewardAction
from rig.core.model.board import Board
from rig.devices.port import Port
from rig.devices.valve import Valve
from rig.maintenance.run_output import run_output
from rig.records.deliveries import record_manual_delivery
from rig.session.build.compatibility import check_calibration_ages, check_rig
from rig.session.build.rig_file import Rig, read_rig
from rig.session.daily_total import load_daily_total
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK, STOPPED

REASON = "rig valve reward"


def run(arguments: argparse.Namespace) -> int:
    """Send the drop; with a subject it is recorded before the valve opens."""
    rig = read_rig(find("rigs", arguments.rig))
    plan, driver = plan_of(rig, arguments.board)
    mistakes = [*check_rig(rig, arguments.board), *check_calibration_ages(rig, driver, common.now())]
    if mistakes:
        raise ConfigError(*mistakes)
    (valve,) = valves_of(rig, [arguments.device])
    action = _drop(rig, valve.device, arguments.ul)
    if arguments.subject is None:
        confirm_no_animal(driver, yes=arguments.yes, what="with one in it, name it with --subject")
    elif driver.records != "real":
        raise ConfigError("--subject: this rig is simulated, and no animal is in it: leave --subject out")

    async def give(client: BoardClient[Board], connection: Connection) -> int:
        return await run_output(client, action)

    recorded = "" if arguments.subject is None else _record(arguments, Amount(ul=arguments.ul))
    if run_on_board(plan, give) is None:
        print(f"stopped: everything is off{recorded}")
        return STOPPED
    print(f"{valve.device}: {arguments.ul:g} ul in {action.duration_us / 1000:.1f} ms{recorded}")
    return OK


def _drop(rig: Rig, name: str, ul: float) -> RewardAction:
    device = rig.devices[name]
    if not isinstance(device, Port | Valve) or not ul > 0:
        raise ConfigError(f"--ul {ul:g}: wanted a volume above 0")
    return device.drop(ul)


def _record(arguments: argparse.Namespace, amount: Amount) -> str:
    """Record the drop before it is given; after a crash the day's total may be too high, never too low."""
    by = named_person(arguments.by, "--by NAME")
    arguments.sim = False
    subject: SubjectFolder = common.known_subject(arguments)
    at = common.now()
    with subject:  # the lock refuses a running session, whose own count would not see it
        left = load_daily_total(subject.folder, limits_of(subject.folder, None), at).remaining_amounts(("ul",))["ul"]
        if left is not None and amount.ul > left:
            raise ConfigError(
                f"{subject.name} may be given {left:g} ul more today, not {amount.ul:g} ul: give less, or let a named "
                "person record it with `rig subject given`"
            )
        record_manual_delivery(subject.folder, amount, by, REASON, at)
    return f"; recorded for {subject.name}, and counted for today"
