"""Serves a simulated rig at a port in real time, for other programs.

Opening the port resets the chip, as a computer does by DTR. The port knows no speeds: the chip's own end of the line
does.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from rig.boards.driver_lookup import ServedPlace
from sim_hardware.avr.leads import Leads
from sim_hardware.avr.ports import port_at
from sim_hardware.avr.rig import AvrRig
from sim_hardware.avr.scale_port import NOISE_MG, ScalePort
from sim_hardware.avr.served_port import ServedPort
from sim_hardware.world.scale import VirtualScale

SIGNAL_S = 0.2
"""A program on Windows handles Ctrl-C only between two waits."""

TERMINAL = ServedPlace()
"""A pseudo-terminal that the system names."""

T = TypeVar("T")
Life = Callable[[AvrRig], Callable[[], Coroutine[Any, Any, None]] | None]


class BoardServer:
    """A context manager that runs a rig in a thread.

    ``make(on_open)`` makes the rig, which calls ``on_open`` when a session is opened; ``life`` gives what lives in
    it from then on. ``name`` is the port that other programs open, and ``scale_name`` that of a scale under the valves.
    """

    def __init__(
        self,
        make: Callable[[Callable[[], None]], AvrRig],
        life: Life = lambda rig: None,
        place: ServedPlace = TERMINAL,
        scale: ServedPlace | None = None,
        seed: int = 0,
    ) -> None:
        self.name = ""
        self.scale_name: str | None = None
        self._place = place
        self._scale_place = scale
        self._seed = seed
        self._make = make
        self._life = life
        self._ready = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serving a board", daemon=True)
        self._failed: BaseException | None = None
        self._task: asyncio.Task[None] | None = None
        self._leads: Leads | None = None

    def __enter__(self) -> BoardServer:
        self._thread.start()
        self._ready.wait()
        if self._failed is not None:
            self._thread.join()
            raise self._failed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with suppress(RuntimeError):  # the rig has ended
            self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def wait(self) -> None:
        """Wait until the rig has ended; raise the error that ended it."""
        while not self._over.wait(SIGNAL_S):
            pass
        if self._failed is not None:
            raise self._failed

    # --- what is done to it, from any thread ------------------------------------------------------------------

    def do(self, what: Callable[[AvrRig], T]) -> T:
        """Run a function in the rig's thread, and return its result."""

        async def done() -> T:
            return what(self._rig)

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result()

    def unplug(self) -> None:
        """Remove the cable, so that the port disappears; the board keeps its power."""
        self.do(lambda rig: self._port.unplug())

    def plug(self) -> None:
        """Open a port again, as connecting the cable does."""
        self.do(lambda rig: self._plug())

    def move_leads(self, line: str) -> str:
        """Run one line of a person who moves leads and plugs; return the answer. Raises ``ConfigError``."""

        def move(rig: AvrRig) -> str:
            # Not before the first line: it records every change of an output from then on.
            self._leads = self._leads or Leads(rig, self._plug, self._port.unplug)
            return self._leads.move(line)

        return self.do(move)

    def stall(self, stalled: bool) -> None:
        """Stop to read the port, or continue."""
        self.do(lambda rig: self._port.stall(stalled))

    # --- its life ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        # A select() sleeps for microseconds where an epoll() sleeps for milliseconds.
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
            try:
                runner.run(self._serve())
            except BaseException as error:
                self._failed = error
            finally:
                self._ready.set()
        self._over.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda loop, context: self._fail(context.get("exception")))
        self._end = asyncio.Event()
        self._rig = self._make(self._opened)
        self._port: ServedPort = port_at(self._place, self)
        scale = self._open_scale()
        try:
            self._plug()
            self._ready.set()
            await self._end.wait()
        finally:
            if scale is not None:
                scale.close()
            self._port.unplug()
            self._rig.board.lockstep.stop()
            if self._task is not None:
                self._task.cancel()

    def _open_scale(self) -> ScalePort | None:
        if self._scale_place is None:
            return None
        scale = ScalePort(VirtualScale(self._rig.world, self._seed, NOISE_MG), self._scale_place)
        self.scale_name = scale.name
        return scale

    def _plug(self) -> None:
        self._port.plug()
        # Without a link, a pseudo-terminal has another name each time.
        self.name = self._port.name

    def handle_opening(self) -> None:
        """Handle that a program has opened the port: the chip is reset."""
        self._rig.transport.start(self._port.write, lambda why: None)

    def handle_bytes(self, data: bytes) -> None:
        """Handle bytes of that program."""
        self._rig.transport.write(data)

    def _opened(self) -> None:
        if self._task is not None:
            self._task.cancel()
            for place in self._rig.body.places:  # the subject may have been in one
                self._rig.body.leave(place)
        living = self._life(self._rig)
        if living is not None:
            self._task = self._loop.create_task(living())
            self._task.add_done_callback(self._subject_ended)

    def _subject_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self._fail(task.exception())

    def _fail(self, error: BaseException | None) -> None:
        if error is not None:
            self._failed = error
            self._end.set()
