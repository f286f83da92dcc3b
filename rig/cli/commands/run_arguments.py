"""The arguments of ``rig run``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.commands.shared_arguments import add_session, add_window

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    add_session(run)
    run.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="FOLDER",
        help="go on with the subject's newest session, which broke off, or with the session of this folder",
    )
    run.add_argument(
        "--boxes", metavar="FILE", help="run the sessions of several boxes: the name or path of a boxes file"
    )
    run.add_argument(
        "--only", action="append", default=[], metavar="BOX", help="with --boxes: start this box only; may be repeated"
    )
    run.add_argument(
        "--today",
        action="append",
        default=[],
        metavar="BOX.KEY=VALUE",
        help="with --boxes: an answer that would be asked for: --today box_1.weight_g=24.1",
    )
    add_window(run)
    run.add_argument("--box", metavar="NAME", help="the name of this box, for `rig session list`; starts no display")
    run.add_argument("--seed", type=int, help="random seed of the session (default: drawn; recorded in the header)")
    run.add_argument("--yes", action="store_true", help="start without confirmation of the subject")
    run.add_argument(
        "--experimenter", metavar="NAME", help="the experimenter (default: $RIG_EXPERIMENTER, else the login)"
    )
    run.add_argument("--weight-g", metavar="G", help="weight of the subject today, in grams")
    run.add_argument("--skip-weight", metavar="REASON", help="run without a weight; the reason is recorded")
    run.add_argument("--stage", metavar="NAME", help="stage of the curriculum to run instead; needs --stage-reason")
    run.add_argument("--stage-reason", metavar="WHY", help="reason for --stage; recorded")
    run.add_argument("--new", action="store_true", help="the subject is new: it has no records yet")
    run.add_argument(
        "--daily-limit",
        action="append",
        default=[],
        metavar="AMOUNT",
        help="daily limit for today: 2500ul, 400pellets, 900s",
    )
    run.add_argument("--daily-limit-reason", metavar="WHY", help="reason for --daily-limit; recorded")
    run.add_argument(
        "--allow-underweight", metavar="REASON", help="run although the weight is too low; the reason is recorded"
    )
    run.add_argument(
        "--allow-early",
        metavar="REASON",
        help="run although the last session was less than min_hours ago; the reason is recorded",
    )
    run.add_argument(
        "--allow-failed-check",
        metavar="REASON",
        help="run although a valve failed its last check; the reason is recorded",
    )
    run.add_argument(
        "--allow-overweight", metavar="REASON", help="run although the weight is too high; the reason is recorded"
    )
