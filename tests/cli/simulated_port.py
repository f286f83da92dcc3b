"""A simulated board at a pseudo-terminal, in real time."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rig.core.clock import running
from sim_hardware.board.board import SimBoard
from sim_hardware.board.openings import Openings


@contextmanager
def board_at_a_port(openings: Openings | None = None) -> Iterator[str]:
    """Serve a board, which has kept these openings, until the block ends; the value is the name of its port."""
    far, near = os.openpty()
    ended = threading.Event()

    async def live() -> None:
        board = SimBoard(running(), lambda data: os.write(far, data) and None, lambda pin, level: None)
        if openings is not None:
            board.chip.openings._kept, board.chip.openings._count = openings._kept, openings._count
        asyncio.get_running_loop().add_reader(far, lambda: board.receive(os.read(far, 4096)))
        await asyncio.to_thread(ended.wait)

    board = threading.Thread(target=lambda: asyncio.run(live()))
    board.start()
    try:
        yield os.ttyname(near)
    finally:
        ended.set()
        board.join()
        os.close(far)
        os.close(near)
