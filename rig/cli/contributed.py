"""Commands that installed packages contribute: entry points of the group ``rig.commands``, each naming a module.

The module offers ``add_arguments(parser)`` and ``run(arguments)``, and the first line of its docstring is the
command's line of help. It is imported only when a line names the command: the entry points and that line are read as
text here, because ``importlib.metadata`` would double the time of ``rig --help``.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from rig.system.entry_point_texts import entry_point_texts, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rig.cli.argparse_ext import Parser

GROUP = "rig.commands"


def add_contributed(
    commands: argparse._SubParsersAction[Parser], words: Sequence[str] | None, *, completes: bool
) -> dict[str, str]:
    """Add a parser for each contributed command; return their lines of help. A name that is taken keeps its command.

    Only commands among the ``words`` of a line get their arguments. One that cannot be imported ends the program,
    but for a shell that ``completes`` a word.
    """
    modules = {name: module for name, module in contributed_commands().items() if name not in commands.choices}
    for name, module in modules.items():
        parser = commands.add_parser(name)
        if words is None or name in words:
            parser.runs(f"{module}:run")
            try:
                import_module(module).add_arguments(parser)
            except Exception as error:  # a laboratory's file
                if completes:
                    continue
                from rig.system.plugins import describe_user_error

                problem = describe_user_error(error, module.partition(".")[0])
                parser.error(f"command '{name}' cannot be loaded: {problem}")
    return {name: line_of_help(module) for name, module in modules.items()}


def contributed_commands() -> dict[str, str]:
    """Return the module of each contributed command, by name; what comes first on the search path counts."""
    points = entry_point_texts(GROUP, tuple(sys.path))
    return dict(sorted(dict(reversed(points)).items()))


def line_of_help(module: str) -> str:
    """Return the first line of a module's docstring as a line of help, without an import of the module."""
    path = module.replace(".", os.sep)
    for folder in sys.path:
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            for line in lines_of(os.path.join(folder, file)):
                text = line.strip().strip('"').rstrip(".")
                return text[:1].lower() + text[1:]
    return f"from {module}"
