"""The hours since a subject's last session: a session that comes too early needs a reason."""

from __future__ import annotations

import argparse
import datetime

from rig.cli.subject.weight import parse_reason
from rig.cli.terminal.history import LastSession, local
from rig.config.subject import SubjectFile
from rig.core.errors import ConfigError


def early_facts(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the field of the journal's header for ``--allow-early``. Raises ``ConfigError`` for an empty reason."""
    reason = parse_reason("--allow-early", arguments.allow_early)
    return {} if reason is None else {"early_allowed": reason}


def check_since_last(
    last: LastSession | None,
    start: datetime.datetime,
    known: SubjectFile,
    allowed: dict[str, str],
    *,
    can_resume: bool = False,
) -> None:
    """Check that the last session began long enough ago. Raises ``ConfigError``.

    A session without a trial does not count. One that broke off and ``can_resume`` is what a person means who types
    the same line again.
    """
    if last is None or last.began is None or not last.trials or known.min_hours is None or allowed:
        return
    hours = (local(start) - last.began).total_seconds() / 3600
    if hours < known.min_hours and can_resume:
        raise ConfigError(
            f"the session of {last.began:%H:%M} broke off and can go on: rig run --resume {last.folder}; "
            "a new session instead needs --allow-early REASON"
        )
    if hours < known.min_hours:
        raise ConfigError(
            f"the last session began {hours:.1f} hours ago ({last.began:%Y-%m-%d %H:%M}), and min_hours is "
            f"{known.min_hours:g}: no session; or say why it may run with --allow-early REASON"
        )
