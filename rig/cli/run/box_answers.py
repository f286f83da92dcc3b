"""The answers that a session of a box needs before it starts: from ``--today``, or asked one box after the other."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rig.cli import common
from rig.cli.argparse_ext import Parser
from rig.cli.needs_reason import NeedsReasonError
from rig.cli.run.arguments import add_run
from rig.cli.run.before import allowed_by_hand, run_preflight
from rig.cli.run.overrides import allow, reasons_of
from rig.cli.run.request import PlannedSession, plan_session
from rig.cli.run.stock import stock_warnings
from rig.cli.run.weight import UnusualWeightError
from rig.cli.terminal.prompt import ask, is_interactive
from rig.cli.terminal.screen_layout import say, warning, write
from rig.config.errors.closest_names import unknown_name
from rig.config.limits import LimitOverride
from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from rig.records.subject.known_subject import load_known_subject
from rig.records.weight_entry import WeightEntry
from rig.session.read_boxes import BoxPlan
from rig.terminal.questions import Question

REASON = Question("reason to run all the same, which is recorded (Enter: it is not started): ", (("", "do not start"),))
KEYS = ("weight_g", "override", "stage", "daily_limit", "new")
"""What can be answered: each is an option of ``rig run``; ``new`` is answered with yes."""


class BoxAnswers:
    """The answers of the command line, by box."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._words = words

    @classmethod
    def parse(cls, texts: Sequence[str], boxes: Sequence[str]) -> BoxAnswers:
        """Parse ``BOX.KEY=VALUE``. Raises ``ConfigError`` that lists every mistake."""
        mistakes: list[str] = []
        words: dict[str, list[str]] = {name: [] for name in boxes}
        for text in texts:
            place, equals, value = text.partition("=")
            box, _, key = place.rpartition(".")
            if not equals or not box:
                mistakes.append(f"--today {text}: wanted BOX.KEY=VALUE, such as --today box_1.weight_g=24.1")
            elif box not in words:
                mistakes.append(unknown_name(f"--today {text}: no box that starts is called {box!r}", box, boxes))
            elif key not in KEYS:
                mistakes.append(unknown_name(f"--today {text}: nothing is asked as {key!r}", key, KEYS))
            elif key == "new" and value != "yes":
                mistakes.append(f"--today {text}: wanted {place}=yes for a subject that has no records yet")
            else:
                words[box] += _option(key, value)
        if mistakes:
            raise ConfigError(*mistakes)
        return cls(words)

    def of(self, box: str) -> tuple[str, ...]:
        """Return the words of ``rig run`` that answer for a box."""
        return tuple(self._words.get(box, ()))


def _option(key: str, value: str) -> tuple[str, ...]:
    option = f"--{key.replace('_', '-')}"
    # With the sign: a value may begin with a dash.
    return (option,) if key == "new" else (f"{option}={value}",)


def answered_words(
    plan: BoxPlan, arguments: argparse.Namespace, answers: Sequence[str], data: Path, *, asks: bool = True
) -> tuple[str, ...]:
    """Return the words of ``rig run`` for a box, with which it asks nothing.

    Unless it ``asks``, what is unanswered is left to the session, which is then refused. Raises ``RigError`` when the
    box must not start.
    """
    of_person = () if arguments.experimenter is None else ("--experimenter", arguments.experimenter)
    words = (*plan.words, "--box", plan.name, "--data", str(data), *of_person, *answers)
    if plan.simulated or not asks:
        return (*words, "--yes")
    line = line_of(words)
    line.yes = arguments.yes
    answered = reasons_of(line)
    planned = plan_session(line, common.now())
    say("", f"{plan.name}:", file=sys.stderr)
    allowed = allowed_by_hand(line, simulated=False)
    write(map(warning, stock_warnings(planned.spec, data, limits_of(planned.folder, allowed))), sys.stderr)
    is_new = not planned.folder.is_dir()
    weight = _preflight(line, planned, allowed)
    new = ["--new"] if is_new and "--new" not in answers else []
    grams = [] if weight.weight_g is None else [f"--weight-g={weight.weight_g:g}"]
    reasons = weight.reasons | reasons_of(line)
    typed = [f"--override={rule}={reason}" for rule, reason in reasons.items() if rule not in answered]
    return (*words, "--yes", *grams, *typed, *new)


def line_of(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed line of ``rig run`` with these words, in which the rig is that of a file."""
    parser = Parser(prog="rig run")
    add_run(parser)
    line = parser.parse_args(words)
    line.box_of_rig = None
    return line


def _preflight(line: argparse.Namespace, planned: PlannedSession, allowed: LimitOverride | None) -> WeightEntry:
    rules = load_known_subject(planned.folder).on(common.now().date()).rules
    try:
        return run_preflight(line, planned.spec, planned.folder, rules, allowed, simulated=False)
    except NeedsReasonError as error:
        if not is_interactive():
            raise
        say(str(error), file=sys.stderr)
        reason = ask(REASON)
        if not reason:
            raise
        if isinstance(error, UnusualWeightError):
            line.weight_g = f"{error.weight_g:g}"  # it is not asked for again
        allow(line, error.rule, reason)
        return _preflight(line, planned, allowed)
