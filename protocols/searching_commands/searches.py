"""The arguments of ``rig environments``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(environments: Parser) -> None:
    """Add the arguments of ``rig environments``."""
    environments.description = (
        "Draw environments for tasks on a grid or a line, and write them as JSON in the form of the released data of "
        "Wu et al. (2017): x1, x2 and y of every tile, y from 0 to 1. The same kernel, size and seed give the same "
        "file. The grid bandit reads it by its parameter stored: --set params.stored.smooth=FILE."
    )
    environments.add_argument(
        "kernel",
        metavar="KERNEL",
        help="smooth, rough, length=L for exp(-d^2 / (2 L^2)), or lambda=L for exp(-d^2 / L)",
    )
    environments.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    environments.add_argument("--count", type=int, default=20, metavar="N", help="how many (default: 20)")
    environments.add_argument(
        "--size",
        default="11x11",
        metavar="SIZE",
        help="tiles, such as 11x11 (default), or points of a line, such as 21",
    )
    environments.add_argument(
        "--step", type=float, default=1.0, metavar="D", help="distance of neighbors in the kernel's unit (default: 1)"
    )
    environments.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    environments.add_argument("--force", action="store_true", help="replace the file if it exists")
