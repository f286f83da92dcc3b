"""Asks what is behind a port: who are you? Opening a port resets an Arduino, so only when somebody wants to know."""

from __future__ import annotations

from rig.boards.serial.driver import opened as opened
from rig.boards.serial.hello import Hello
from rig.boards.serial.link import Link
from rig.boards.serial.requests import Handler, RequestTracker
from rig.boards.transport import Transport
from rig.boards.wire import messages as wire
from rig.boards.wire.protocol import Message
from rig.core.clock import Clock


async def identify(transport: Transport, clock: Clock) -> Hello:
    """Shake hands and let go of the port again. Raises ``BoardNotFoundError`` when nobody answers."""
    handlers: dict[int, Handler] = {}
    link = Link(transport, clock, lease_s=2.0)
    requests = RequestTracker(link, clock, handlers)

    def on_messages(messages: list[Message]) -> None:
        for message in messages:
            handlers.get(message[0], _ignore)(message)

    link.start(on_messages, requests.give_up)
    try:
        return Hello.of(await requests.request(wire.GET_HELLO, (), wire.HELLO))
    finally:
        link.close()


def _ignore(message: Message) -> None:
    """A board that a dead session left may still be telling of its events."""
