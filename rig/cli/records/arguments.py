"""The arguments of ``rig report``, ``catalog``, ``replay``, ``recover`` and ``watch``.

Import nothing heavy: completion reads it.
"""

from __future__ import annotations

from rig.cli.shared_arguments import add_baud, add_data, add_json, add_window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_report(report: Parser) -> None:
    """Add the arguments of ``rig report``."""
    report.runs("rig.cli.records.report:run", "data/M12/2026-11-21/001", "--day 2026-11-21")
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
    add_json(report, "print the verdicts as JSON")
    add_data(report)


def add_catalog(catalog: Parser) -> None:
    """Add the arguments of ``rig catalog``."""
    catalog.runs("rig.cli.records.catalog:run", "--protocol two_armed_bandit_90-10 --since 2026-11-01")
    catalog.description = (
        "List the sessions of all subjects, or search them. The catalog is made from the journals, and may be deleted."
    )
    catalog.add_argument("what", nargs="?", choices=("list", "rebuild"), default="list", help="list, or make it again")
    catalog.add_argument("--subject", metavar="NAME", help="only sessions of this subject")
    catalog.add_argument("--protocol", metavar="NAME", help="only sessions of this protocol or variant")
    catalog.add_argument("--reason", metavar="REASON", help="only sessions that ended so: time_limit, fault, none, ...")
    catalog.add_argument(
        "--failed",
        action="store_true",
        help="only sessions that broke off, also if they went on, and those that ended by a fault or a panic",
    )
    catalog.add_argument(
        "--changes",
        action="store_true",
        help="only sessions whose code or parameters differ from the subject's last session of the protocol",
    )
    catalog.add_argument(
        "--since",
        metavar="DATE",
        help="only sessions of this day and later: YYYY-MM-DD, today, yesterday, or week for the last 7 days",
    )
    catalog.add_argument("--until", metavar="DATE", help="only sessions of this day and earlier, as --since")
    catalog.add_argument("--sim", action="store_true", help="sessions of virtual subjects instead")
    add_json(catalog, "print it as JSON")
    add_data(catalog)


def add_replay(replay: Parser) -> None:
    """Add the arguments of ``rig replay``."""
    replay.runs("rig.cli.records.replay:run", "data/M12/2026-11-21/001")
    replay.description = (
        "Replay sessions with the installed protocol. A laboratory's own file runs from the copy in a session's "
        "folder, only with --trust, and only if it is what was recorded."
    )
    replay.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder, or its journal")
    replay.add_argument(
        "--any-version", action="store_true", help="replay although the installed protocol is not the recorded version"
    )
    replay.add_argument("--trust", action="store_true", help="run the code in the sessions' folders; read it first")
    add_json(replay)


def add_recover(recover: Parser) -> None:
    """Add the arguments of ``rig recover``."""
    recover.runs("rig.cli.records.recover:run", "data/M12/2026-11-21/001")
    recover.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder")
    recover.add_argument(
        "--port",
        metavar="PORT",
        help="ask the session's board at this port what it gave, which settles the rewards in doubt",
    )
    add_baud(recover)
    add_json(recover)


def add_watch(watch: Parser) -> None:
    """Add the arguments of ``rig watch``."""
    watch.runs("rig.cli.records.watch:run", "--window --all")
    watch.description = (
        "Watch a session that another program runs on this computer, or one that has ended. Ctrl-C stops watching. "
        "With --window it is shown in a window: charts, lanes of all channels, and buttons for a running session. "
        "Several sessions are tabs of one window, with a wall of all of them."
    )
    watch.add_argument(
        "session",
        nargs="*",
        metavar="SESSION",
        help="a session's folder, or its journal (default: the newest one); several need --window",
    )
    watch.add_argument("--all", action="store_true", help="with --window: all sessions that run on this computer")
    watch.add_argument(
        "--boxes",
        nargs="?",
        const="",
        metavar="FILE",
        help="with --window: the boxes whose sessions `rig run --boxes` has started, or those of this file only",
    )
    add_window(watch)
    add_data(watch)
