"""What is installed by name, and whose line it is when a user's Python fails.

Protocols, boards, virtual subjects and analyses are entry points, ours and a laboratory's alike.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from rig.core.close_words import closest_word
from rig.core.errors import ConfigError, TaskError
from rig.system.entry_point_texts import entry_point_texts

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

PROTOCOLS = "rig.protocols"
BOARDS = "rig.boards"
MODELS = "rig.models"
ANALYSES = "rig.analyses"
DEVICES = "rig.devices"

_SINGULAR = {PROTOCOLS: "protocol", BOARDS: "driver", MODELS: "model", ANALYSES: "analysis", DEVICES: "device"}
_PACKAGE = Path(__file__).parents[1]
_LIBRARIES = tuple(
    Path(path) for name in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_path(name))
)


def installed_plugins(group: str) -> dict[str, EntryPoint]:
    """Return what is installed in a group, by name."""
    points = read_entry_points(group, tuple(sys.path))
    return {point.name: point for point in sorted(points, key=lambda point: point.name)}


@lru_cache
def read_entry_points(group: str, path: tuple[str, ...]) -> Iterable[EntryPoint]:
    """Return what is installed in a group along a search path."""
    return _select_along(path)(group=group)


@lru_cache
def _select_along(path: tuple[str, ...]) -> Callable[..., EntryPoints]:
    """Read what is installed along a search path, once: a file of every distribution is opened for it."""
    return entry_points().select  # of the groups in Python 3.11, later of all entry points


def origin(point: EntryPoint) -> str:
    """Return which distribution an entry point is from."""
    return "installed" if point.dist is None else f"installed ({point.dist.name} {point.dist.version})"


def load_plugin(group: str, name: str) -> Any:
    """Load what is installed under a name.

    Raises ``ConfigError``: with the names that there are, or with the file and line at which a user's Python fails.
    """
    from rig.terminal.output import multiline_output  # a word is completed without it

    found = installed_plugins(group)
    if name not in found:
        raise ConfigError(not_installed_text(group, name, found))
    _check_offered_once(group, name)
    try:
        with redirect_stdout(multiline_output(sys.stderr)):  # what it prints is no part of what we were asked for
            return found[name].load()
    except (Exception, SystemExit) as error:
        problem = describe_user_error(error, found[name].module.partition(".")[0])
        raise ConfigError(f"{_SINGULAR[group]} '{name}' cannot be loaded: {problem}") from error


def _check_offered_once(group: str, name: str) -> None:
    """Raise ``ConfigError`` if two packages offer two things under one name: neither may replace the other unseen."""
    points = read_entry_points(group, tuple(sys.path))
    offers = {point.value: point for point in points if point.name == name}
    if len(offers) > 1:  # only now: to read the name of a package takes a millisecond
        packages = " and ".join(sorted(point.dist.name if point.dist else value for value, point in offers.items()))
        raise ConfigError(f"{_SINGULAR[group]} '{name}' is offered by {packages}: rename one, or uninstall its package")


def not_installed_text(group: str, name: str, there: Iterable[str]) -> str:
    """Return the message that a name is not installed, with the one probably meant and all that are there."""
    near = closest_word(name, there)
    hint = "." if near is None else f"; did you mean '{near}'?"
    return f"{_SINGULAR[group]} '{name}' is not installed{hint} There are: {', '.join(sorted(there))}"


def describe_user_error(error: BaseException, package: str = "") -> str:
    """Return what went wrong in a user's Python, and on which of their lines: ``my_task.py:41: KeyError: 'left'``.

    ``package`` is theirs too, wherever it is installed.
    """
    if isinstance(error, SyntaxError) and error.filename is not None:
        return syntax_error_text(error.filename, error)
    where = user_code_line(error, package)
    text = str(error) if isinstance(error, ConfigError) else f"{type(error).__name__}: {first_line(error)}"
    if misplaced := _NO_DEFAULT.search(text):
        text = (
            f"'{misplaced[1]}' has no default, and a field above it has one: write it above, give it a default, "
            "or write @dataclass(kw_only=True)"
        )
    return f"{where[0]}:{where[1]}: {text}" if where else text


def syntax_error_text(file: str, error: SyntaxError) -> str:
    """Return place and words of a mistake of syntax; bytes that are no text have no line."""
    line = f":{error.lineno}" if error.lineno else ""
    return f"{file}{line}: {type(error).__name__}: {error.msg}"


_NO_DEFAULT = re.compile(r"TypeError: non-default argument '(\w+)' follows default argument")
"""How ``@dataclass`` refuses the order of a class's fields."""


def in_user_code(frame: FrameType | None) -> bool:
    """Whether a frame runs a user's Python, or a library's for it, and nothing of ours."""
    while frame is not None:
        file = frame.f_code.co_filename
        if is_package_file(file) or is_user_file(file):
            return not is_package_file(file)
        frame = frame.f_back
    return False


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text: libraries add links and advice to theirs.

    That of pydantic only counts the mistakes, so each refused value is told in its place.
    """
    from pydantic import ValidationError  # a word is completed without it

    if isinstance(error, ValidationError):
        return "; ".join(_refused_value(error.title, refusal) for refusal in error.errors(include_url=False))
    return (str(error).splitlines() or [""])[0]


def _refused_value(model: str, refusal: ErrorDetails) -> str:
    field = ".".join(map(str, (model, *refusal["loc"])))
    wanted = refusal["msg"].removeprefix(_WANTED)
    if wanted == refusal["msg"]:  # such as: Field required
        return f"{field}: {wanted}"
    return f"{field} is {refusal['input']!r:.60}, wanted {wanted}"


_WANTED = "Input should be "
"""How pydantic begins what would be right."""


def user_code_line(error: BaseException, package: str = "") -> tuple[str, int] | None:
    """Return file and number of the innermost line that is neither ours nor a library's, or is of ``package``."""
    location = error.where if isinstance(error, TaskError) else None
    trace = error.__traceback__ if location is None else None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_user_file(file) or (package and package in Path(file).parts and not is_package_file(file)):
            location = file, trace.tb_lineno
        trace = trace.tb_next
    return location


def is_package_file(file: str) -> bool:
    """Whether a file of Python is of this package."""
    return Path(file).is_relative_to(_PACKAGE)


def is_user_file(file: str) -> bool:
    """Whether a file of Python is neither ours nor a library's; a package that contributes to ``rig`` is no library."""
    return file != sys.argv[0] and _is_users(file)


@cache
def _is_users(file: str) -> bool:  # a rehearsal asks it of each frame for each batch
    if file.startswith("<"):
        return False
    path = Path(file)
    if is_package_file(file):
        return False
    if "protocols" in (path.parent.name, path.parent.parent.name):  # also an installed one, in its room
        return True
    inside = [path.relative_to(folder).parts[0] for folder in _LIBRARIES if path.is_relative_to(folder)]
    return not inside or any(name.removesuffix(".py") in _contributing(tuple(sys.path)) for name in inside)


@lru_cache
def _contributing(path: tuple[str, ...]) -> frozenset[str]:
    """Return the top-level packages of what is installed for protocols, models, analyses and devices."""
    points = (point for group in _SINGULAR for point in entry_point_texts(group, path))
    return frozenset(value.partition(":")[0].partition(".")[0] for _, value in points) - {_PACKAGE.name}
