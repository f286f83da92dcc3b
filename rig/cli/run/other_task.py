"""A task that is unusual for its subject: a session with one needs a reason."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rig.cli.subject.weight import parse_reason
from rig.cli.terminal.prompt import ask_now, is_interactive
from rig.core.errors import ConfigError

OPTION = "--other-task"


def other_task_facts(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the field of the journal's header for the reason. Raises ``ConfigError`` for an empty reason."""
    reason = parse_reason(OPTION, arguments.other_task)
    return {} if reason is None else {"other_task_allowed": reason}


def check_task(arguments: argparse.Namespace, unusual: Sequence[str]) -> None:
    """Check that a reason allows what is unusual; one that a person types becomes that of the line.

    Raises ``ConfigError``.
    """
    if not unusual or other_task_facts(arguments):
        return
    if not is_interactive():
        raise ConfigError(f"{'; '.join(unusual)}: no session; or say why it may run with {OPTION} REASON")
    arguments.other_task = ask_now("reason to run it all the same, which is recorded (Enter: it is not started): ")
    if not arguments.other_task:
        raise ConfigError("no reason given; session not started")
