"""``rig completion``: print the shell code for completion, and answer a shell's requests."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from rig.cli import completers
from rig.system.statuses import OK

if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser

WHERE = {
    "bash": "rig completion bash > ~/.local/share/bash-completion/completions/rig",
    "zsh": "rig completion zsh > ~/.zfunc/_rig   (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)",
    "fish": "rig completion fish > ~/.config/fish/completions/rig.fish",
    "powershell": "rig completion powershell >> $PROFILE",
}


def add_completion(completion: Parser) -> None:
    """Add the arguments of ``rig completion``."""
    completion.runs("rig.cli.completion:run", "bash")
    completion.description = "Print the shell code for completion, and the file to put it in."
    completion.add_argument("shell", choices=tuple(WHERE))


def run(arguments: argparse.Namespace) -> int:
    """Print the code for a shell, and the file to put it in."""
    from argcomplete.shell_integration import shellcode

    from rig.cli.terminal.printing import print_lines

    code = shellcode(["rig"], shell=arguments.shell).strip()
    first, _, rest = code.partition("\n")
    where = f"# To keep this: {WHERE[arguments.shell]}\n# and open a new terminal."
    # zsh recognizes a completion file by its first line.
    print_lines("\n".join((first, where, rest) if first.startswith("#compdef") else (where, code)))
    return OK


def answer(parser: argparse.ArgumentParser) -> None:
    """Send the completions of a line to the shell, and exit."""
    _when_wanted("subprocess")  # argcomplete imports it for bash file completion, which is not used here
    from argcomplete.finders import CompletionFinder

    _equip(parser)
    # List options only after a dash: names are requested more often.
    CompletionFinder()(parser, always_complete_options=False, default_completer=_nothing)  # type: ignore[arg-type]


def _nothing(**_: object) -> list[str]:
    """Return no completions, for a free value."""
    return []


def _when_wanted(name: str) -> None:
    """Schedule a module's import for its first use; this saves a fifth of the time of a completion."""
    if name in sys.modules:
        return
    stand_in = ModuleType(name)

    def get(attribute: str) -> object:
        if sys.modules[name] is stand_in:
            del sys.modules[name]
        return getattr(import_module(name), attribute)

    stand_in.__getattr__ = get  # type: ignore[method-assign]
    sys.modules[name] = stand_in


def _equip(parser: argparse.ArgumentParser) -> None:
    """Set the completer of each argument, by its name."""
    for action in parser._actions:  # noqa: SLF001 (argparse has no public access to its arguments)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for inner in action.choices.values():
                _equip(inner)
        elif action.dest in completers.OF and not hasattr(action, "completer"):
            action.completer = completers.OF[action.dest]  # type: ignore[attr-defined]
