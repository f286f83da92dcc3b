"""The arguments of ``rig run``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_session, add_window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _ActionsContainer as Arguments

    from rig.cli.argparse_ext import Parser


def add_arguments(run: Parser) -> None:
    """Add the arguments of ``rig run``."""
    run.description = (
        "Run a session in real time. On a simulated board the keys of the terminal are the ports: "
        "a, s, d (or the arrows) poke left, center, right; q stops. Otherwise the keys r, n, p, s and e at "
        "the running display give a reward, write a note, pause, set a parameter and end the session; `rig session` "
        "does the same from another terminal. With --boxes it starts the sessions of several boxes, each as a program "
        "of its own, and shows one table; the sessions go on without it."
    )
    groups = add_session(run)
    groups.task.add_argument("--stage", metavar="NAME", help="run this stage of the curriculum; needs --stage-reason")
    groups.task.add_argument("--stage-reason", metavar="WHY", help="reason for --stage; recorded")
    _add_subject(groups.subject)
    groups.virtual.add_argument(
        "--seed", type=int, help="random seed of the session (default: drawn; recorded in the header)"
    )
    groups.records.add_argument(
        "--experimenter", metavar="NAME", help="the experimenter (default: $RIG_EXPERIMENTER, else the login)"
    )
    add_window(groups.records)
    run.add_argument_group("a session that broke off").add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="FOLDER",
        help="go on with the subject's newest session, which broke off, or with the session of this folder",
    )
    _add_boxes(run.add_argument_group("several boxes"))


def _add_subject(subject: Arguments) -> None:
    """Add what a person says of the subject today."""
    subject.add_argument("--new", action="store_true", help="the subject is new: it has no records yet")
    subject.add_argument("--yes", action="store_true", help="start without confirmation of the subject")
    subject.add_argument("--weight-g", metavar="G", help="weight of the subject today, in grams")
    subject.add_argument("--skip-weight", metavar="REASON", help="run without a weight; recorded")
    for option, why in (
        ("--allow-underweight", "the weight is too low"),
        ("--allow-overweight", "the weight is too high"),
        ("--allow-early", "the last session was less than min_hours ago"),
        ("--other-task", "the task is unusual for the subject: its species, its training, its last sessions"),
        ("--allow-failed-check", "a valve failed its last check"),
    ):
        subject.add_argument(option, metavar="REASON", help=f"run although {why}; recorded")
    subject.add_argument(
        "--daily-limit",
        action="append",
        default=[],
        metavar="AMOUNT",
        help="daily limit for today: 2500ul, 400pellets, 900s",
    )
    subject.add_argument("--daily-limit-reason", metavar="WHY", help="reason for --daily-limit; recorded")


def _add_boxes(boxes: Arguments) -> None:
    boxes.add_argument(
        "--boxes", metavar="FILE", help="run the sessions of several boxes: the name or path of a boxes file"
    )
    boxes.add_argument(
        "--only", action="append", default=[], metavar="BOX", help="with --boxes: start this box only; may be repeated"
    )
    boxes.add_argument(
        "--today",
        action="append",
        default=[],
        metavar="BOX.KEY=VALUE",
        help="with --boxes: an answer that would be asked for: --today box_1.weight_g=24.1",
    )
    boxes.add_argument("--box", metavar="NAME", help="the name of this box, for `rig session list`; starts no display")
