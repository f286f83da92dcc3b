"""Far end of a pty that plays a script: ``peer.c`` in Python, for machines without a C compiler."""

from __future__ import annotations

import os
import select
import struct
import sys
import time

HEAD = struct.Struct("<IBBH")


def play(port: int, script: bytes) -> list[int]:
    """Run a script; return the host's time to answer every timed step, in nanoseconds."""
    took = []
    place = ended = 0
    while place < len(script):
        gap_us, timed, frames, length = HEAD.unpack_from(script, place)
        place += HEAD.size
        said = script[place : place + length]
        place += length
        time.sleep(gap_us / 1e6)
        while timed and select.select([port], [], [], 0)[0]:
            os.read(port, 4096)
            ended = 0
        start = time.perf_counter_ns()
        os.write(port, said)
        while ended < frames:
            ended += os.read(port, 4096).count(0)
        if timed:
            took.append(time.perf_counter_ns() - start)
        ended -= frames
    return took


if __name__ == "__main__":
    print("\n".join(map(str, play(int(sys.argv[1]), sys.stdin.buffer.read()))))
