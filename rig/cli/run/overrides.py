"""Rules that let no session start, and the reasons of ``--override RULE=REASON`` for which one starts all the same."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence

from rig.cli.needs_reason import NeedsReasonError
from rig.cli.run.arguments import RULES
from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.config.errors.closest_names import unknown_name
from rig.config.subject import SubjectFile
from rig.core.errors import ConfigError
from rig.records.session.brief import SessionBrief, local
from rig.session.spec.calibration_ages import failed_checks
from rig.session.spec.read_rig import Rig
from rig.terminal.questions import Question

FIELDS = {"early": "early_allowed", "task": "other_task_allowed", "failed_check": "failed_check_allowed"}
"""The fields of the journal's header for the reasons of these rules; those of a weight are in its entry."""


def reasons_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the reason for each rule that a line overrides. Raises ``ConfigError`` that lists every mistake."""
    reasons: dict[str, str] = {}
    mistakes: list[str] = []
    for text in arguments.override:
        rule, _, reason = text.partition("=")
        if rule not in RULES:
            mistakes.append(unknown_name(f"--override {text}: no rule is called '{rule}'", rule, list(RULES)))
        elif not reason.strip():
            mistakes.append(f"--override {rule}: a reason is wanted, which is written down: --override {rule}='reason'")
        elif rule in reasons:
            mistakes.append(f"--override {rule}: has a reason already: give one of them")
        reasons[rule] = reason
    if mistakes:
        raise ConfigError(*mistakes)
    return reasons


def allow(arguments: argparse.Namespace, rule: str, reason: str) -> None:
    """Add a reason that a person typed to those of the line."""
    arguments.override = [*arguments.override, f"{rule}={reason}"]


def override_facts(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the fields of the journal's header for the reasons of a line. Raises ``ConfigError``."""
    return {FIELDS[rule]: reason for rule, reason in reasons_of(arguments).items() if rule in FIELDS}


def check_task(arguments: argparse.Namespace, unusual: Sequence[str]) -> None:
    """Check that a reason, of the line or typed, allows what is unusual about a task. Raises ``ConfigError``."""
    if not unusual or "task" in reasons_of(arguments):
        return
    if not is_interactive():
        raise ConfigError(f"{'; '.join(unusual)}: no session; or say why it may run with --override task='reason'")
    question = "reason to run it all the same, which is recorded (Enter: it is not started): "
    reason = ask_now(Question(question, (("", "do not start"),)))
    if not reason:
        raise ConfigError("no reason given; session not started")
    allow(arguments, "task", reason)


def check_valves(arguments: argparse.Namespace, rig: Rig) -> None:
    """Check that every valve passed its last check, or that a reason, of the line or typed, allows a session.

    Raises ``ConfigError``.
    """
    failed = list(failed_checks(rig))
    if not failed or "failed_check" in reasons_of(arguments):
        return
    question = Question("reason to run on this valve, which is recorded (Enter: no session): ", (("", "no session"),))
    reason = ask_now(question) if is_interactive() else None
    if not reason:
        how = "no session; or say why it may run with --override failed_check='reason'"
        raise ConfigError(*(f"{text}: {how}" for text in failed))
    allow(arguments, "failed_check", reason)


def check_since_last(
    arguments: argparse.Namespace,
    last: SessionBrief | None,
    start: datetime.datetime,
    known: SubjectFile,
    *,
    can_resume: bool,
) -> None:
    """Check that the last session began long enough ago, or that a reason of the line allows another one.

    A session without a trial does not count. One that broke off and ``can_resume`` is what a person means who types
    the same line again. Raises ``NeedsReasonError``.
    """
    if last is None or last.began is None or not last.sums.trials or known.min_hours is None:
        return
    hours = (local(start) - last.began).total_seconds() / 3600
    if hours >= known.min_hours or "early" in reasons_of(arguments):
        return
    if can_resume:
        raise NeedsReasonError(
            f"the session of {last.began:%H:%M} broke off and can go on: rig run --resume {last.folder}; "
            "a new session instead needs",
            "early",
        )
    raise NeedsReasonError(
        f"the last session began {hours:.1f} hours ago ({last.began:%Y-%m-%d %H:%M}), and min_hours is "
        f"{known.min_hours:g}: no session; or say why it may run with",
        "early",
    )
