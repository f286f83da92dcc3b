"""The arguments of ``rig boxes``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data, add_json, add_theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_boxes(boxes: Parser) -> None:
    """Add the verbs of ``rig boxes``, each with its arguments."""
    boxes.description = (
        "See what the boxes of a file are about to run, and open the launcher: a window with a card for each box, "
        "which starts, shows and controls their sessions. `rig run --boxes` does the same in a terminal."
    )
    verbs = boxes.verbs("rig.cli.boxes", "open mice")
    launcher = verbs.add("open", "open the launcher: start and control the boxes in a window", "open:run", "mice")
    launcher.description = (
        "Open the launcher. It asks what `rig run --boxes` asks, and shows the command that it runs. Sessions do not "
        "need it: they go on when it is closed, and it shows them again when it is opened."
    )
    show = verbs.add("show", "show animal, task, weight, valves, stock and top-up of each box", "show:run", "mice")
    for verb in (launcher, show):
        verb.add_argument("boxes", metavar="FILE", help="the name or path of a boxes file")
    launcher.add_argument(
        "--experimenter", metavar="NAME", help="who works at it (default: $RIG_EXPERIMENTER, else it asks)"
    )
    add_theme(launcher)
    add_json(show, "print it as JSON")
    for verb in (launcher, show):
        add_data(verb)
