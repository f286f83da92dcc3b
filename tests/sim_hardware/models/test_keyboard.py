"""A person at the keyboard: keys become pokes, and the terminal is left as it was."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec
from sim_hardware import loop as virtual
from sim_hardware.models import keyboard
from sim_hardware.models.base import ModelParams
from sim_hardware.models.keyboard import KeyboardSubject
from sim_hardware.world.body import Body
from sim_hardware.world.world import World

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is needed")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Put a pseudo-terminal where the keys are read; give its other end."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "rb", buffering=0) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield ours
    os.close(ours)


@pytest.mark.real_time
def test_keys_are_pokes_and_the_terminal_is_left_as_it_was(
    plan: RigSpec, terminal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import termios

    monkeypatch.setattr(keyboard, "POKE_S", 0.01)
    stopped: list[int] = []
    monkeypatch.setattr(signal, "pthread_kill", lambda thread, number: stopped.append(number))
    pins: list[tuple[int, int]] = []

    async def main() -> None:
        world = World(plan, lambda: 0, drive=lambda pin, level: pins.append((pin, level)))
        life = asyncio.create_task(KeyboardSubject(ModelParams()).live(Body(world, running(), 0)))
        await asyncio.sleep(0.01)
        os.write(terminal, b"a\x1b[Cxaq")
        async with asyncio.timeout(5.0):
            while len(pins) < 4:  # noqa: ASYNC110 - a real terminal has no future to wait on
                await asyncio.sleep(0.005)
        life.cancel()
        await asyncio.gather(life, return_exceptions=True)

    before = termios.tcgetattr(sys.stdin.fileno())
    asyncio.run(main())
    assert termios.tcgetattr(sys.stdin.fileno()) == before
    assert pins[:2] == [(2, 1), (7, 1)]  # the second `a` came while the nose was still in
    assert sorted(pins[2:]) == [(2, 0), (7, 0)]
    assert stopped == [signal.SIGINT]


def test_a_person_cannot_live_in_virtual_time(plan: RigSpec) -> None:
    async def main() -> Any:
        await KeyboardSubject(ModelParams()).live(Body(World(plan, lambda: 0), running(), 0))

    with pytest.raises(ConfigError, match="real time"):
        virtual.run(main())
