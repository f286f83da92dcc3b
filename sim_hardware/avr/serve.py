"""Serves a simulated rig at a pseudo-terminal in real time, for programs that open a serial port.

Opening the port resets the chip, as a computer does by DTR; a pseudo-terminal does not report that, but hangs up as
long as no one has it open. It knows no speeds: the chip's own end of the line does.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from sim_hardware.avr.leads import Leads
from sim_hardware.avr.pseudo_port import close_port, is_open_elsewhere, open_port
from sim_hardware.avr.rig import AvrRig
from sim_hardware.avr.scale_port import NOISE_MG, ScalePort
from sim_hardware.world.scale import VirtualScale

POLL_S = 0.01
"""Period of the check whether a program has opened the port."""
READ_BYTES = 4096

T = TypeVar("T")
Life = Callable[[AvrRig], Callable[[], Coroutine[Any, Any, None]] | None]


class PtyServer:
    """A context manager that runs a rig in a thread.

    ``make(on_open)`` makes the rig, which calls ``on_open`` when a session is opened; ``life`` gives what lives in
    it from then on. ``path`` is the port, or ``link`` if there is to be one: under that name the port comes back when
    it has been unplugged. ``scale`` is the name of a second port, for a scale under the valves.
    """

    def __init__(
        self,
        make: Callable[[Callable[[], None]], AvrRig],
        life: Life = lambda rig: None,
        link: Path | None = None,
        scale: Path | None = None,
        seed: int = 0,
    ) -> None:
        self.path = link or Path()
        self._link = link
        self._scale_link = scale
        self._seed = seed
        self._make = make
        self._life = life
        self._ready = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serving a board", daemon=True)
        self._failed: BaseException | None = None
        self._port: int | None = None
        self._name = Path()
        self._port_is_open = False  # a program has it open
        self._reading = False
        self._stalled = False
        self._task: asyncio.Task[None] | None = None
        self._leads: Leads | None = None

    def __enter__(self) -> PtyServer:
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
        self._over.wait()
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
        self.do(lambda rig: self._unplug())

    def plug(self) -> None:
        """Open a port again, as connecting the cable does."""
        self.do(lambda rig: self._plug())

    def move_leads(self, line: str) -> str:
        """Run one line of a person who moves leads and plugs; return the answer. Raises ``ConfigError``."""

        def move(rig: AvrRig) -> str:
            # Not before the first line: it records every change of an output from then on.
            self._leads = self._leads or Leads(rig, self._plug, self._unplug)
            return self._leads.move(line)

        return self.do(move)

    def stall(self, stalled: bool) -> None:
        """Stop to read the port, or continue."""
        self.do(lambda rig: self._stall(stalled))

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
        scale = self._open_scale()
        try:
            self._plug()
            self._ready.set()
            await self._end.wait()
        finally:
            if scale is not None:
                scale.close()
            self._unplug()
            self._rig.board.lockstep.stop()
            if self._task is not None:
                self._task.cancel()

    def _open_scale(self) -> ScalePort | None:
        if self._scale_link is None:
            return None
        return ScalePort(VirtualScale(self._rig.world, self._seed, NOISE_MG), self._scale_link)

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

    # --- the port ---------------------------------------------------------------------------------------------

    def _plug(self) -> None:
        if self._port is not None:
            return
        self._port, self._name = open_port(self._link)
        self.path = self._link or self._name
        self._poll_port()

    def _unplug(self) -> None:
        if self._port is None:
            return
        self._stop_reading()
        close_port(self._port, self._name, self._link)
        self._port, self._port_is_open = None, False

    def _stall(self, stalled: bool) -> None:
        self._stalled = stalled
        if stalled:
            self._stop_reading()

    def _poll_port(self) -> None:
        if self._port is None:
            return
        if not is_open_elsewhere(self._port):
            self._port_is_open = False
            self._stop_reading()
        else:
            if not self._port_is_open:
                self._port_is_open = True
                self._rig.transport.start(self._write, lambda why: None)
            if not self._reading and not self._stalled:
                self._reading = True
                self._loop.add_reader(self._port, self._read)
        self._loop.call_later(POLL_S, self._poll_port)

    def _read(self) -> None:
        if self._port is None:
            return
        try:
            data = os.read(self._port, READ_BYTES)
        except BlockingIOError:  # the program has flushed what it wrote; as a close, this would reset the board
            return
        except OSError:  # it was closed at the other end
            self._port_is_open = False
            self._stop_reading()
            return
        self._rig.transport.write(data)

    def _write(self, data: bytes) -> None:
        # A reply after a close would stay in the pseudo-terminal for the next program, which would take
        # it for its own and the reset that its opening causes for a reset in the middle of its session.
        if self._port is None or not self._port_is_open:
            return
        try:
            os.write(self._port, data)
        except OSError:  # no program reads, and the buffer is full
            return

    def _stop_reading(self) -> None:
        if self._reading and self._port is not None:
            self._loop.remove_reader(self._port)
            self._reading = False
