"""A program that is killed before one of its calls, as by ``kill -9`` or a power cut."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest


class Killed(BaseException):
    """Stands in for ``kill -9``: nothing after it runs, and no handler of errors takes it."""


@dataclass
class Calls:
    """The calls that a program has made; it is killed before the one behind ``kill_at``."""

    kill_at: int
    made: int = 0
    ended: bool = False
    """Whether the program came to its end; one that goes on behind its death has swallowed it."""

    @property
    def killed(self) -> bool:
        return self.made > self.kill_at

    def counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self.made += 1
            if self.killed:
                raise Killed
            return function(*arguments, **options)

        return call


@contextmanager
def killed_before(kill_at: int, functions: dict[Any, tuple[str, ...]]) -> Iterator[Calls]:
    """Run a block whose program is killed before a call of these functions, which are named by their owners."""
    calls = Calls(kill_at)
    with pytest.MonkeyPatch.context() as patch:
        for owner, names in functions.items():
            for name in names:
                patch.setattr(owner, name, calls.counted(getattr(owner, name)))
        with suppress(Killed):
            yield calls
            calls.ended = True
