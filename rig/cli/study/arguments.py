"""The arguments of ``rig study``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(study: Parser) -> None:
    """Add the arguments of ``rig study``."""
    what = study.add_subparsers(dest="what", metavar="WHAT", required=True)
    run = what.add_parser("run", help="run the sessions of a study, and compare its figures with the published ones")
    power = what.add_parser("power", help="how many subjects an effect needs: the power of each design")
    for command in (run, power):
        command.add_argument("study", metavar="STUDY", help="its name (rig show studies), or a YAML file")
        command.add_argument("--data", help="folder of all records (default: $RIG_DATA, or ./data)")
        command.add_argument(
            "--jobs", type=int, default=1, metavar="J", help="number of processes; results do not depend on it"
        )
        command.add_argument(
            "--scheduler",
            metavar="ADDRESS",
            help="run on the cluster of this Dask scheduler, such as tcp://10.0.0.5:8786",
        )
        command.add_argument(
            "--again",
            action="store_true",
            help="remove the sessions of arms that have changed since they ran, and run them again; also remove those "
            "of arms and subjects that the file no longer has",
        )
        command.add_argument("--to", metavar="FILE", help="write the page there, not beside the tables")
        command.add_argument("--json", action="store_true", help="print the results as JSON")
        command.add_argument("--open", action="store_true", help="open the page in a browser")
