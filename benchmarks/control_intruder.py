"""A program that may not ask a session anything, and tries: ``python -m benchmarks.control_intruder FILE``.

A thousand connections at once are opened again and again. What each sends is a request without a handshake, a
handshake with a wrong secret, one that was recorded at another connection, or one with changed bytes. If it may, it
becomes another user, who cannot read the file. It ends with its standard input, and prints how many of each were sent.
"""

from __future__ import annotations

import asyncio
import concurrent.futures.thread  # noqa: F401 - before another user, who may not read it, needs it
import json
import os
import random
import resource
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

from rig.system.carriers import LOOPBACK, read_port
from rig.system.handshake import GREETING_BYTES, ClientHandshake

CONNECTIONS = 1_000
USER_WITHOUT_RIGHTS = 65_534
KINDS = ("no handshake", "wrong secret", "replayed", *7 * ("mutated",))
ANSWER_S = 5.0
REQUEST = b'{"do": "end"}\n'


class Intruder:
    """All connections of the program; ``sent`` counts what they have sent, by its kind."""

    def __init__(self, port: int, secret: bytes) -> None:
        self.sent: Counter[str] = Counter()
        self._port = port
        self._secret = secret
        self._recorded = REQUEST
        self._draw = random.Random(1)

    async def attack(self, kind: str) -> None:
        """Send again and again until canceled; a connection that is refused or silent is opened again."""
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
                async with asyncio.timeout(ANSWER_S):
                    await self._attack_once(kind)

    async def _attack_once(self, kind: str) -> None:
        reader, writer = await asyncio.open_connection(LOOPBACK, self._port)
        try:
            greeting = await reader.readexactly(GREETING_BYTES)
            writer.write(self._frame(kind, greeting))
            await writer.drain()
            self.sent[kind] += 1
            if await reader.read():
                self.sent["answered"] += 1
        finally:
            writer.transport.abort()

    def _frame(self, kind: str, greeting: bytes) -> bytes:
        if kind == "no handshake":
            return REQUEST
        if kind == "wrong secret":
            return ClientHandshake(bytes(32), greeting).response + REQUEST
        if kind == "replayed":
            recorded, self._recorded = self._recorded, ClientHandshake(self._secret, greeting).response
            return recorded
        frame = bytearray(ClientHandshake(self._secret, greeting).response)
        for _ in range(self._draw.randint(1, 4)):
            frame[self._draw.randrange(len(frame))] ^= self._draw.randint(1, 255)
        return bytes(frame)


def become_another_user(file: Path) -> bool:
    """Set the user of this program to one who cannot read the file; return False if only root may do so."""
    if os.geteuid() != 0:
        return False
    os.setgid(USER_WITHOUT_RIGHTS)
    os.setuid(USER_WITHOUT_RIGHTS)
    try:
        file.read_bytes()
    except PermissionError:
        return True
    raise RuntimeError(f"another user can read {file}")


async def _main(intruder: Intruder) -> None:
    attacks = [
        asyncio.create_task(intruder.attack(KINDS[number % len(KINDS)]), name=KINDS[number % len(KINDS)])
        for number in range(CONNECTIONS)
    ]
    await asyncio.to_thread(sys.stdin.read)
    for attack in attacks:
        attack.cancel()
    await asyncio.gather(*attacks, return_exceptions=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4 * CONNECTIONS), most))
    file = Path(sys.argv[1])
    attacker = Intruder(*read_port(file))  # only to make frames that are nearly right
    is_other = become_another_user(file)
    print("ready", flush=True)
    asyncio.run(_main(attacker))
    print(json.dumps({f"{kind}{' by another user' * is_other}": count for kind, count in attacker.sent.items()}))
