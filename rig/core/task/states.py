"""Declarations of a task's states: where each may go, and whether a session may end in it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from rig.core.errors import TaskError

Next: TypeAlias = Callable[[], Coroutine[object, None, Any]]
StateMethod = TypeVar("StateMethod", bound=Callable[..., Coroutine[object, None, object]])


@dataclass(frozen=True)
class StateInfo:
    """The declaration of one state: where it may go, and whether a session may end in it or with it.

    ``when`` gets the parameters: whether any session with them can enter the state.
    """

    name: str
    to: tuple[str, ...]
    can_end: bool
    doc: str
    closing: bool = False
    when: Callable[[Any], object] | None = None

    def is_used(self, params: object) -> bool:
        """Whether a session with these parameters can enter the state."""
        return self.when is None or bool(self.when(params))


def state(
    *,
    to: tuple[str, ...],
    can_end: bool = False,
    closing: bool = False,
    when: Callable[[Any], object] | None = None,
) -> Callable[[StateMethod], StateMethod]:
    """Return a decorator that declares an async method as a state; ``to`` names the states that may follow.

    When the time of the session is over during a state with ``can_end``, the session ends. If the protocol has a
    ``closing`` state, this state runs first, for at most ``grace_s``: for example, a participant reads a last page.

    A state that only some parameters use says with which: ``when=lambda params: params.laser.enabled``. Without it,
    ``rig check`` warns of a state that it could not enter.
    """

    def mark(method: StateMethod) -> StateMethod:
        doc = (method.__doc__ or "").strip().partition("\n")[0]
        method.__state__ = StateInfo(method.__name__, to, can_end, doc, closing, when)  # type: ignore[attr-defined]
        return method

    return mark


def check_states(task: str, states: Mapping[str, StateInfo]) -> None:
    """Check the declarations against each other. Raises ``TaskError``."""
    for info in states.values():
        for target in info.to:
            if target not in states:
                raise TaskError(
                    f"{task}.{info.name} may go to '{target}', which is not a state; the states are {', '.join(states)}"
                )
    closing_states = [info for info in states.values() if info.closing]
    if len(closing_states) > 1:
        names = ", ".join(info.name for info in closing_states)
        raise TaskError(f"{task} has {len(closing_states)} closing states, {names}: keep one")
    if any(info.can_end for info in closing_states):
        raise TaskError(
            f"{task}.{closing_states[0].name}: a closing state cannot have can_end=True, "
            "the session would end there at once"
        )
