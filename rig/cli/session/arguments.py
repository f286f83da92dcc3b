"""The arguments of ``rig session``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(session: Parser) -> None:
    """Add the sub-commands of ``rig session``, each with its arguments."""
    session.description = (
        "See and control sessions that run on this computer under your user. A session started with `rig run` can be "
        "reached until it ends. `void` and `reassign` concern a session that has ended."
    )
    what = session.add_subparsers(dest="what", metavar="WHAT", required=True)
    listing = what.add_parser("list", help="list the running sessions, and those that a panic button has ended today")
    listing.add_argument("--json", action="store_true", help="print the list as JSON")
    add_data(listing)
    _reward(what.add_parser("reward", help="give one reward, within all limits of the session and the day"))
    _note(what.add_parser("note", help="write a note with the time into the journal"))
    _set(what.add_parser("set", help="change a parameter that the protocol marks as live, from the next trial on"))
    _pause(what.add_parser("pause", help="pause the session: task time stands still"))
    _running(what.add_parser("resume", help="go on with a paused session"))
    _running(what.add_parser("end", help="end the session, as one Ctrl-C does"))
    _void(what.add_parser("void", help="let a session, such as a test, count nowhere but in what the animal was given"))
    _reassign(what.add_parser("reassign", help="move a session that was recorded under the wrong animal"))


def _reward(reward: Parser) -> None:
    reward.description = (
        "Give one reward of the protocol's size. It counts like any other, and is refused with the reason when a "
        "limit would be exceeded. The command waits until the board has confirmed it."
    )
    reward.add_argument("source", metavar="SOURCE", help="the device that gives it, such as left")
    _running(reward)


def _note(note: Parser) -> None:
    note.add_argument("text", nargs="+", metavar="TEXT", help="the note, at most 1000 characters")
    _running(note)


def _set(setting: Parser) -> None:
    setting.description = (
        "Change a parameter of this session, from the next trial on. Only parameters that the protocol marks as live "
        "can change; without KEY=VALUE the command lists them. A value is checked as in the protocol's file. The "
        "journal keeps it, and the next session begins with the value of the file."
    )
    setting.add_argument("parameter", nargs="?", metavar="KEY=VALUE", help="the parameter, such as reward_ul=3")
    _running(setting)


def _pause(pause: Parser) -> None:
    pause.description = (
        "Pause as soon as the task waits between two trials, or in a wait in which the session may end and no reflex "
        "is armed. Outputs are safe meanwhile. The pause does not count for the session's time. One that lasts "
        "longer than stop.max_pause_s (default: 30 minutes) ends the session."
    )
    _running(pause)


def _running(command: Parser) -> None:
    command.add_argument(
        "--subject", metavar="NAME", help="the subject of the session, or its box; needed when several sessions run"
    )


def _void(void: Parser) -> None:
    void.description = (
        "Void a session, such as a test. Its files stay, and the catalog and the pages mark it. Curricula, the next "
        "session and all numbers of performance pass it over. What it gave still counts for the animal's day."
    )
    void.add_argument("session", metavar="SESSION", help="its folder, or SUBJECT/DATE/NUMBER below the data folder")
    void.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded")
    void.add_argument("--undo", action="store_true", help="let a voided session count again")
    void.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(void)


def _reassign(reassign: Parser) -> None:
    reassign.add_argument("session", metavar="SESSION", help="its folder, or SUBJECT/DATE/NUMBER below the data folder")
    reassign.add_argument("subject", metavar="SUBJECT", help="the right subject")
    reassign.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded for both subjects")
    reassign.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(reassign)
