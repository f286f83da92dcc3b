"""The arguments of ``rig completion``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(completion: Parser) -> None:
    """Add the arguments of ``rig completion``."""
    completion.description = "Print the shell code for completion, and the file to put it in."
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"))
