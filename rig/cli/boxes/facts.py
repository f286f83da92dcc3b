"""The facts of a box before its session: task, weight, calibrations, stock, what was given, and what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from rig.boards.driver_lookup import find_driver
from rig.cli import common
from rig.cli.run.box_answers import line_of
from rig.cli.run.request import PlannedSession, plan_session
from rig.cli.run.stock import feeders_of, hoppers_of, stock_warnings
from rig.cli.terminal.start_screen import calibrations_of, given_rows, last_known_text
from rig.config.subject import limits_of
from rig.core.errors import RigError
from rig.records.stock.stock import StockFile
from rig.records.subject.days import weight_of_day
from rig.records.subject.due import due_of
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.last_weight import last_weight
from rig.records.weight_entry import WeightEntry
from rig.session.daily_total import load_daily_total
from rig.session.read_boxes import BoxPlan
from rig.session.spec.calibration_ages import failed_checks
from rig.session.spec.read_rig import Rig
from rig.supervisor.box_facts import BoxFacts, FactRow

T = TypeVar("T")


def facts_of(plan: BoxPlan, data: Path) -> BoxFacts:
    """Return the facts of a box; what cannot be read, or refuses its session, is its problem."""
    problems: list[str] = []

    def read(function: Callable[[], T], otherwise: T) -> T:
        try:
            return function()
        except RigError as error:
            problems.append(str(error))
            return otherwise

    folder, line = data / plan.subject, line_of([*plan.words, "--data", str(data)])
    planned = read(lambda: plan_session(line, common.now()), None)
    rows = [] if planned is None else list(_task_rows(planned))
    due: list[FactRow] = []
    if not plan.simulated:
        rows += read(lambda: list(_weight_rows(folder)), [])
        rows += _valve_rows(plan.rig)
        if planned is not None:
            warned: list[str] = read(lambda: stock_warnings(planned.spec, data, limits_of(planned.folder)), [])
            rows += read(lambda: list(_stock_rows(planned, data, [*warned, *problems])), [])
            rows += read(lambda: list(_given_rows(planned)), [])
        due = read(lambda: list(_due_rows(folder)), [])
    problem = "; ".join(dict.fromkeys(problems))
    return BoxFacts(plan.name, plan.subject, plan.simulated, (*rows, *due), is_due=bool(due), problem=problem)


def _task_rows(planned: PlannedSession) -> Iterator[FactRow]:
    spec = planned.spec
    if (decision := spec.decision) is not None:
        yield FactRow("stage", f"{decision.stage} of {decision.curriculum}: {decision.explanation}")
    if spec.manual_steps:
        yield FactRow("by hand", spec.manual_steps, needs_look=True, is_before=True)
    yield FactRow("protocol", f"{spec.protocol_name} on {spec.plan.name}")


def _weight_rows(folder: Path) -> Iterator[FactRow]:
    now = common.now()
    known = load_known_subject(folder).on(now.date()).rules
    if (today_g := weight_of_day(folder, now.date())) is not None:
        entry = WeightEntry(today_g)
        yield FactRow("weight", entry.said(known), needs_look=bool(entry.warnings(known)))
    elif (last := last_weight(folder, now)) is None:
        yield FactRow("weight", "never weighed")
    else:
        grams, day = last
        yield FactRow("weight", f"{WeightEntry(grams).said(known)}, {'today' if day == now.date() else f'on {day}'}")


def _valve_rows(rig: Rig) -> list[FactRow]:
    """Return the ages of the calibrations; those of simulated valves do not count."""
    if not find_driver(rig.file.boards[rig.file.reference].driver).calibrations_expire:
        return []
    today = common.now().date()
    texts = [f"{name} {last_known_text(each, today)}" for name, each in calibrations_of(rig).items()]
    return [FactRow("valves", ", ".join(texts), needs_look=any(failed_checks(rig)))] if texts else []


def _stock_rows(planned: PlannedSession, data: Path, warned: Sequence[str]) -> Iterator[FactRow]:
    """Yield what feeders and hoppers hold; each warning begins with the name of one."""
    spec, file = planned.spec, StockFile(data)
    texts: dict[str, str] = {}
    for name in feeders_of(spec):
        stock = file.stock(spec.plan.name, name)
        texts[name] = "not recorded" if stock is None else f"{stock.left} pellets"
    for name in hoppers_of(spec):
        last = file.last_filled(spec.plan.name, name)
        texts[name] = "not recorded" if last is None else f"{last['grain_g']:g} g on {last['at'][:10]}"
    if texts:
        needs_look = any(text.startswith((f"{name} ", f"{name}:")) for text in warned for name in texts)
        yield FactRow("stock", ", ".join(f"{name} {text}" for name, text in texts.items()), needs_look)


def _given_rows(planned: PlannedSession) -> Iterator[FactRow]:
    gives = planned.spec.gives
    if gives and planned.folder.is_dir():
        day = load_daily_total(planned.folder, limits_of(planned.folder), common.now())
        texts = [f"{amount} {span}" for amount, span, _ in given_rows(day, gives)]
        yield FactRow("given", ", ".join(texts), is_before=True)


def _due_rows(folder: Path) -> Iterable[FactRow]:
    if not folder.is_dir():
        return
    today = common.now().date()
    for due in due_of(folder, today):
        is_late = due.day < today
        text = f"{f'OPEN, of {due.day}: ' if is_late else ''}{due.top_up.amount} ({due.why})"
        yield FactRow("due", text, needs_look=is_late, is_before=True)
