"""The arguments of ``rig subject``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.commands.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(subject: Parser) -> None:
    """Add the arguments of ``rig subject``."""
    what = subject.add_subparsers(dest="what", metavar="WHAT", required=True)
    rebuild = what.add_parser("rebuild", help="rebuild a lost state.json from the journals")
    why = what.add_parser("why", help="explain stage selection")
    why.add_argument("--curriculum", metavar="NAME", help="its name or file (default: that of the newest session)")
    why.add_argument("--json", action="store_true", help="print it as JSON")
    given = what.add_parser("given", help="record a reward given by hand, or the unknown total of a session")
    given.add_argument("subject", help="the subject's name")
    given.add_argument("amount", nargs="+", metavar="AMOUNT", help="how much: 50ul, 3pellets, 2.5s")
    given.add_argument(
        "--session", metavar="SESSION", help="record the amount for this session, such as 2026-11-21/002"
    )
    given.add_argument("--reason", required=True, metavar="WHY", help="the reason or the source; recorded")
    given.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(given)
    form = what.add_parser(
        "form", help="ask a human participant for gender, age, ethnicity and grade average; kept apart from the records"
    )
    forget = what.add_parser("forget", help="delete the answers of a participant's form; sessions are kept")
    for simulated in (rebuild, why):
        simulated.add_argument("--sim", action="store_true", help="use the simulated subject of that name")
    for of_subject in (rebuild, why, form, forget):
        of_subject.add_argument("subject", help="the subject's name")
        add_data(of_subject)
