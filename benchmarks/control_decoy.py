"""A control server without a session, for intruders to attack: it prints its file, and ends with its standard input."""

from __future__ import annotations

import asyncio
import concurrent.futures.thread  # noqa: F401 - the time of its import is none of the measurement's
import sys
from pathlib import Path

from rig.session.run.control_server import ControlServer


async def _main(folder: Path) -> None:
    with ControlServer(folder, lambda request, reply: reply({"ok": True})) as server:
        print(server.path, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1])))
