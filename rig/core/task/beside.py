"""What a protocol has done beside its waits: at an event in every state, and after some time within a wait.

Both call a plain function. It may count, change the open trial's row, and queue orders; the wait goes on. Only states
wait, lead to other states, and begin and end trials: so the graph of the states says all that can happen.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from rig.core.engine.callbacks import Timer, Watch
from rig.core.engine.engine import Engine
from rig.core.errors import TaskError
from rig.core.model.actions import Action, check_action
from rig.core.model.events import TaskEvent
from rig.core.model.microseconds import span_us
from rig.core.model.patterns import EdgePattern, ScreenPattern
from rig.core.task.argument_forms import check_events
from rig.core.task.waits import Block, Waits

Pattern: TypeAlias = EdgePattern | ScreenPattern[Any]


class Beside:
    """The part of a task that acts beside its waits."""

    waits: Waits
    _engine: Engine

    def whenever(self, *patterns: Pattern, do: Callable[[Any], object] | Action) -> None:
        """Run a function at each of some events, in every state; ``do`` may be an action.

        It belongs in ``prepare`` and holds for the whole session. The function gets the event, whether a wait takes or
        skips it, and its task time is the time of the event. Raises ``TaskError`` outside of ``prepare``.
        """
        if not self._engine.callbacks.is_open:
            raise TaskError("self.whenever holds for the whole session: call it in prepare, and not in a state")
        if not patterns:
            raise TaskError("self.whenever: of which events? Give a pattern, such as self.box.left.poked")
        check_events("self.whenever", patterns)
        function = self._function("self.whenever", do, "the event")
        self._engine.callbacks.watch(Watch(frozenset(patterns), function))

    def after(self, seconds: float, do: Callable[[], object] | Action) -> Block[Timer]:
        """Run a function after ``seconds``, while the waits of the ``with`` block go on; ``do`` may be an action.

        They count from the start of the block, in task time. At its end a function that was not called is dropped. An
        event at exactly this time comes before it.
        """
        after_us, function = span_us(seconds, "after"), self._function("self.after", do)
        engine = self._engine

        def start() -> Timer:
            timer = Timer(engine.time.task_now_us + after_us, function)
            engine.callbacks.start(timer)
            return timer

        return Block(self.waits, "self.after", start, engine.callbacks.stop)

    def _function(self, what: str, do: object, *arguments: str) -> Callable[..., object]:
        """Return the function that does ``do``. Raises ``TaskError`` for what cannot be called so."""
        if isinstance(do, Action):
            check_action(do)
            return partial(self._do, do)
        name = getattr(do, "__qualname__", repr(do))
        if do is None:
            raise TaskError(f"{what}: do is None: give the function, such as box.left.light.on, uncalled")
        if not callable(do):
            raise TaskError(f"{what}: do is {name}: wanted an action or a function")
        if inspect.iscoroutinefunction(inspect.unwrap(do)):
            raise TaskError(f"{what}: {name} awaits: wanted a plain function; only states wait and go to other states")
        try:
            inspect.signature(do).bind(*arguments)
        except ValueError:  # a function of C without a signature
            pass
        except TypeError:
            wanted = " and ".join(arguments) or "nothing"
            raise TaskError(f"{what}: {name} is called with {wanted}, and takes something else") from None
        return partial(self._call, what, do)

    def _do(self, action: Action, *event: TaskEvent) -> None:
        self._engine.orders.put(action)

    def _call(self, what: str, function: Callable[..., object], *arguments: TaskEvent) -> None:
        returned = function(*arguments)
        name = getattr(function, "__qualname__", repr(function))
        if isinstance(returned, Action):
            raise TaskError(f"{what}: {name} returned '{returned}', an action that nothing does: self.do(...) does it")
        if hasattr(returned, "__state__"):
            raise TaskError(f"{what}: {name} returned a state: only a state goes to another one")
