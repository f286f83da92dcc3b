"""The arguments of ``rig analyze``, and the options of analyses. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rig.analysis.common.select_analysis import Found
    from rig.cli.argparse_ext import Parser

FLAG = "--analysis"


def add_analyze(analyze: Parser) -> None:
    """Add the arguments of ``rig analyze``."""
    analyze.runs("rig.cli.analyze.analyze:run", "data/M12/2026-11-21/001")
    analyze.add_argument(
        "sessions",
        nargs="+",
        metavar="SESSION",
        help="the folder of a session, a day, a subject or all data; a journal; or a CSV file that an analysis reads",
    )
    analyze.add_argument("--figures", metavar="DIR", help="write figures to this folder, as PNG")
    analyze.add_argument(
        "--pool-different",
        action="store_true",
        help="pool sessions although they differ in the code of their protocol, or in its parameters",
    )
    add_json(analyze, "print everything as JSON")
    analyze.add_argument(FLAG, metavar="NAME", help="an analysis, or ./mine.py:Mine (default: selected by the columns)")


def add_options_of_plugins(parser: Parser, words: Sequence[str], *, run_files: bool) -> None:
    """Add a group of options for each analysis that is installed, or for the one that the words of a line ask for.

    A laboratory's file is executed only if ``run_files``: a shell that completes a word executes none.
    """
    for analysis in _analyses(words, run_files):
        group = parser.add_argument_group(f"options of {analysis.kind.about}")
        for option in analysis.kind.options:
            if option.flag not in parser._option_string_actions:  # noqa: SLF001 (two analyses may share a flag)
                if option.parse is None:
                    group.add_argument(option.flag, dest=option.name, action="store_true", help=option.help)
                else:
                    group.add_argument(option.flag, dest=option.name, metavar=option.metavar, help=option.help)


def _analyses(words: Sequence[str], run_files: bool) -> Iterable[Found]:
    from rig.analysis.common.select_analysis import find_analysis, installed_analyses
    from rig.core.errors import ConfigError

    asked = _asked(words)
    if asked is None:
        return installed_analyses()
    try:
        return [find_analysis(asked)] if run_files or not (":" in asked or ".py" in asked) else []
    except ConfigError:  # the command says it, when it runs
        return installed_analyses()


def _asked(words: Sequence[str]) -> str | None:
    """Return the value of ``--analysis``, as argparse will read it."""
    for word, following in zip(words, (*words[1:], None), strict=False):
        if word == FLAG:
            return following
        if word.startswith(f"{FLAG}="):
            return word.partition("=")[2]
    return None
