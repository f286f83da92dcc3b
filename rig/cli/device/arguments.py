"""The arguments of ``rig device``: the verbs of the kinds of devices. Completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data, add_driver
from rig.core.errors import ConfigError
from rig.devices.kinds import installed_kinds
from rig.maintenance.verb import Verb, verbs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig.cli.argparse_ext import Parser


def add_arguments(device: Parser) -> None:
    """Add what all verbs share; the verbs depend on the rig of the line."""
    device.description = "Work on the devices of a rig between sessions. The class of a device declares its verbs."


def add_options_of_plugins(device: Parser, words: Sequence[str], *, run_files: bool) -> None:
    """Add the verbs of the installed kinds, each with its arguments.

    A verb that they lack is looked up in the rig of the line, which may name classes in files; such files are executed
    only with ``run_files``.
    """
    try:
        verbs = verbs_of(installed_kinds().values())
        command, what, rig, *_ = (*words, "", "", "")
        if run_files and command == "device" and what not in verbs and rig and "-" not in (what[:1], rig[:1]):
            verbs = verbs_of_rig(rig) | verbs
    except ConfigError as error:
        device.error("; ".join(error.lines))
    parsers = device.verbs("rig.cli.device", "prime 'box a' left right")
    for name, verb in sorted(verbs.items()):
        parser = parsers.add(name, verb.help, "device:run", verb.example)
        parser.description = verb.description or None
        _add_names(parser, verb)
        parser.set_defaults(verb=verb)
        verb.add_arguments(parser)
        if verb.opens_board:
            add_driver(parser)
            parser.add_argument("--yes", action="store_true", help="say that no animal is in the rig")
        if verb.has_records:
            add_data(parser)


def _add_names(parser: Parser, verb: Verb) -> None:
    several = verb.names == "rigs"
    parser.add_argument("rig", nargs="?" if several else None, help="the rig's name, or the path of its YAML file")
    if verb.names == "device":
        parser.add_argument("device", metavar="DEVICE", help="the device, such as left")
        return
    which = "its devices, such as left (default: all)" + ("; then the next rig and its devices" if several else "")
    parser.add_argument("device", nargs="*", metavar="DEVICE", help=which)
    if several:
        parser.add_argument("--all", action="store_true", help="all boxes of this computer (rig.toml)")


def verbs_of_rig(name: str) -> dict[str, Verb]:
    """Return the verbs of the devices of a rig or a box. Raises ``ConfigError``."""
    # Only a verb that is not installed needs the rig file before the line is parsed.
    from rig.session.spec.uncalibrated_rig import load_uncalibrated_rig
    from rig.system.settings import load_settings, rig_of

    devices = load_uncalibrated_rig(rig_of(name, load_settings())).devices
    return verbs_of({type(device) for device in devices.values()})
