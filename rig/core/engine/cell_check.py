"""Check the cells of a row against the types of its columns: kind, words, bounds, and times that cannot be seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict

from rig.core.close_words import closest_word
from rig.core.errors import TaskError
from rig.core.journal.writable import text_of
from rig.core.model.columns import column_types, describe_columns
from rig.core.model.reward_types import RewardSize
from rig.core.model.rows import OneOf, Row, unknown_column_text, unknown_columns

# Strict: ``True`` is no whole number, ``"1"`` is no number; an int is a number.
_STRICT = ConfigDict(strict=True, allow_inf_nan=False, arbitrary_types_allowed=True)
_MAX_SHOWN = 100
"""The most characters of a value that a message shows."""
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
_AHEAD_S = 3600.0
"""How far after the row a time of the session may lie: one in microseconds is further, from 4 ms of the session on."""
_LONGEST_S = 1e7
"""A longer time span of a trial is in another unit. Some protocols write 1e6 s for "never"."""


class WrongCell(NamedTuple):
    """A cell that its column does not accept."""

    column: str
    value: object
    wanted: str
    """What would be right, as the end of a sentence."""


class CellCheck:
    """The check of all rows of one class. Raises ``TaskError`` for a type that cannot be read or checked."""

    def __init__(self, kind: type[Row]) -> None:
        types = column_types(kind)
        self._kind = kind
        self._types = {name: types.get(name, Any) for name in kind.columns()}
        self._validate = _validator(kind.__name__, self._types)
        described = describe_columns(kind)
        is_time = {name: name == "t" or name.startswith("t_") for name in described}
        self._latest = [name for name, column in described.items() if is_time[name] and column["unit"] == "s"]
        self._spans = {
            name: _SECONDS[column["unit"]]
            for name, column in described.items()
            if column["unit"] in _SECONDS and not is_time[name]
        }

    def wrong_cells(self, row: Row, values: Mapping[str, object], now_s: float) -> Sequence[WrongCell]:
        """Return the wrong cells of a row with these values, written at a time of the session."""
        wrong = [
            WrongCell(name[:_MAX_SHOWN], value, f"a column of the row: {unknown_column_text(self._kind, name)}")
            for name, value in unknown_columns(row).items()
        ]
        try:
            self._validate(values)
        except ValidationError as error:
            wrong += self._refused(error.errors(include_url=False), values)
        except Exception as error:  # a bound that the column's type cannot have; it must not end a real session
            wrong += self._uncheckable(values, error)
        wrong += self._other_units(values, now_s)
        return wrong

    def _uncheckable(self, values: Mapping[str, object], error: Exception) -> Iterator[WrongCell]:
        """Yield the columns of which the type cannot be checked."""
        for name, hint in self._types.items():
            with suppress(ValidationError):
                try:
                    _validator(self._kind.__name__, {name: hint})(values)
                except Exception:  # also the mistakes of an object that is asked for its entries
                    yield WrongCell(name, values[name], f"a type that can be checked: {error}")

    def _refused(self, errors: Iterable[ErrorDetails], values: Mapping[str, object]) -> Iterator[WrongCell]:
        by_column: dict[str, list[ErrorDetails]] = {}
        for error in errors:
            by_column.setdefault(str(error["loc"][0]), []).append(error)
        for name, refusals in by_column.items():
            texts = list(dict.fromkeys(map(_wanted, refusals)))
            if accepts_none(self._types[name]):
                texts.append("None")
            meant = _meant(values[name], self._types[name], refusals[0]["type"])
            yield WrongCell(name, values[name], " or ".join(texts) + meant)

    def _other_units(self, values: Mapping[str, Any], now_s: float) -> Iterator[WrongCell]:
        for name in self._latest:
            value = values[name]
            if type(value) in (int, float) and now_s + _AHEAD_S < value < float("inf"):
                yield WrongCell(name, value, f"seconds of the session, now {now_s:g} s: such as .t_s, not .t_us")
        for name, seconds in self._spans.items():
            value = values[name]
            # Divided: a whole number beyond the floats can be compared, and not multiplied.
            if type(value) in (int, float) and (now_s + _LONGEST_S) / seconds < abs(value) < float("inf"):
                yield WrongCell(name, value, "a time of at most 1e7 s: is it in another unit?")


_checks: dict[type[Row], CellCheck] = {}


def cell_check(kind: type[Row]) -> CellCheck:
    """Return the check of a class of rows, compiled once. Raises ``TaskError``."""
    if kind not in _checks:
        _checks[kind] = CellCheck(kind)
    return _checks[kind]


def plain_value(value: Any) -> object:
    """Return the number, the text or the list that a value of numpy holds; any other value as it is."""
    kind = type(value)
    if kind.__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    if kind in (list, tuple) and any(type(entry).__module__ == "numpy" for entry in value):
        return kind(map(plain_value, value))
    return value


def value_text(value: object) -> str:
    """Return a value as a message shows it."""
    text = text_of(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def _validator(name: str, types: Mapping[str, object]) -> Callable[[Mapping[str, object]], object]:
    # All columns in one call: one call for each column takes several times as long.
    try:
        table = TypedDict(name, {column: _checked(hint) for column, hint in types.items()})  # type: ignore[misc]
        table.__pydantic_config__ = _STRICT  # type: ignore[attr-defined]
        return TypeAdapter(table).validator.validate_python
    except (PydanticUserError, TypeError) as error:
        text = str(error).partition("\n")[0]
        raise TaskError(f"{name}: the type of a column cannot be checked: {text}") from None


def _checked(hint: object, marks: tuple[object, ...] = ()) -> object:
    """Return the type with which pydantic checks a cell: marks of ours are converted, lists may be tuples."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _checked(arguments[0], (*arguments[1:], *marks))
    if origin in (Union, UnionType):
        return Union[tuple(_checked(member, marks) for member in arguments)]  # noqa: UP007 (made at run time)
    if hint is None or hint is NoneType:
        return None
    words = next((mark.values for mark in marks if isinstance(mark, OneOf)), ())
    if hint is str and words:
        return Literal[words]
    if origin in (tuple, list):  # JSON has lists only
        entries = tuple(_checked(entry) for entry in arguments if entry is not Ellipsis)
        hint = Sequence[Union[entries]]  # type: ignore[valid-type]  # noqa: UP007
    elif hint in (tuple, list):
        hint = Sequence[Any]
    # The bounds of a reward hold for a parameter. A cell is the sum of what was delivered, and may be 0.
    bounds = tuple(Ge(0) if isinstance(mark, RewardSize) else mark for mark in marks if not isinstance(mark, OneOf))
    return Annotated[(hint, *bounds)] if bounds else hint


_WANTED: Mapping[str, str] = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "a text",
    "bool_type": "True or False",
    "finite_number": "a finite number",
    "literal_error": "{expected}",
    "sequence_str": "a list",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
}
"""What each of pydantic's refusals wants, in our words."""


def _wanted(error: ErrorDetails) -> str:
    text = _WANTED.get(error["type"])
    facts = {key: f"{fact:g}" if isinstance(fact, float) else fact for key, fact in error.get("ctx", {}).items()}
    wanted = error["msg"].removeprefix("Input should be ") if text is None else text.format(**facts)
    wanted = wanted.replace("an instance of Sequence", "a list")
    entry = next((part for part in error["loc"][1:] if isinstance(part, int)), None)
    return wanted if entry is None else f"{wanted} as entry {entry}"


def accepts_none(hint: object) -> bool:
    """Whether a column of this type may be empty."""
    if get_origin(hint) is Annotated:
        return accepts_none(get_args(hint)[0])
    return hint in (Any, None, NoneType) or (
        get_origin(hint) in (Union, UnionType) and any(map(accepts_none, get_args(hint)))
    )


def _meant(value: object, hint: object, refusal: str) -> str:
    """Return what the author probably meant; empty if that is not known."""
    if value is None:
        return "; an empty cell needs '| None' in the column's type"
    if isinstance(value, bool):
        return "; write int(...), or bool as the column's type"
    if isinstance(value, str):
        words = [word for word in _words(hint) if word]
        near = closest_word(value.casefold(), [word.casefold() for word in words])
        return next((f"; did you mean {word!r}?" for word in words if near == word.casefold()), "")
    return next((f"; did you mean .{name}?" for name in _ATTRIBUTES.get(refusal, ()) if _has(value, name)), "")


def _has(value: object, name: str) -> bool:
    try:
        return hasattr(value, name)
    except Exception:  # the object's own mistake
        return False


_ATTRIBUTES = {"float_type": ("t_s",), "string_type": ("source", "name"), "literal_error": ("source", "name")}
"""The attributes of events and devices that a column of such a kind can hold."""


def _words(hint: object) -> Sequence[str]:
    """Return the words of a type, at any depth."""
    if isinstance(hint, OneOf):
        return hint.values
    if get_origin(hint) is Annotated:
        return [word for part in (*get_args(hint)[1:], get_args(hint)[0]) for word in _words(part)]
    if get_origin(hint) is Literal:
        return [word for word in get_args(hint) if isinstance(word, str)]
    return [word for member in get_args(hint) for word in _words(member)]
