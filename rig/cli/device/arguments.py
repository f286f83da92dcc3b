"""The arguments of ``rig device``: the verbs of the kinds of devices. Completion reads it."""

from __future__ import annotations

from contextlib import suppress

from rig.cli.commands.shared_arguments import add_data
from rig.core.errors import ConfigError
from rig.devices.kinds import installed_kinds
from rig.maintenance.verb import Verb, verbs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig.cli.argparse_ext import Parser
    from rig.devices.base import Device


def add_arguments(device: Parser, words: Sequence[str] = ()) -> None:
    """Add the verbs, each with its arguments; also those of kinds in files, whose rigs are among ``words``."""
    try:
        verbs = verbs_of({**installed_kinds(), **_kinds_in_files(words)}.values())
    except ConfigError as error:
        device.error(str(error))
    parsers = device.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, verb in verbs.items():
        parser = parsers.add_parser(name, help=verb.help)
        parser.description = verb.description or None
        parser.set_defaults(offered=verb)
        _add_names(parser, verb)
        verb.add_arguments(parser)
        if verb.opens_board:
            parser.add_argument(
                "--board", metavar="DRIVER", help="use this driver instead of the rig file's: sim, avr, serial"
            )
            parser.add_argument("--yes", action="store_true", help="say that no animal is in the rig")
        if verb.has_records:
            add_data(parser)


def _kinds_in_files(words: Sequence[str]) -> dict[str, type[Device]]:
    """Return the kinds of the rigs that are named; a word that is none, or a rig that cannot be read, has none."""
    from rig.config import find, load_config
    from rig.config.device_kinds import kinds_in
    from rig.system.settings import load_settings, rig_of

    kinds: dict[str, type[Device]] = {}
    for word in words[2:]:
        with suppress(ConfigError):
            kinds |= kinds_in(load_config(find("rigs", rig_of(word, load_settings()))))
    return kinds


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
