"""The host's end of a port on a running event loop, and what it was told."""

import asyncio
from collections.abc import Awaitable, Callable

from rig.boards.transport import Transport

EVERY_BYTE = bytes(range(256))


class HostEnd:
    """A transport, the bytes that it has received, and the reasons for which it was lost."""

    transport: Transport

    def __init__(self) -> None:
        self.heard = b""
        self.lost: list[str] = []

    def _hear(self, data: bytes) -> None:
        self.heard += data

    async def play(self, story: Awaitable[None], within_s: float) -> None:
        """Start the transport, run a story, and close it."""
        self.transport.start(self._hear, self.lost.append)
        try:
            await asyncio.wait_for(story, within_s)
        finally:
            self.transport.close()


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - the far end does not report it
        await asyncio.sleep(0.001)
