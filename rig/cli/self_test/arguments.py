"""The arguments of ``rig self-test``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_self_test(self_test: Parser) -> None:
    """Add the arguments of ``rig self-test``."""
    self_test.runs("rig.cli.self_test.self_test:run", "", "--data data --data /mnt/box2 --last 3")
    self_test.description = (
        "Replay the sessions that this program ships, one of each protocol, and the newest sessions of your records. "
        "Name what this computer lacks, what that gives, and how to get it. Nothing is written, no port is opened, and "
        "no code of a journal's folder runs. The exit status is 1 if a replay differs, 3 if sessions cannot run here."
    )
    self_test.add_argument(
        "--data",
        action="append",
        metavar="DIR",
        help="folder of records; may be given again (default: $RIG_DATA, else that of rig.toml, else ./data)",
    )
    self_test.add_argument(
        "--last",
        type=int,
        default=10,
        metavar="N",
        help="how many sessions of each folder, of real and of virtual subjects each (default: 10)",
    )
    add_json(self_test)
