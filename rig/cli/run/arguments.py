"""The arguments of ``rig run``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_session, add_window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _ActionsContainer as Arguments

    from rig.cli.argparse_ext import Parser

RULES = {
    "weight": "no weight is known",
    "underweight": "the weight is too low",
    "overweight": "the weight is too high",
    "early": "the last session was less than min_hours ago",
    "task": "the task is unusual for the subject: its species, its training, its last sessions",
    "failed_check": "a valve failed its last check",
    "stage": "--stage chooses another stage than the curriculum",
    "daily_limit": "--daily-limit replaces a daily limit",
}
"""The rules of ``--override RULE=REASON``, each with the case in which a reason lets a session start."""


def add_run(run: Parser) -> None:
    """Add the arguments of ``rig run``."""
    run.runs(
        "rig.cli.run.session:run",
        "two_armed_bandit --rig 'box a' --subject M12",
        "free_water --subject M1 --override early='crash'",
    )
    run.description = (
        "Run a session in real time. On a simulated board the keys of the terminal are the ports: "
        "a, s, d (or the arrows) poke left, center, right; q stops. Otherwise the keys r, n, p, s and e at "
        "the running display give a reward, write a note, pause, set a parameter and end the session; `rig session` "
        "does the same from another terminal. With --boxes it starts the sessions of several boxes, each as a program "
        "of its own, and shows one table; the sessions go on without it."
    )
    groups = add_session(run)
    groups.task.add_argument(
        "--stage", metavar="NAME", help="run this stage of the curriculum; needs --override stage=REASON"
    )
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
    subject.add_argument(
        "--daily-limit",
        action="append",
        default=[],
        metavar="AMOUNT",
        help="daily limit for today: 2500ul, 400pellets, 900s; needs --override daily_limit=REASON",
    )
    cases = "; ".join(f"{rule}: {case}" for rule, case in RULES.items())
    subject.add_argument(
        "--override",
        action="append",
        default=[],
        metavar="RULE=REASON",
        help=f"run all the same, for a reason that is recorded; may be repeated. {cases}",
    )


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
    boxes.add_argument(
        "--leave",
        action="store_true",
        help="with --boxes: start the sessions and show no table; `rig session attach` shows it",
    )
    boxes.add_argument("--box", metavar="NAME", help="the name of this box, for `rig session list`; starts no display")
