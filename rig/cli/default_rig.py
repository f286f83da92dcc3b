"""The rig that a line means: that of a box, and that of the computer when the line names none."""

from __future__ import annotations

import argparse

from rig.core.errors import ConfigError
from rig.system.config_paths import SETTINGS, user_settings
from rig.system.settings import VARIABLES, boxes_by_rig, load_settings, rig_of

HOW = (
    f'write default_rig = "NAME" into {SETTINGS} here or into {user_settings()}, or set ${VARIABLES["default_rig"]}; '
    "to be the subject yourself: --model keyboard"
)


def with_rig_of_box(arguments: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments, with the rig of a box in the place of the box's name. Raises ``ConfigError``.

    ``box_of_rig`` is the name of the box, if it was one.
    """
    arguments.box_of_rig = None
    if getattr(arguments, "rig", None) is not None:
        named, settings = arguments.rig, load_settings()
        arguments.rig = rig_of(named, settings)
        arguments.box_of_rig = named if named in settings.boxes.value else None
    return arguments


def box_name(arguments: argparse.Namespace, rig: str) -> str | None:
    """Return the name of the box of a session: the one of the line, or what the computer calls the box of its rig."""
    return arguments.box or arguments.box_of_rig or boxes_by_rig(load_settings()).get(rig)


def default_rig(arguments: argparse.Namespace) -> str | None:
    """Return the rig of ``rig run``; None for a rehearsal, which runs on the rig that the protocol names.

    Raises ``ConfigError`` when no rig is named, or when the computer's own rig is simulated: an animal never runs on
    a simulated rig by default.
    """
    # Every command imports this module, and most of them ask for no rig.
    from rig.boards.driver_lookup import find_driver
    from rig.session.spec.build import load_rig_spec

    rehearses = arguments.board is not None and find_driver(arguments.board).records == "simulated"
    if arguments.rig is not None or arguments.model is not None or rehearses:
        return str(arguments.rig) if arguments.rig is not None else None
    settings = load_settings()
    named = settings.default_rig
    if named.value is None:
        raise ConfigError(f"on which rig? Give --rig NAME. For every session at this computer: {HOW}")
    rig = rig_of(named.value, settings)
    driver = arguments.board or load_rig_spec(rig).board.driver
    if find_driver(driver).records == "simulated":
        raise ConfigError(
            f"{named.source}: default_rig: {named.value} is a simulated rig (driver {driver}); no animal runs on one "
            f"by default: name a real rig, or give --rig {named.value} to rehearse"
        )
    return rig
