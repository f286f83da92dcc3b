"""Search for analyses: those installed, and classes in a laboratory's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import isabstract
from pathlib import Path
from typing import Any, NamedTuple

from rig.analysis.common.plugin import Analysis
from rig.analysis.common.user_errors import check_class
from rig.core.errors import ConfigError
from rig.system.plugins import ANALYSES, installed_plugins, load_plugin


class Found(NamedTuple):
    """An analysis and its name."""

    name: str
    kind: type[Analysis[Any]]


def find_analysis(word: str) -> Found:
    """Return the analysis of a name, or of a reference like ``./my_analysis.py:Mine``. Raises ``ConfigError``."""
    from rig.config.user_classes import ClassFinder, is_file_reference  # `rig analyze --help` does without

    if not is_file_reference(word):
        return _installed(word)
    sought: ClassFinder[Analysis[Any]] = ClassFinder(
        what="analysis",
        noun="analysis",
        example="./my_analysis.py:Mine",
        begins="class Mine(Analysis[Session])",
        matches=lambda kind: issubclass(kind, Analysis) and not isabstract(kind),
    )
    kind, path, is_only = sought.find(word)
    check_class(kind)
    return Found(path.stem if is_only else f"{path.stem}.{kind.__name__}", kind)


def installed_analyses(on_mistake: Callable[[str], object] = lambda mistake: None) -> list[Found]:
    """Return the installed analyses; ``on_mistake`` gets the message of each one that cannot be loaded."""
    found = []
    for name in installed_plugins(ANALYSES):
        try:
            found.append(_installed(name))
        except ConfigError as error:
            on_mistake(str(error))
    return found


def _installed(name: str) -> Found:
    kind = load_plugin(ANALYSES, name)
    if not (isinstance(kind, type) and issubclass(kind, Analysis)):
        raise ConfigError(f"analysis '{name}' cannot be loaded: {kind!r} is no Analysis")
    check_class(kind)
    return Found(name, kind)


def select(
    analyses: Iterable[Found], columns: Sequence[str], *, of_file: bool = False, protocol: str = ""
) -> Found | None:
    """Return the analysis that needs the most of these columns; None if no analysis has all of its columns.

    Of several that need the same number, it is the one that names the protocol. Raises ``ConfigError`` without one.
    """
    suited = [(needed, found) for found in analyses if (needed := _suits(found, columns, of_file)) is not None]
    if not suited:
        return None
    most = max(needed for needed, _ in suited)
    best = [found for needed, found in suited if needed == most]
    named = [found for found in best if protocol in found.kind.protocols]
    best = named if len(named) == 1 else best
    if len(best) > 1:
        names = " and ".join(found.name for found in best)
        raise ConfigError(f"its columns fit {names}: choose one, such as --analysis {best[0].name}")
    return best[0]


def _suits(found: Found, columns: Sequence[str], of_file: bool) -> int | None:
    """Return the number of columns that an analysis needs; None if one of them is missing."""
    suited = (len(needed) for needed in formats(found, of_file) if set(needed) <= set(columns))
    return max(suited, default=None)


def formats(found: Found, of_file: bool) -> list[tuple[str, ...]]:
    """Return the columns of the trial table that an analysis needs, or those of each format of CSV file."""
    if not of_file:
        return [found.kind.columns]
    return [columns for columns in (found.kind.file_columns, *found.kind.other_file_columns) if columns]


def fill_tables(folder: Path, columns: Sequence[str]) -> None:
    """Write columns that are known only after the session into its tables.

    Raises ``ConfigError`` and ``RecordError``.
    """
    for _, kind in installed_analyses():
        if kind.fills and set(kind.fills) <= set(columns):
            # With default options: none were typed, the session ends by itself.
            kind({option.name: option.value(None) for option in kind.options}).fill(folder)
