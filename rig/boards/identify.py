"""Identify the board on a port. Only on request, because opening a port resets an Arduino."""

from __future__ import annotations

from rig.boards.serial.driver import opened as opened
from rig.boards.serial.hello import Hello, read_hello
from rig.boards.serial.link import Link
from rig.boards.serial.requests import Handler, RequestTracker, ignore
from rig.boards.transport import Transport
from rig.boards.wire.messages import Message
from rig.core.clock import Clock


async def identify(transport: Transport, clock: Clock) -> Hello:
    """Return the HELLO of a board, and close the port. Raises ``BoardNotFoundError`` without an answer."""
    handlers: dict[int, Handler] = {}
    link = Link(transport, clock, lease_s=2.0)
    requests = RequestTracker(link, clock, handlers)

    def on_messages(messages: list[Message]) -> None:
        for message in messages:
            # A board may still report events of a session that has died.
            handlers.get(message[0], ignore)(message)

    link.start(on_messages, requests.give_up)
    try:
        # GET_HELLO only: without OPEN the board begins no session and grants no lease.
        return await read_hello(requests, transport.quiet_s)
    finally:
        link.close()
