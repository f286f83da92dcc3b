"""``rig completion``: what a shell needs to complete our words, and the answers when it asks."""

from __future__ import annotations

import argparse
from typing import Any

from argcomplete.completers import BaseCompleter
from argcomplete.finders import CompletionFinder
from argcomplete.shell_integration import shellcode

from rig.cli import completers
from rig.status import OK

WHERE = {
    "bash": "rig completion bash > ~/.local/share/bash-completion/completions/rig",
    "zsh": "rig completion zsh > ~/.zfunc/_rig   (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)",
    "fish": "rig completion fish > ~/.config/fish/completions/rig.fish",
    "powershell": "rig completion powershell >> $PROFILE",
}


class _Nothing(BaseCompleter):
    """Completes a value that only the person knows."""

    def __call__(self, **_: Any) -> list[str]:
        return []


def run(arguments: argparse.Namespace) -> int:
    """Print the code for a shell, and where to put it."""
    code = shellcode(["rig"], shell=arguments.shell).strip()
    first, _, rest = code.partition("\n")
    where = f"# To keep this: {WHERE[arguments.shell]}\n# and open a new terminal."
    # What zsh loads by itself is known by its first line.
    print("\n".join((first, where, rest) if first.startswith("#compdef") else (where, code)))
    return OK


def answer(parser: argparse.ArgumentParser) -> None:
    """Tell the shell how its line may go on, and exit."""
    _equip(parser)
    # Options come after a dash, and not between the names that are asked for most.
    CompletionFinder()(parser, always_complete_options=False, default_completer=_Nothing())


def _equip(parser: argparse.ArgumentParser) -> None:
    """Give each argument what completes it, by its name."""
    for action in parser._actions:  # noqa: SLF001 (argparse has no other way to its arguments)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for inner in action.choices.values():
                _equip(inner)
        elif action.dest in completers.OF:
            action.completer = completers.OF[action.dest]  # type: ignore[attr-defined]
