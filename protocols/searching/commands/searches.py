"""Draw environments for searches, and export recorded searches as the tables of their studies."""

from __future__ import annotations

from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(searches: Parser) -> None:
    """Add the verbs of ``rig searches``, each with its arguments."""
    verbs = searches.verbs("protocols.searching.commands", "environments smooth environments.json")
    _add_environments(
        verbs.add(
            "environments",
            "draw environments for tasks on a grid or a line",
            "environments:run",
            "smooth environments.json",
        )
    )
    _add_export(
        verbs.add(
            "export",
            "write searches on grids as the public tables of their studies",
            "export:run",
            "data/P1/2026-11-21/001 --to searches.csv",
        )
    )


def _add_environments(environments: Parser) -> None:
    environments.description = (
        "Draw environments for tasks on a grid or a line, and write them as JSON in the form of the released data of "
        "Wu et al. (2017): x1, x2 and y of every tile, y from 0 to 1. The same kernel, size and seed give the same "
        "file. The grid bandit reads it by its parameter stored: --set params.stored.smooth=FILE."
    )
    kernel = environments.add_argument(
        "kernel",
        metavar="KERNEL",
        help="smooth, rough, length=L for exp(-d^2 / (2 L^2)), or lambda=L for exp(-d^2 / L)",
    )
    kernel.completer = _kernels  # type: ignore[attr-defined]
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


def _add_export(export: Parser) -> None:
    export.description = (
        "Write sessions of the grid bandit or the risky bandit as one public table: long, with a row per click, or "
        "wide, with a row per session and its clicks as JSON."
    )
    export.add_argument(
        "sessions",
        nargs="+",
        type=Path,
        metavar="SESSION",
        help="a session's folder, a journal, a subject's folder, or that of all subjects",
    )
    export.add_argument("--layout", choices=("long", "wide"), default="long", help="the table to write (default: long)")
    export.add_argument("--to", type=Path, required=True, metavar="FILE", help="write the table to this file")
    export.add_argument("--force", action="store_true", help="replace a file that exists")
    export.add_argument("--json", action="store_true", help="print the result as JSON")


def _kernels(**_: object) -> list[str]:
    """Return the kernels by name, and the two conventions of others, to complete a word."""
    return ["smooth", "rough", "length=", "lambda="]
