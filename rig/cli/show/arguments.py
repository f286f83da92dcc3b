"""The arguments of ``rig show``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser, Verbs

OF_TASK = {
    "columns": ("print the columns of a protocol's tables: units, and what they hold", "task:columns"),
    "params": ("print the parameters of a protocol: defaults, units, bounds, sources in the literature", "task:params"),
}
LISTS = {
    "protocols": ("list protocols, installed or local, and their YAML files", "files:list_protocols"),
    "curricula": ("list curricula and their stages", "files:list_curricula"),
    "studies": ("list studies, their arms and how many figures they compare", "files:list_studies"),
    "models": ("list virtual subjects", "installed:plugins"),
    "boards": ("list board drivers", "installed:plugins"),
    "devices": ("list kinds of devices, and what `rig device` does with each", "installed:plugins"),
    "analyses": ("list analyses and the columns that each needs", "installed:plugins"),
    "settings": ("list the computer's own settings, and where each value comes from", "installed:settings"),
}


def add_show(show: Parser) -> None:
    """Add the lists and pages of ``rig show``, each with its arguments."""
    verbs = show.verbs("rig.cli.show", "params two_armed_bandit")
    for name, (text, function) in OF_TASK.items():
        page = verbs.add(name, text, function, "two_armed_bandit")
        page.add_argument("protocol", help="a protocol's name, its file.py:Class, or the path of a YAML file")
        add_json(page, "print them as JSON")
    _add_graph_and_schema(verbs)
    for name, (text, function) in LISTS.items():
        listing = verbs.add(name, text, function, "")
        add_json(listing, "print the list as JSON")
        if name == "protocols":
            listing.add_argument("--template", metavar="NAME", help="write NAME.py and NAME.yaml: a task to start from")
            listing.add_argument("--into", metavar="DIR", help="folder of the new files (default: the current folder)")


def _add_graph_and_schema(verbs: Verbs) -> None:
    graph = verbs.add("graph", "print the states of a protocol and their transitions", "task:graph", "two_armed_bandit")
    graph.add_argument("protocol", help="a protocol's name")
    graph.add_argument("--mermaid", action="store_true", help="print Mermaid source")
    schema = verbs.add(
        "schema",
        "print a JSON Schema for editors and scripts: of a protocol's files, rig, ...",
        "schema:run",
        "two_armed_bandit",
    )
    schema.add_argument(
        "of",
        metavar="OF",
        help="a protocol, its file.py:Class or a YAML file; rig, calibration, curriculum, subject, lab, boxes, study "
        "or summary",
    )
