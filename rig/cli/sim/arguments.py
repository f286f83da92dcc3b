"""The arguments of ``rig sim`` and ``rig demo``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data, add_facts, add_jobs, add_session, add_window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_sim(sim: Parser) -> None:
    """Add the arguments of ``rig sim``."""
    sim.runs("rig.cli.sim.sim:run", "two_armed_bandit --model rflr --seed 1")
    add_session(sim)
    sim.add_argument(
        "--seed", type=int, default=1, help="random seed of the campaign; a single session uses it directly"
    )
    sim.add_argument("--subjects", type=int, metavar="N", help="number of subjects, named sim001, sim002, ...")
    sim.add_argument(
        *("--sessions", "--days"),
        type=int,
        default=1,
        metavar="N",
        help="sessions per subject, on consecutive days; without --subject or --subjects, each has a new subject",
    )
    sim.add_argument(
        "--start-day", type=int, default=1, metavar="N", help="first day to run, to continue a campaign (default: 1)"
    )
    add_jobs(sim)
    add_facts(sim)
    sim.add_argument("--speed", default="max", help="max, or how many times real time (default: max)")


def add_demo(demo: Parser) -> None:
    """Add the arguments of ``rig demo``."""
    demo.runs("rig.cli.sim.demo:run", "", "--window")
    demo.description = (
        "Run a session of a virtual mouse on the live display, and write its report. At a desktop you are asked "
        "whether the browser should open it. With --window, watch the session in the window at 20 times real time."
    )
    add_data(demo)
    demo.add_argument("--seed", type=int, default=1, help="random seed of the session (default: 1)")
    demo.add_argument("--speed", help="max, or how many times real time (default: 600; with --window: 20)")
    add_window(demo)
