"""Errors in a laboratory's own analysis, reported with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import getsourcefile, getsourcelines, signature
from typing import Any

from rig.analysis.common.plugin import Analysis, Option
from rig.core.errors import ConfigError, RigError
from rig.system.plugins import describe_user_error, user_code_line


def check_class(kind: type[Analysis[Any]]) -> None:
    """Check the attributes of an analysis class. Raises ``ConfigError`` with every mistake, at its line."""
    if mistakes := list(_mistakes(kind)):
        raise ConfigError(*(f"{_place(kind)}{kind.__name__}: {mistake}" for mistake in mistakes))


@contextmanager
def located_user_errors(kind: type[Analysis[Any]]) -> Iterator[None]:
    """Convert an exception in the code of a laboratory's analysis to ``ConfigError`` with file and line."""
    try:
        yield
    # These already name a file, or are of the disk. Errors outside the laboratory's own lines are bugs of ``rig`` and
    # keep their traceback.
    except (RigError, OSError):
        raise
    except (Exception, SystemExit) as error:
        package = kind.__module__.partition(".")[0]
        if user_code_line(error, package) is None:
            raise
        raise ConfigError(describe_user_error(error, package)) from error


def _mistakes(kind: type[Analysis[Any]]) -> Iterator[str]:
    if not isinstance(getattr(kind, "about", None), str):
        yield 'has no about: wanted the words after "options of", such as about = "licks"'
    if not _all_of_type(getattr(kind, "columns", None), str):
        yield 'has no columns: wanted the columns of the trial table that it needs, such as columns = ("outcome",)'
    if not _all_of_type(kind.options, Option):
        yield 'its options are not a tuple of Option: wanted options = (Option("--least", "exclude fewer trials"),)'
    try:
        signature(kind.report).bind(None, (), fits=True)
    except TypeError as error:
        yield f"report: {error}: wanted report(self, sources, *, fits)"


def _all_of_type(values: object, kind: type) -> bool:
    return (
        isinstance(values, Sequence) and not isinstance(values, str) and all(isinstance(item, kind) for item in values)
    )


def _place(kind: type) -> str:
    try:
        return f"{getsourcefile(kind)}:{getsourcelines(kind)[1]}: "
    except (OSError, TypeError):  # of a file that is gone
        return ""
