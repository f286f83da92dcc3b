"""The arguments of ``rig check``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data, add_driver, add_facts, add_json, add_params, add_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_check(check: Parser) -> None:
    """Add the arguments of ``rig check``."""
    check.runs("rig.cli.check.check:run", "two_armed_bandit --rig 'box a'")
    check.description = (
        "Find every mistake in protocol, rig and calibration files, and rehearse each protocol: virtual subjects "
        "play it until they have entered every state. Nothing is written and no board is touched."
    )
    check.add_argument("files", nargs="*", metavar="FILE", help="YAML files, or names of shipped ones")
    check.add_argument(
        "--explain", nargs="?", const="", metavar="KEY", help="print the source of a value; of all values without KEY"
    )
    check.add_argument("--rig", help="check the protocols on this rig")
    add_driver(check)
    add_set(check)
    check.add_argument("--model", metavar="NAME", help="the virtual subject that plays first")
    add_params(check)
    check.add_argument("--subject", metavar="NAME", help="rehearse with what the records say of this subject")
    add_facts(check)
    add_data(check)
    check.add_argument("--strict", action="store_true", help="treat every warning as a mistake, with exit status 2")
    check.add_argument("--start", metavar="ISO", help="the date for the age of calibrations (default: today)")
    add_json(check)
