"""Faults of a laboratory's analysis, told with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import getsourcefile, getsourcelines, signature
from typing import Any

from rig.analysis.common.plugin import Analysis, Option
from rig.core.errors import ConfigError, RigError
from rig.system.plugins import describe_user_error, user_code_line


def check_class(kind: type[Analysis[Any]]) -> None:
    """Check what a class of analysis says of itself. Raises ``ConfigError`` with every mistake, at the class's line."""
    if mistakes := list(_mistakes(kind)):
        raise ConfigError(*(f"{_place(kind)}{kind.__name__}: {mistake}" for mistake in mistakes))


@contextmanager
def blamed(kind: type[Analysis[Any]]) -> Iterator[None]:
    """Raise ``ConfigError`` with file and line for an error of the code of an analysis that is not ours."""
    try:
        yield
    except (RigError, OSError):
        raise
    except Exception as error:
        package = kind.__module__.partition(".")[0]
        if user_code_line(error, package) is None:
            raise
        raise ConfigError(describe_user_error(error, package)) from error


def _mistakes(kind: type[Analysis[Any]]) -> Iterator[str]:
    if not isinstance(getattr(kind, "about", None), str):
        yield 'has no about: wanted what completes "options of", such as about = "licks"'
    if not _are(getattr(kind, "columns", None), str):
        yield 'has no columns: wanted those of the trial table that it needs, such as columns = ("outcome",)'
    if not _are(kind.options, Option):
        yield 'its options are no options: wanted such as options = (Option("--least", "leave out fewer trials"),)'
    try:
        signature(kind.report).bind(None, (), fits=True)
    except TypeError as error:
        yield f"report: {error}: wanted report(self, sources, *, fits)"


def _are(values: object, kind: type) -> bool:
    return (
        isinstance(values, Sequence) and not isinstance(values, str) and all(isinstance(each, kind) for each in values)
    )


def _place(kind: type) -> str:
    try:
        return f"{getsourcefile(kind)}:{getsourcelines(kind)[1]}: "
    except (OSError, TypeError):  # of a file that is gone
        return ""
