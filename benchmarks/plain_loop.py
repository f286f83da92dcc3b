"""The least that the model of ``simpy_model`` needs to run: generators, a heap of times, and a queue of what is ready.

It has SimPy's names and nothing else of it, so that the same model runs on both, and a benchmark tells what a session
costs relative to about the shortest loop there is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from heapq import heappop, heappush
from typing import Any, Generic, TypeVar

from simpy import Interrupt

T = TypeVar("T")
Steps = Generator["Event", Any, Any]


class Event:
    """Something that happens once, and then resumes the processes that wait for it."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.triggered = False
        self.value: Any = None
        self.waiting: list[Process | FirstOf] = []

    def succeed(self, value: Any = None) -> None:
        """End the wait of those who wait for it; a second time does nothing."""
        if self.triggered:
            return
        self.triggered, self.value = True, value
        for each in self.waiting:
            each.on_event(self)

    def cancel(self) -> None:
        """Cancel it: it never happens."""
        self.triggered = True

    def __or__(self, other: Event) -> FirstOf:
        """Return the event that happens with the first of both."""
        return FirstOf(self.env, self, other)


class FirstOf(Event):
    """The first of some events."""

    def __init__(self, env: Environment, *events: Event) -> None:
        super().__init__(env)
        for event in events:
            if event.triggered:
                self.succeed()
            event.waiting.append(self)

    def on_event(self, event: Event) -> None:
        """Handle one of them."""
        self.succeed()


class Process(Event):
    """A generator that yields the events for which it waits; it happens when the generator ends."""

    def __init__(self, env: Environment, steps: Steps) -> None:
        super().__init__(env)
        self._steps = steps
        self._awaited: Event | None = None
        env.ready.append((self, None))

    def on_event(self, event: Event) -> None:
        """Queue the rest of the process for this instant, behind what is ready already."""
        self.env.ready.append((self, event))

    def interrupt(self) -> None:
        """Raise ``Interrupt`` in it, wherever it waits."""
        self._awaited = None
        try:
            self._steps.throw(Interrupt(None))
        except StopIteration:
            self.succeed()

    def go_on(self, event: Event | None) -> None:
        """Run to the next event, unless it waits for another one by now."""
        if event is not self._awaited:
            return
        try:
            self._awaited = self._steps.send(None if event is None else event.value)
        except StopIteration:
            self.succeed()
            return
        if self._awaited.triggered:
            self.env.ready.append((self, self._awaited))
        else:
            self._awaited.waiting.append(self)


class Store(Generic[T]):
    """Things in their order."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._things: deque[T] = deque()
        self._wanted: deque[Event] = deque()

    def put(self, thing: T) -> None:
        """Send a thing to who waits longest, or keep it."""
        while self._wanted:
            first = self._wanted.popleft()
            if not first.triggered:
                first.succeed(thing)
                return
        self._things.append(thing)

    def get(self) -> Event:
        """Return the event of the next thing."""
        event = Event(self._env)
        if self._things:
            event.succeed(self._things.popleft())
        else:
            self._wanted.append(event)
        return event


class Environment:
    """The loop, and its time."""

    def __init__(self) -> None:
        self.now = 0
        self.ready: deque[tuple[Process, Event | None]] = deque()
        self._due: list[tuple[int, int, Event]] = []
        self._count = 0

    def event(self) -> Event:
        """Return an event that a process triggers."""
        return Event(self)

    def timeout(self, delay: int) -> Event:
        """Return an event that happens later."""
        event = Event(self)
        self._count += 1
        heappush(self._due, (self.now + delay, self._count, event))
        return event

    def process(self, steps: Steps) -> Process:
        """Start a process."""
        return Process(self, steps)

    def run(self, until: Event) -> None:
        """Run until an event has happened."""
        while not until.triggered:
            while self.ready:
                process, event = self.ready.popleft()
                process.go_on(event)
            if self._due and not until.triggered:
                self.now, _, event = heappop(self._due)
                event.succeed()
