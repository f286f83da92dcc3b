"""The arguments of ``rig show``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(show: Parser) -> None:
    """Add the arguments of ``rig show``."""
    what = show.add_subparsers(dest="what", metavar="WHAT", required=True)
    schema = what.add_parser(
        "schema", help="print a JSON Schema for editors and scripts: of a protocol's files, rig, ..."
    )
    schema.add_argument(
        "of",
        metavar="OF",
        help="a protocol, its file.py:Class or a YAML file; rig, calibration, curriculum, subject, lab, boxes, study "
        "or summary",
    )
    protocols = what.add_parser("protocols", help="list protocols, installed or local, and their YAML files")
    protocols.add_argument("--template", metavar="NAME", help="write NAME.py and NAME.yaml: a task to start from")
    protocols.add_argument("--into", metavar="DIR", help="folder of the new files (default: the current folder)")
    curricula = what.add_parser("curricula", help="list curricula and their stages")
    studies = what.add_parser("studies", help="list studies, their arms and how many figures they compare")
    models = what.add_parser("models", help="list virtual subjects")
    boards = what.add_parser("boards", help="list board drivers")
    analyses = what.add_parser("analyses", help="list analyses and the columns that each needs")
    for listing in (protocols, curricula, studies, models, boards, analyses):
        listing.add_argument("--json", action="store_true", help="print the list as JSON")
    settings = what.add_parser("settings", help="list the computer's own settings, and where each value comes from")
    settings.add_argument("--json", action="store_true", help="print them as JSON")
    graph = what.add_parser("graph", help="print the states of a protocol and their transitions")
    graph.add_argument("protocol", help="a protocol's name")
    graph.add_argument("--mermaid", action="store_true", help="print Mermaid source")
    columns = what.add_parser("columns", help="print the columns of a protocol's tables: units, and what they hold")
    columns.add_argument("protocol", help="a protocol's name, its file.py:Class, or the path of a YAML file")
    columns.add_argument("--json", action="store_true", help="print them as JSON")
    params = what.add_parser(
        "params", help="print the parameters of a protocol: defaults, units, bounds, sources in the literature"
    )
    params.add_argument("protocol", help="a protocol's name, its file.py:Class, or the path of a YAML file")
    params.add_argument("--json", action="store_true", help="print them as JSON")
