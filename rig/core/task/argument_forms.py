"""The forms of what a protocol gives to a task's methods: edges, levels, actions, devices that a subject enters.

A wrong object is refused at the call, with what would be right: a wait for a wrong object would never end.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import FunctionType, MethodType, NoneType
from typing import Any, get_args, get_origin, get_type_hints

from rig.core.errors import TaskError
from rig.core.model.actions import Action, check_action
from rig.core.model.patterns import EdgePattern, LevelPattern, ScreenPattern

ACTIONS: tuple[type[object], ...] = get_args(Action)
EVENTS = (EdgePattern, ScreenPattern)
PATTERNS = (*EVENTS, LevelPattern)


@dataclass(frozen=True)
class Form:
    """What a method takes: in words, its types, an example, and what to do with a pattern or an action instead."""

    noun: str
    kinds: tuple[type[object], ...]
    example: str
    if_edge: str = ""
    if_level: str = ""
    if_action: str = "self.do(action) orders an action, and self.react((edge, action)) answers an edge with it"


EDGE = Form("an edge", EVENTS, "box.left.poked", if_level="an edge is a change, such as box.left.poked; self.until "
            "waits for a level")  # fmt: skip
LEVEL = Form("a level", (LevelPattern,), "box.left.free", if_edge="a level is such as box.left.free; self.first "
             "waits for an edge")  # fmt: skip
ACTION = Form(
    "an action",
    ACTIONS,
    "box.left.drop(2.5)",
    if_edge="await self.first(edge) waits for an edge",
    if_level="await self.until(level) waits for a level",
)
DEVICE = Form(
    "a device that a subject enters",
    (),
    "box.left",
    if_edge="write the device alone, such as box.left",
    if_level="write the device alone, such as box.left",
)


def check_events(what: str, patterns: Sequence[object]) -> None:
    """Check that all are edges of inputs or events of the screen. Raises ``TaskError``."""
    for pattern in patterns:
        if type(pattern) not in EVENTS:
            raise TaskError(f"{what}: {problem(type(pattern), shown(pattern), EDGE)}")


def check_levels(what: str, levels: Sequence[object]) -> None:
    """Check that all are levels of inputs. Raises ``TaskError``."""
    for level in levels:
        if type(level) is not LevelPattern:
            raise TaskError(f"{what}: {problem(type(level), shown(level), LEVEL)}")


def check_devices(what: str, devices: Sequence[object]) -> None:
    """Check that all are devices that a subject enters and leaves. Raises ``TaskError``."""
    for device in devices:
        if not hasattr(device, "on_entry"):
            raise TaskError(f"{what}: {problem(type(device), shown(device), DEVICE)}")


def check_ordered(what: str, action: Any) -> None:
    """Check that it is an action, and one that may be ordered. Raises ``TaskError``."""
    if type(action) not in ACTIONS:
        raise TaskError(f"{what}: {problem(type(action), shown(action), ACTION)}")
    check_action(action)


def check_answers(what: str, answers: Sequence[Any]) -> None:
    """Check that all are pairs of an edge and its action, and that no edge has two. Raises ``TaskError``."""
    for answer in answers:
        if type(answer) in PATTERNS or not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise TaskError(f"{what}: {not_a_pair(type(answer), shown(answer))}")
        check_events(what, answer[:1])
        check_ordered(what, answer[1])
    edges = [edge for edge, _ in answers]
    if len(set(edges)) < len(edges):
        twice = next(edge for edge in edges if edges.count(edge) > 1)
        raise TaskError(f"{what}: {twice} has two actions, and the board does one: leave one out")


def check_timed(entry: object) -> None:
    """Check that an entry of a sequence is a time and an action. Raises ``TaskError``."""
    if type(entry) in PATTERNS or not isinstance(entry, (tuple, list)) or len(entry) != 2:
        raise TaskError(f"self.sequence: {not_timed(type(entry), shown(entry))}")
    if type(entry[0]) in ACTIONS:
        raise TaskError(f"self.sequence: {NOT_TIME_FIRST}")


NOT_TIME_FIRST = "an entry begins with its time: write (seconds, action)"


def not_timed(kind: type[object], text: str) -> str:
    """Return what is wrong with an entry of a sequence that is no pair of a time and an action."""
    if kind in ACTIONS:
        return f"{text} is an action without its time: write (seconds, action), such as (0, action)"
    if issubclass(kind, list | tuple) and kind not in PATTERNS:
        return "an entry is a pair, (seconds, action): write * before a list of pairs"
    return f"{text} is {_called(kind)}, not an entry (seconds, action), such as (0, {ACTION.example})"


def not_a_pair(kind: type[object], text: str) -> str:
    """Return what is wrong with an answer that is no pair of an edge and an action."""
    if kind in ACTIONS:
        return f"{text} is an action without its edge: write ({EDGE.example}, action)"
    if kind in PATTERNS:
        return f"{text} has no action: write ({text}, action), or NOTHING as the action"
    if issubclass(kind, list | tuple):
        return "an answer is a pair of an edge and an action: write * before a list of pairs"
    remedies = suggestions(kind, text, EDGE) or [EDGE.example]
    return f"{text} is {_called(kind)}, not a pair of an edge and an action: write ({remedies[0]}, action)"


def problem(kind: type[object], text: str, form: Form) -> str:
    """Return what is wrong with an object, by its type and its words, and what would be right."""
    called = _called(kind)
    what = f"{text} is not" if text in (called, kind.__name__) else f"{text} is {called}, not"
    return f"{what} {form.noun}: {_remedy(kind, text, form)}"


def _remedy(kind: type[object], text: str, form: Form) -> str:
    if found := suggestions(kind, text, form):
        return f"write {' or '.join(found)}"
    if issubclass(kind, LevelPattern):
        text = form.if_level
    elif issubclass(kind, PATTERNS):
        text = form.if_edge
    elif kind in ACTIONS:
        text = form.if_action
    elif kind is NoneType:
        text = _WITHOUT if form is not ACTION else _NO_ACTION
    elif issubclass(kind, list | tuple | dict | set):
        text = f"give {form.noun} each, with * before what holds several"
    elif issubclass(kind, FunctionType | MethodType):
        text = f"call it: {text}(...)"
    else:
        text = ""
    return text or f"wanted such as {form.example}"


_NO_ACTION = "NOTHING is the action that does nothing; what returns None, such as light.on(), acts when it is called"
_WITHOUT = "a device has None in place of a part that the rig file does not give it"


def suggestions(kind: Any, text: str, form: Form) -> list[str]:
    """Return the members of an object that would be right, as a protocol writes them."""
    return [f"{text}.{name}" for name in _members(kind, form.kinds)]


@cache
def _members(kind: type[object], wanted: tuple[type[object], ...]) -> tuple[str, ...]:
    """Return the members of the most derived class that has any of the wanted types."""
    for base in kind.__mro__ if wanted and kind not in (*PATTERNS, *ACTIONS) else ():
        found = tuple(
            f"{name}{call}" for name, hint, call in typed_members(base) if is_kind_of(hint, wanted) and _is_named(name)
        )
        if found:
            return found
    return ()


def _is_named(name: str) -> bool:
    # `reward` is for the program, which does not know the device: a protocol names what it gives.
    return not name.startswith("_") and name != "reward"


def typed_members(base: type[object]) -> Iterator[tuple[str, object, str]]:
    """Yield the members of a class itself that have a type: the name, the type, and ``(...)`` for a method."""
    for name, hint in _hints(base).items():
        if name in inspect.get_annotations(base):
            yield name, hint, ""
    for name, member in vars(base).items():
        if isinstance(member, property) and member.fget is not None:
            yield name, _hints(member.fget).get("return"), ""
        elif inspect.isfunction(member):
            yield name, _hints(member).get("return"), "(...)"


def _hints(thing: Callable[..., object]) -> dict[str, object]:
    try:
        return get_type_hints(thing)
    except (NameError, TypeError):  # a name that is only imported for type checkers
        return {}


def is_kind_of(hint: object, wanted: tuple[type[object], ...]) -> bool:
    """Whether a type, or one of a union, is one of some types."""
    origin = get_origin(hint)
    kinds = get_args(hint) if origin not in wanted else (origin,)
    return any(kind in wanted or get_origin(kind) in wanted for kind in kinds or (hint,))


def _called(kind: type[object]) -> str:
    if issubclass(kind, LevelPattern):
        return "a level"
    if issubclass(kind, EdgePattern):
        return "an edge"
    if issubclass(kind, ScreenPattern):
        return "an event of the screen"
    if kind in ACTIONS:
        return "an action"
    if kind is NoneType:
        return "None"
    article = "an" if kind.__name__[0].lower() in "aeiou" else "a"
    return f"{article} {kind.__name__}"


def shown(value: object) -> str:
    """Return a value in a few words, a device by its name in the rig file."""
    name = getattr(value, "name", None)
    if isinstance(name, str) and not isinstance(value, type):
        return f"box.{name}"
    if isinstance(value, FunctionType | MethodType):
        return value.__name__
    text = f"'{value}'" if type(value) in (*PATTERNS, *ACTIONS) else repr(value)
    if text.startswith("<"):  # an object without words of its own
        return type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."
