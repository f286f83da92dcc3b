"""The arguments of ``rig session``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_by, add_data, add_json, add_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser, Verbs


def add_session(session: Parser) -> None:
    """Add the verbs of ``rig session``, each with its arguments."""
    session.description = (
        "See and control sessions that run on this computer under your user. A session started with `rig run` can be "
        "reached until it ends. `void` and `reassign` concern a session that has ended."
    )
    verbs = session.verbs("rig.cli.session", "reward left --subject 'box a'")
    listing = verbs.add(
        "list", "list the running sessions, and those that a panic button has ended today", "list:run", ""
    )
    add_json(listing, "print the list as JSON")
    add_data(listing)
    _add_control(verbs)
    _add_attach(verbs)
    _add_corrections(verbs)


def _add_control(verbs: Verbs) -> None:
    """Add the verbs that send a request to a running session."""
    reward = verbs.add(
        "reward",
        "give one reward, within all limits of the session and the day",
        "control:reward",
        "left --subject M12",
    )
    reward.description = (
        "Give one reward of the protocol's size. It counts like any other, and is refused with the reason when a "
        "limit would be exceeded. The command waits until the board has confirmed it."
    )
    reward.add_argument("source", metavar="SOURCE", help="the device that gives it, such as left")
    note = verbs.add("note", "write a note with the time into the journal", "control:note", "he sleeps --subject M12")
    note.add_argument("text", nargs="+", metavar="TEXT", help="the note, at most 1000 characters")
    setting = verbs.add(
        "set",
        "change a parameter that the protocol marks as live, from the next trial on",
        "control:set_parameter",
        "reward_ul=3 --subject M12",
    )
    setting.description = (
        "Change a parameter of this session, from the next trial on. Only parameters that the protocol marks as live "
        "can change; without KEY=VALUE the command lists them. A value is checked as in the protocol's file. The "
        "journal keeps it, and the next session begins with the value of the file."
    )
    setting.add_argument("parameter", nargs="?", metavar="KEY=VALUE", help="the parameter, such as reward_ul=3")
    pause = verbs.add("pause", "pause the session: task time stands still", "control:pause", "--subject 'box a'")
    pause.description = (
        "Pause as soon as the task waits between two trials, or in a wait in which the session may end and no reflex "
        "is armed. Outputs are safe meanwhile. The pause does not count for the session's time. One that lasts "
        "longer than stop.max_pause_s (default: 30 minutes) ends the session."
    )
    resume = verbs.add("resume", "go on with a paused session", "control:resume", "--subject 'box a'")
    end = verbs.add("end", "end the session, as one Ctrl-C does", "control:end", "--subject 'box a'")
    for running in (reward, note, setting, pause, resume, end):
        running.add_argument(
            "--subject", metavar="NAME", help="the subject of the session, or its box; needed when several sessions run"
        )


def _add_attach(verbs: Verbs) -> None:
    attach = verbs.add(
        "attach", "show the table of several running boxes again, with its keys", "attach:run", "boxes/today.yaml"
    )
    attach.description = (
        "Take up the sessions that `rig run --boxes` has started. They go on when its table is closed, and when its "
        "program dies."
    )
    attach.add_argument("boxes", nargs="?", metavar="FILE", help="show the boxes of this file only")
    attach.add_argument(
        "--experimenter", metavar="NAME", help="who gives the top-ups (default: $RIG_EXPERIMENTER, else the login)"
    )
    add_json(attach, "print the results as JSON")
    add_data(attach)


def _add_corrections(verbs: Verbs) -> None:
    void = verbs.add(
        "void",
        "let a session, such as a test, count nowhere but in what the animal was given",
        "ended:void",
        "M12/2026-11-21/001 --reason 'a test'",
    )
    void.description = (
        "Void a session, such as a test. Its files stay, and the catalog and the pages mark it. Curricula, the next "
        "session and all numbers of performance pass it over. What it gave still counts for the animal's day."
    )
    reassign = verbs.add(
        "reassign",
        "move a session that was recorded under the wrong animal",
        "ended:reassign",
        "M12/2026-11-21/001 M13 --reason 'wrong cage' --by anna",
    )
    for ended in (void, reassign):
        ended.add_argument(
            "session", metavar="SESSION", help="its folder, or SUBJECT/DATE/NUMBER below the data folder"
        )
    void.add_argument("--undo", action="store_true", help="let a voided session count again")
    reassign.add_argument("subject", metavar="SUBJECT", help="the right subject")
    for ended in (void, reassign):
        add_reason(ended)
        add_by(ended)
        add_data(ended)
