"""The arguments of ``rig report``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(report: Parser) -> None:
    """Add the arguments of ``rig report``."""
    report.description = (
        "Write a report as one HTML file that needs no network: of sessions, of a subject over its days, or of all "
        "sessions of a day, to be signed. The records alone are read; no code of theirs is run."
    )
    report.add_argument(
        "sessions", nargs="*", metavar="SESSION", help="a session's folder, or its journal (default: the newest one)"
    )
    report.add_argument("--subject", metavar="NAME", help="report this subject over its days instead")
    report.add_argument(
        "--day", nargs="?", const="", metavar="DATE", help="report all sessions of a day instead (default: today)"
    )
    report.add_argument("--sim", action="store_true", help="with --subject: the virtual subject of this name")
    report.add_argument(
        "--to", metavar="FILE", help="write the page to this .html file (default: report.html beside the journal)"
    )
    report.add_argument("--open", action="store_true", help="open the page in the browser")
    report.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    add_data(report)
