"""The arguments of ``rig study``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_jobs, add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_study(study: Parser) -> None:
    """Add the verbs of ``rig study``, each with its arguments."""
    verbs = study.verbs("rig.cli.study", "run first_study")
    run = verbs.add(
        "run",
        "run the sessions of a study, and compare its figures with the published ones",
        "study:run",
        "first_study",
    )
    power = verbs.add(
        "power", "how many subjects an effect needs: the power of each design", "study:run", "first_study"
    )
    for verb in (run, power):
        _add_run_options(verb)
    compare = verbs.add(
        "compare",
        "print the verdicts of several runs side by side, and which of them differ",
        "compare:run",
        "seed-1.json seed-2.json",
    )
    compare.add_argument("results", metavar="RESULTS", nargs="+", help="what `rig study run --json` printed: a file")


def _add_run_options(verb: Parser) -> None:
    verb.add_argument("study", metavar="STUDY", help="its name (rig show studies), or a YAML file")
    verb.add_argument("--data", help="folder of all records (default: $RIG_DATA, or ./data)")
    verb.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="random seed in place of the file's; the results lie in a folder of their own, STUDY-seed-N",
    )
    add_jobs(verb)
    verb.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="run on the cluster of this Dask scheduler, such as tcp://10.0.0.5:8786",
    )
    verb.add_argument(
        "--again",
        action="store_true",
        help="remove the sessions of arms that have changed since they ran, and run them again; also remove those "
        "of arms and subjects that the file no longer has",
    )
    verb.add_argument("--to", metavar="FILE", help="write the page there, not beside the tables")
    add_json(verb, "print the results as JSON")
    verb.add_argument("--open", action="store_true", help="open the page in a browser")
