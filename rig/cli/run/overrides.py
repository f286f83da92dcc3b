"""A valve whose last check failed: a session on it needs a reason."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from rig.cli.subject.weight import parse_reason
from rig.core.errors import ConfigError
from rig.session.build.compatibility import failed_checks
from rig.session.build.rig_file import Rig


def failed_check_facts(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the field of the journal's header for ``--allow-failed-check``. Raises ``ConfigError``."""
    reason = parse_reason("--allow-failed-check", arguments.allow_failed_check)
    return {} if reason is None else {"failed_check_allowed": reason}


def allow_failed_checks(arguments: argparse.Namespace, rig: Rig, ask: Callable[[str], str | None] | None) -> None:
    """Check that every valve passed its last check, or that there is a reason, from the command line or ``ask``.

    A reason that was typed is stored in the arguments. Raises ``ConfigError`` without one.
    """
    failed = list(failed_checks(rig))
    if not failed or failed_check_facts(arguments):
        return
    reason = ask("reason to run on this valve, which is recorded (Enter: no session): ") if ask else None
    if not reason:
        how = "no session; or say why it may run with --allow-failed-check REASON"
        raise ConfigError(*(f"{text}: {how}" for text in failed))
    arguments.allow_failed_check = reason
