"""``rig board accept``: a rig's hardware from the unpacked board to the first drop, with a page to keep."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rig.boards.chips import USUAL_CHIP
from rig.boards.driver_lookup import Driver, find_driver
from rig.cli import common
from rig.cli.board.accept_firmware import facts_of_board, put_firmware
from rig.cli.board.arguments import STEPS
from rig.cli.board.terminal_operator import TerminalOperator
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.prompt import is_interactive
from rig.core.errors import BoardError, ConfigError, RecordError
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics.acceptance.cable import pull_cable
from rig.diagnostics.acceptance.channels import check_devices
from rig.diagnostics.acceptance.loop_back import measure_lease, measure_reflex
from rig.diagnostics.acceptance.page import html_page
from rig.diagnostics.acceptance.results import Acceptance, AcceptanceRow, StepResult, load_acceptance
from rig.diagnostics.acceptance.simulated_chip import simulated_reflex, simulated_watchdog
from rig.diagnostics.acceptance.site import Site, SiteOperator, free_pins, wiring_hash
from rig.diagnostics.acceptance.wiring import check_wiring
from rig.session.spec.build import load_rig_spec
from rig.system.atomic_files import write_atomic
from rig.system.statuses import NO_HARDWARE, OK

FIRMWARE, WIRING, DEVICES, REFLEX, LEASE, CABLE = STEPS
NAMES = {
    FIRMWARE: "firmware on the board",
    WIRING: "wiring mistakes that show untouched",
    DEVICES: "every input by hand, every output by eye and ear",
    REFLEX: "latency of a reflex, through a jumper",
    LEASE: "a silent computer",
    CABLE: "a pulled cable",
}
MARKS = {"pass": "pass   ", "fail": "FAIL   ", "skipped": "skipped", "info": "       "}


class TerminalSiteOperator(TerminalOperator, SiteOperator):
    """A person at the terminal who puts in jumpers and pulls cables."""

    async def done(self, task: str) -> None:
        """Wait for Enter."""
        await self._answer(f"    {task}; then press Enter ")


def make_operator() -> SiteOperator:
    """Return the person at the terminal. Raises ``ConfigError`` without a terminal."""
    if not is_interactive():
        raise ConfigError("there is no terminal at which a person could watch the rig")
    return TerminalSiteOperator()


@dataclass(frozen=True)
class _Asked:
    """What the line asks for."""

    site: Site
    folder: Path
    max_ul: float
    flash: bool

    @property
    def progress(self) -> Path:
        """Return the file that keeps the results between two runs."""
        return self.folder / f"{self.site.plan.name}.json"


def run(arguments: argparse.Namespace) -> int:
    """Run the steps that are not done yet, and write the page."""
    signed_by = common.signed_by(arguments)
    asked = _asked(arguments)
    wanted = _steps(arguments.step)
    found = _earlier(asked, arguments.from_start)
    for name in wanted:
        if arguments.step is None and found.passed([name]):
            _say(f"{NAMES[name]}: passed on {found.steps[name].date}")
            continue
        _say("", NAMES[name])
        found = _do(name, asked, found)
        if not found.passed([name]):
            _say(f"Mend it, then type the same line again: it goes on with the step '{name}'.")
            break
    date = common.now().isoformat(" ")
    page = asked.folder / f"{asked.site.plan.name}_{date[:10]}.html"
    write_atomic(page, html_page(found, [*STEPS], signed_by, date), synced=True)
    passed = found.passed(STEPS)
    _say("", f"{'accepted' if passed else 'not accepted yet'}: {page}")
    if arguments.json:
        print_json({"passed": passed, "page": str(page), "progress": str(asked.progress)})
    return OK if passed else NO_HARDWARE


def _say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


# --- what is asked for ------------------------------------------------------------------------------------------


def _asked(arguments: argparse.Namespace) -> _Asked:
    plan = load_rig_spec(arguments.rig)
    driver = _driver(plan)
    board = replace(plan.board, port=arguments.port or plan.board.port)
    plan = replace(plan, board=board)
    chip = plan.board.chip or USUAL_CHIP
    if not 0 < arguments.max_ul <= 1000:
        raise ConfigError(f"--max-ul {arguments.max_ul:g}: wanted more than 0 and at most 1000 microliters")
    site = Site(plan, driver, make_operator(), chip, free_pins(plan, chip, arguments.jumper))
    folder = Path(arguments.into)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--into {folder}: cannot be made: {error.strerror}") from None
    return _Asked(site, folder, arguments.max_ul, arguments.flash)


def _driver(plan: RigSpec) -> Driver:
    driver = find_driver(plan.board.driver)
    if driver.records == "simulated":
        raise ConfigError(
            f"rig {plan.name} has a simulated board (driver {plan.board.driver}): there is nothing to accept; to try "
            f"the steps, serve one at a port: rig board serve {plan.name}"
        )
    if not driver.has_board:
        raise ConfigError(f"rig {plan.name} has no board: there is nothing to accept")
    if driver.timing_unsupported_reason is not None:
        raise ConfigError(f"driver {plan.board.driver}: {driver.timing_unsupported_reason}: flash the rig's firmware")
    return driver


def _steps(name: str | None) -> Sequence[str]:
    return STEPS if name is None else (name,)


def _earlier(asked: _Asked, from_start: bool) -> Acceptance:
    """Return what earlier runs have found, if it is of this wiring."""
    plan = asked.site.plan
    new = Acceptance(plan.name, wiring_hash(plan))
    earlier = None if from_start else load_acceptance(asked.progress)
    if earlier is None:
        return new
    if earlier.wiring != new.wiring:
        _say("The rig file's wiring has changed since the last run: all steps are done again.")
        return new
    return earlier


# --- what is done -----------------------------------------------------------------------------------------------


def _do(name: str, asked: _Asked, found: Acceptance) -> Acceptance:
    """Run a step, print and keep its rows. A failure of the board is a row of its own."""
    facts: dict[str, str] = {}
    try:
        rows = [*_rows(name, asked, facts)]
    except BoardError as error:
        rows = [AcceptanceRow(NAMES[name], "fail", str(error))]
    board, known = facts.get("board id"), found.facts.get("board id")
    if board is not None and known not in (None, board):
        _say(f"This is board {board}; the earlier steps were done with {known}: they are done again.")
        found = replace(found, steps={}, facts={})
    for row in rows:
        must = f"   (must be: {row.must})" if row.must else ""
        _say(f"  {MARKS[row.verdict]}  {row.what}: {row.found}{must}")
    found = found.add(name, StepResult(common.now().isoformat(" "), tuple(rows)), facts)
    try:
        found.write(asked.progress)
    except RecordError as error:  # the rest can be done all the same
        print(error, file=sys.stderr)
    return found


def _rows(name: str, asked: _Asked, facts: dict[str, str]) -> list[AcceptanceRow]:
    site = asked.site
    if name == FIRMWARE:
        rows, said = put_firmware(site, flash=asked.flash)
        facts |= said
        return rows
    rows = _on_loop(site.driver, _WORK[name](asked))
    facts |= facts_of_board(site) if name == CABLE else {}
    compared = _COMPARED.get(name)
    return rows if compared is None else [*rows, compared(site.chip)]


_COMPARED: dict[str, Callable[[str], AcceptanceRow]] = {REFLEX: simulated_reflex, LEASE: simulated_watchdog}
"""What a simulated chip does, beside what the board did."""
_WORK: dict[str, Callable[[_Asked], Callable[[], Awaitable[list[AcceptanceRow]]]]] = {
    WIRING: lambda asked: lambda: check_wiring(asked.site),
    DEVICES: lambda asked: lambda: check_devices(asked.site, asked.max_ul),
    REFLEX: lambda asked: lambda: measure_reflex(asked.site),
    LEASE: lambda asked: lambda: measure_lease(asked.site),
    CABLE: lambda asked: lambda: pull_cable(asked.site),
}


def _on_loop(driver: Driver, work: Callable[[], Awaitable[list[AcceptanceRow]]]) -> list[AcceptanceRow]:
    async def main() -> list[AcceptanceRow]:
        return await work()

    # Ctrl-C cancels the work, and the board is closed with all outputs off.
    with asyncio.Runner(loop_factory=lambda: driver.loop(driver.fastest)) as runner:
        return runner.run(main())
