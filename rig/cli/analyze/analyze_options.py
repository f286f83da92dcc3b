"""The options of ``rig analyze`` that belong to analyses."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from rig.analysis.common.select_analysis import Found, find_analysis, installed_analyses
from rig.core.errors import ConfigError

FLAG = "--analysis"


def add_options(parser: argparse.ArgumentParser, words: Sequence[str], *, run_files: bool) -> None:
    """Add a group of options for each analysis that is installed, or for the one that the words of a line ask for.

    A laboratory's file is executed only if ``run_files``: a shell that completes a word executes none.
    """
    for found in _of(words, run_files):
        group = parser.add_argument_group(f"options of {found.kind.about}")
        for option in found.kind.options:
            if option.flag not in parser._option_string_actions:  # noqa: SLF001 (two analyses may share a flag)
                if option.parse is None:
                    group.add_argument(option.flag, dest=option.name, action="store_true", help=option.help)
                else:
                    group.add_argument(option.flag, dest=option.name, metavar=option.metavar, help=option.help)


def _of(words: Sequence[str], run_files: bool) -> Iterable[Found]:
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
