"""Asks what is behind a port: who are you? Opening a port resets an Arduino, so only when somebody wants to know."""

from __future__ import annotations

from rig.core.clock import Clock
from rig.hardware.hello import Hello
from rig.hardware.link import Link
from rig.hardware.questions import Handler, Questions
from rig.hardware.serial_driver import opened as opened
from rig.hardware.transport import Transport
from rig.hardware.wire import messages as wire
from rig.hardware.wire.conversation import Message


async def greet(transport: Transport, clock: Clock) -> Hello:
    """Shake hands and let go of the port again. Raises ``BoardNotFoundError`` when nobody answers."""
    handlers: dict[int, Handler] = {}
    link = Link(transport, clock, lease_s=2.0)
    questions = Questions(link, clock, handlers)

    def on_messages(messages: list[Message]) -> None:
        for message in messages:
            handlers.get(message[0], _overhear)(message)

    link.start(on_messages, questions.give_up)
    try:
        return Hello.of(await questions.ask(wire.HELLO_ASK, (), wire.HELLO))
    finally:
        link.close()


def _overhear(message: Message) -> None:
    """A board that a dead session left may still be telling of its events."""
