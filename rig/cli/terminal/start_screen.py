"""The start screen of a session: what will run, and what is unusual, before the animal enters."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pydantic import BaseModel
from rich.table import Table
from rich.text import Text

from rig.boards.driver_lookup import find_driver
from rig.cli.terminal.screen_layout import Row, box, say, warning, write
from rig.config import SessionLimits
from rig.config.errors.formatting import display_path
from rig.config.limits import UNITS
from rig.core.model.reward_types import RewardParam, reward_params
from rig.devices.calibration import Calibration
from rig.live.end_reasons import REASONS
from rig.records.session.brief import SessionBrief, local
from rig.records.session.task_version import UNCHANGED, TaskChange
from rig.session.daily_total import DailyTotal
from rig.session.last_session import recorded_open_us
from rig.session.spec.calibration_ages import age_days, failed_checks
from rig.session.spec.local_files import replaced_sources
from rig.session.spec.read_rig import Rig
from rig.session.spec.session_spec import SessionSpec
from rig.terminal.format import clock, pluralize, with_limit

FEWEST_HOURS = 18
"""The shortest usual time between two sessions; a shorter one gets a warning."""
MOST_CHANGED = 0.2
"""A larger relative change of an open time gets a warning: a new valve, or a mistake."""


LONGEST_VALUE = 60
"""The number of characters of a parameter's value that are shown."""


@dataclass(frozen=True)
class StartScreen:
    """The data of the start screen."""

    spec: SessionSpec
    simulated: bool
    folder: Path
    """The subject's."""
    start: datetime.datetime
    experimenter: str
    last: SessionBrief | None
    day: DailyTotal | None
    """The subject's recent total and its limits; None where nothing is counted."""
    model: str | None = None
    strays: tuple[str, ...] = ()
    """Names of sessions in the folder that belong to the other kind (real or simulated)."""
    open_top_ups: tuple[str, ...] = ()
    """Texts of top-ups that were never confirmed, of this subject and of others."""
    moves: tuple[str, ...] = ()
    """The moves of its sessions that were interrupted, and what completes them."""
    can_resume: bool = False
    """Whether the last session broke off and can go on."""
    unusual: tuple[str, ...] = ()
    """What is unusual about this task in this subject."""
    changed: TaskChange = UNCHANGED
    """How code and parameters differ from the subject's last session of the protocol."""

    @property
    def subject(self) -> str:
        """Return the subject's name."""
        return self.folder.name

    @property
    def valves(self) -> dict[str, Calibration]:
        """Return the calibration of each device that has a valve."""
        return calibrations_of(self.spec.rig)

    def drops(self, valve: str) -> list[RewardParam]:
        """Return the protocol's rewards at a valve, each volume once."""
        rewards = (reward for reward in reward_params(self.spec.params) if reward.is_given_at(valve, "ul"))
        return list({reward.size: reward for reward in rewards}.values())


def calibrations_of(rig: Rig) -> dict[str, Calibration]:
    """Return the calibration of each device that has a valve."""
    named = {name: getattr(config, "calibration", None) for name, config in rig.file.devices.items()}
    return {name: rig.calibrations[of] for name, of in named.items() if of is not None}


def print_start(start: StartScreen, file: TextIO | None) -> None:
    """Print the start screen."""
    if start.simulated:
        text = f"{start.subject} is in no real rig; its records go to {start.folder} and count for no real subject"
        box(f"SIMULATED: {text}", file)
    write(_rows(start), file)
    if start.last is not None and start.can_resume:
        say(f"rig run --resume {start.last.folder}", file=file)
    if start.last is not None and start.last.footer is None:
        say(f"rig recover {start.last.folder}", file=file)


def _rows(start: StartScreen) -> Iterator[Row]:
    spec = start.spec
    board = spec.plan.board
    yield "subject", Text(start.subject + (f", played by the model {start.model}" if start.model else ""), style="bold")
    if (decision := start.spec.decision) is not None:
        yield "stage", f"{decision.stage} of {decision.curriculum}: {decision.explanation}"
    if start.spec.manual_steps:
        yield "by hand", Text(start.spec.manual_steps, style="bold")
    yield "protocol", f"{spec.protocol_name}, at most {clock(spec.stop.session_s)} min"
    if spec.sources:
        yield "", f"from {display_path(spec.sources[0])}"
    yield from (("", Text(line, style="bold yellow")) for line in replaced_sources(spec))
    changed = list(differences(spec.params))
    yield "", _grid(changed) if changed else "every parameter has its default"
    yield from (("changed", text) for text in start.changed.expected)
    has_board = find_driver(board.driver).has_board
    yield "rig", f"{spec.plan.name}, {f'board {board.name} ({board.driver})' if has_board else 'without a board'}"
    if start.valves:
        yield "valves", _grid(_valves(start))
    yield "limits", limits_text(spec.stop, spec.gives)
    if start.day is not None:
        yield "given", _grid(list(given_rows(start.day, start.spec.gives)))
    if start.spec.from_records is not None:
        yield "begins", f"from the real records of {start.subject}, after {start.spec.from_records}"
    yield "last", _last(start)
    yield from (("top-up", Text(text, style="bold red")) for text in start.open_top_ups)
    yield from (("moved", Text(text, style="bold red")) for text in start.moves)
    yield "experimenter", start.experimenter
    yield from map(warning, warnings(start))


def _grid(rows: Sequence[tuple[str, ...]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in rows[0]:
        table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def differences(params: BaseModel) -> Iterator[tuple[str, str, str]]:
    """Yield the parameters that differ from their defaults: name, value, default."""
    for name, field in type(params).model_fields.items():
        value = getattr(params, name)
        if field.is_required():
            yield name, _shortened(value), "(no default)"
        elif value != (default := field.get_default(call_default_factory=True)):
            yield name, _shortened(value), f"(default {_shortened(default)})"


def _shortened(value: object) -> str:
    """Return the text of a value; long ones, such as the texts of a task for people, would hide all else."""
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE].rstrip()} …"


def _valves(start: StartScreen) -> list[tuple[str, str, str]]:
    return [
        (
            name,
            ", ".join(f"{drop.size:g} ul in {_ms(calibration.open_us(drop.size))}" for drop in start.drops(name)),
            f"calibration {calibration.name}, {last_known_text(calibration, local(start.start).date())}",
        )
        for name, calibration in start.valves.items()
    ]


def _ms(us: int) -> str:
    return f"{us / 1000:.1f} ms"


def last_known_text(calibration: Calibration, today: datetime.date) -> str:
    """Return how old a calibration is, or what its last check gave."""
    if not calibration.checks:
        days = age_days(calibration, today)
        return "of today" if days == 0 else f"{pluralize(days, 'day')} old" if days > 0 else "measured in the future"
    check = calibration.checks[-1]
    days = (today - datetime.date.fromisoformat(check.date)).days
    day = "today" if days == 0 else f"{pluralize(days, 'day')} ago" if days > 0 else "in the future"
    return f"{'checked' if check.passed else 'FAILED its check'} {day}: {check.off_pct:+.1f} %"


def limits_text(stop: SessionLimits, gives: Collection[str]) -> str:
    """Return the limits of a session's rewards; a unit without a limit of its own is named, too."""
    limits = (
        (stop.max_rewards, "rewards"),
        (stop.max_ul, "ul"),
        (stop.max_pellets, "pellets"),
        (stop.max_access_s, "s of grain"),
    )
    rewards_alone = [
        unit
        for key, unit in UNITS.items()
        if key in gives and getattr(stop, f"max_{key}") is None and stop.max_rewards is not None
    ]
    text = ", ".join(f"{most:g} {unit}" for most, unit in limits if most is not None)
    return f"{text} ({', '.join(rewards_alone)}: limited by the rewards alone)" if rewards_alone else text


def given_rows(day: DailyTotal, gives: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what a subject was given of each kind, with its limit; the span; and where the limit is from."""
    for limit in day.limits_for(gives):
        span = "today" if limit.span == "day" else "in 24 hours"
        yield with_limit(day.given(limit), limit.maximum, UNITS[limit.unit]), span, f"{limit.key}: {limit.source}"


def _last(start: StartScreen) -> str:
    last = start.last
    if last is None:
        return "none: this is the first session"
    when = "at an unknown time" if last.began is None else f"{last.began:%Y-%m-%d %H:%M} ({_ago(start, last.began)})"
    what = f"{when}, {last.header.protocol_name}, {pluralize(last.sums.trials, 'trial')}"
    if last.reason is None:
        return f"{what}; it has no end"
    return f"{what}, {last.sums.amount}; {REASONS.get(last.reason, last.reason)}"


def _ago(start: StartScreen, began: datetime.datetime) -> str:
    hours = _hours(start, began)
    if hours < 1:
        return f"{pluralize(round(60 * hours), 'minute')} ago"
    return f"{pluralize(round(hours), 'hour')} ago" if hours < 48 else f"{pluralize(round(hours / 24), 'day')} ago"


def _hours(start: StartScreen, began: datetime.datetime) -> float:
    return (local(start.start) - began).total_seconds() / 3600


def warnings(start: StartScreen) -> Iterator[str]:
    """Yield warnings about this session."""
    last = start.last
    yield from find_driver(start.spec.plan.board.driver).warnings
    yield from failed_checks(start.spec.rig)
    if start.can_resume:
        yield "the last session broke off a short time ago: stop here, and go on with it by the first command below"
    if last is not None and last.footer is None:
        yield "the last session has no end, as after a crash: recover it with the command below"
    if last is not None and last.began is not None and _hours(start, last.began) < FEWEST_HOURS:
        yield f"the last session began less than {FEWEST_HOURS} hours ago"
    if last is not None:
        yield from _changed_openings(start, last)
    yield from start.changed.unexpected
    yield from start.unusual
    if start.strays:
        kind = "real" if start.simulated else "simulated"
        yield (
            f"{pluralize(len(start.strays), 'session')} in {start.folder} {'is' if len(start.strays) == 1 else 'are'} "
            f"{kind}, and not looked at: {', '.join(start.strays[:3])}{', ...' if len(start.strays) > 3 else ''}"
        )


def _changed_openings(start: StartScreen, last: SessionBrief) -> Iterator[str]:
    for name, calibration in start.valves.items():
        for drop in start.drops(name):
            now_us, then_us = calibration.open_us(drop.size), recorded_open_us(last.header, name, drop)
            if then_us is not None and abs(now_us - then_us) > MOST_CHANGED * then_us:
                yield (
                    f"{name}: the same {drop.size:g} ul is {_ms(now_us)} now, and was {_ms(then_us)} "
                    "in the last session: is the calibration right?"
                )
