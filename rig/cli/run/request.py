"""The session that a command line asks for."""

from __future__ import annotations

import argparse

from rig.cli import common
from rig.core.errors import ConfigError
from rig.session.build.request import SessionRequest


def requested(arguments: argparse.Namespace) -> SessionRequest:
    """Parse the session request from the command line, without subject, seed and start.

    Raises ``ConfigError``.
    """
    protocol, curriculum = arguments.protocol, arguments.curriculum
    if protocol is None and curriculum is None:
        raise ConfigError("which protocol? Give its name or its file, or --curriculum NAME")
    if protocol is not None and curriculum is not None:
        raise ConfigError(f"--curriculum {curriculum} chooses the protocol by itself: leave {protocol} out")
    return SessionRequest(
        protocol=protocol,
        rig=arguments.rig,
        sets=tuple(arguments.set),
        driver=arguments.board,
        curriculum=curriculum,
        data=common.data_folder(arguments),
    )
