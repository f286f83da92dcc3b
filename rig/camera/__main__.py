"""The camera's process: ``python -m rig.camera``, started by `process`, which says what is sent and taken."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import suppress

from rig.camera.interface import INSTALL
from rig.core.model.rig_spec import TrackingSpec
from rig.platform.shared_sockets import open_shared


def main(order: bytes) -> None:
    """Run the camera until there are no more frames, or until the session closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal says it to all; the session decides when to end
    asked = json.loads(order)
    listener = open_shared(asked["socket"])
    with suppress(BrokenPipeError, ConnectionResetError):
        try:
            _watch(TrackingSpec(**asked["tracking"]), listener)
        except Exception as error:  # whatever it is, the session is told of it
            _say(listener, error=str(error) or type(error).__name__)


def _watch(tracking: TrackingSpec, listener: socket.socket) -> None:
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # what is wrong is said by us, once
    try:
        # Imported here: the level above is read on import, and a missing OpenCV is reported over the socket.
        import cv2
    except ImportError as error:
        _say(listener, error=f"{tracking.name}: a tracker needs OpenCV: {INSTALL} ({error})")
        return
    from rig.camera.frames import frames, open_frames
    from rig.camera.led import LedFinder

    # Measured on pictures of 640 by 480 pixels: a second thread gains nothing (0.35 ms with one or two).
    cv2.setNumThreads(1)
    finder, ready = LedFinder(tracking), False
    for number, raw_us, image in frames(open_frames(tracking), tracking):
        if not ready:
            ready = True
            _say(listener, ready=[image.shape[1], image.shape[0]])
        place = finder.find(number, image)
        x_cm, y_cm = (None, None) if place is None else tracking.to_cm(*place)
        _say(listener, seen=[number, raw_us, x_cm, y_cm])
    if isinstance(tracking.source, str):
        _say(listener, error=f"{tracking.name}: the video {tracking.source} has ended")
    else:
        _say(listener, error=f"{tracking.name}: camera {tracking.source} gives no more pictures: was it unplugged?")


def _say(listener: socket.socket, **said: object) -> None:
    listener.sendall(json.dumps(said, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main(sys.stdin.buffer.readline())
