"""What is declared of the states of a task: where each may go, and how a session may end in it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from rig.core.errors import TaskError

Next: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]
StateMethod = TypeVar("StateMethod", bound=Callable[..., Coroutine[Any, Any, Any]])


@dataclass(frozen=True)
class StateInfo:
    """What is declared of one state: where it may go, and whether a session may end in it, or with it."""

    name: str
    to: tuple[str, ...]
    can_end: bool
    doc: str
    closing: bool = False


def state(*, to: tuple[str, ...], can_end: bool = False, closing: bool = False) -> Callable[[StateMethod], StateMethod]:
    """Declare an async method to be a state that may go to the states named in ``to``.

    In a state of ``can_end`` a session ends when its time is over. Where a protocol has a ``farewell``, it goes there
    instead, and has its ``grace_s`` for it: a person is told something at the end.
    """

    def mark(method: StateMethod) -> StateMethod:
        doc = (method.__doc__ or "").strip().partition("\n")[0]
        method.__state__ = StateInfo(method.__name__, to, can_end, doc, closing)  # type: ignore[attr-defined]
        return method

    return mark


def check_states(task: str, states: Mapping[str, StateInfo]) -> None:
    """Refuse states that do not fit together. Raises ``TaskError``."""
    for info in states.values():
        for target in info.to:
            if target not in states:
                raise TaskError(
                    f"{task}.{info.name} may go to '{target}', which is not a state; the states are {', '.join(states)}"
                )
    closing_states = [info for info in states.values() if info.closing]
    if len(closing_states) > 1:
        raise TaskError(
            f"{task} has {len(closing_states)} farewells, {', '.join(info.name for info in closing_states)}: keep one"
        )
    if any(info.can_end for info in closing_states):
        raise TaskError(f"{task}.{closing_states[0].name}: a farewell is no rest, where a session would end at once")
