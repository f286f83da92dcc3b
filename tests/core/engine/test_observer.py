"""What is told of a session, to one observer and to several."""

from __future__ import annotations

from typing import Any

import pytest

from rig.core.engine.observer import Observers, SessionObserver

EVENTS = sorted(name for name in vars(SessionObserver) if not name.startswith("_"))
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "between_trials": (),
    "on_wait": ((), None),
    "on_record": ("pecks", object()),
    "on_request": (object(), None, "why"),
}


class Taking(SessionObserver):
    """Takes down all that it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def __getattribute__(self, name: str) -> Any:
        return (lambda *args: self.told.append((name, *args))) if name in EVENTS else super().__getattribute__(name)


@pytest.mark.parametrize("event", EVENTS)
def test_every_observer_receives_every_event_in_order(event: str) -> None:
    first, second = Taking(), Taking()
    second.told = first.told
    args = ARGUMENTS.get(event, (object(),))
    getattr(Observers(first, SessionObserver(), second), event)(*args)
    assert first.told == [(event, *args), (event, *args)]
