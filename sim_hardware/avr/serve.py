"""Serves a simulated rig at a pseudo-terminal in real time, for programs that open a serial port.

Opening the port resets the chip, as a computer does by DTR; a pseudo-terminal tells nobody of that, but hangs up as
long as no one has it open. It knows no speeds: the chip's own end of the line does.
"""

from __future__ import annotations

import asyncio
import os
import select
import selectors
import threading
import tty
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from sim_hardware.avr.driver import AvrRig

LOOK_S = 0.01
"""How often it looks whether somebody has opened the port."""
READ_BYTES = 4096

T = TypeVar("T")
Life = Callable[[AvrRig], Coroutine[Any, Any, None]]


class PtyServer:
    """A rig that lives in a thread of its own, from entering the context to leaving it.

    ``path`` becomes a link to the port, which comes back under that name when it has been unplugged; ``make`` makes
    the rig, and ``life`` is what lives in it.
    """

    def __init__(self, path: Path, make: Callable[[], AvrRig], life: Life | None = None) -> None:
        self.path = path
        self._make = make
        self._life = life
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"serving {path}", daemon=True)
        self._failed: BaseException | None = None
        self._port: int | None = None
        self._held = False  # somebody has it open
        self._reading = False
        self._stalled = False
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> PtyServer:
        self._thread.start()
        self._ready.wait()
        if self._failed is not None:
            raise self._failed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    # --- what is done to it, from any thread ------------------------------------------------------------------

    def do(self, what: Callable[[AvrRig], T]) -> T:
        """Do something to the rig where it lives, and return what came of it."""

        async def done() -> T:
            return what(self._rig)

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result()

    def unplug(self) -> None:
        """Pull the cable: the port is gone. The board has power of its own."""
        self.do(lambda rig: self._unplug())

    def plug(self) -> None:
        """Plug the cable in again."""
        self.do(lambda rig: self._plug())

    def stall(self, stalled: bool) -> None:
        """Take nothing more from the port, or go on."""
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

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._rig = self._make()
        self._rig.board.on_open = self._opened
        self._plug()
        self._ready.set()
        try:
            await self._end.wait()
        finally:
            self._unplug()
            self._rig.board.lockstep.stop()
            if self._task is not None:
                self._task.cancel()

    def _opened(self) -> None:
        self._rig.begin()
        if self._life is not None and self._task is None:
            self._task = self._loop.create_task(self._life(self._rig))

    # --- the port ---------------------------------------------------------------------------------------------

    def _plug(self) -> None:
        self._port, host_end = os.openpty()
        tty.setraw(host_end)
        os.set_blocking(self._port, False)
        self.path.symlink_to(os.ttyname(host_end))
        os.close(host_end)
        self._look()

    def _unplug(self) -> None:
        if self._port is None:
            return
        self._read_no_more()
        self.path.unlink()
        os.close(self._port)
        self._port = None

    def _stall(self, stalled: bool) -> None:
        self._stalled = stalled
        if stalled:
            self._read_no_more()

    def _look(self) -> None:
        if self._port is None:
            return
        if _hung_up(self._port):
            self._held = False
            self._read_no_more()
        else:
            if not self._held:
                self._held = True
                self._rig.transport.start(self._write, lambda why: None)
            if not self._reading and not self._stalled:
                self._reading = True
                self._loop.add_reader(self._port, self._read)
        self._loop.call_later(LOOK_S, self._look)

    def _read(self) -> None:
        try:
            data = os.read(self._port or 0, READ_BYTES)
        except OSError:  # it was closed at the other end
            self._held = False
            self._read_no_more()
            return
        self._rig.transport.write(data)

    def _write(self, data: bytes) -> None:
        try:
            os.write(self._port or 0, data)
        except OSError:  # nobody reads, and there is no room for more
            return

    def _read_no_more(self) -> None:
        if self._reading and self._port is not None:
            self._loop.remove_reader(self._port)
            self._reading = False


def _hung_up(port: int) -> bool:
    poller = select.poll()
    poller.register(port, 0)
    return bool(poller.poll(0))
