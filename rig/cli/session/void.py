"""``rig session void``: a test session counts nowhere but in what the animal was given."""

from __future__ import annotations

import argparse

from rig.cli import common
from rig.cli.run.before import named_person
from rig.cli.session.reassign import session_folder
from rig.core.errors import ConfigError
from rig.session.void import void_session
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Record that the session is void, or that it counts again. Raises ``ConfigError``, ``RecordError``."""
    if not arguments.reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    data = common.data_folder(arguments)
    session = session_folder(data, arguments.session)
    subject = void_session(data, session, by, arguments.reason, common.now(), voided=not arguments.undo)
    name = "/".join(session.resolve().parts[-3:])
    if arguments.undo:
        print(f"{name} counts again")
    else:
        print(f"{name} is voided: it stays, and counts nowhere but in what {subject.name} was given")
    return OK
