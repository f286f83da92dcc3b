"""A pseudo-terminal that other programs open as a serial port, under a name that stays the same."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rig.core.errors import ConfigError

if sys.platform == "win32":

    def open_port(link: Path | None) -> tuple[int, Path]:
        """Raise ``ConfigError``: there is no port."""
        raise ConfigError("Windows has no pseudo-terminals to serve a board at: give it a TCP port")

    def close_port(port: int, name: Path, link: Path | None) -> None:
        """Return at once: no port was opened."""

    def is_open_elsewhere(port: int) -> bool:
        """Return False: no port was opened."""
        return False
else:
    import fcntl
    import tty

    def open_port(link: Path | None) -> tuple[int, Path]:
        """Return our end of a new port, and its name; ``link`` becomes a link to the name if there is to be one.

        Raises ``ConfigError`` when the link cannot be made.
        """
        port, host_end = os.openpty()
        # Before the first byte: a terminal in its usual mode echoes and translates bytes.
        tty.setraw(host_end)
        os.set_blocking(port, False)
        name = Path(os.ttyname(host_end))
        # Closed, so that the pseudo-terminal hangs up until a program opens it.
        os.close(host_end)
        if link is not None:
            try:
                _point(link, name)
            except ConfigError:
                os.close(port)
                raise
        return port, name

    def close_port(port: int, name: Path, link: Path | None) -> None:
        """Close a port, and remove its link, unless what is there now is not ours."""
        if link is not None:
            with suppress(FileNotFoundError), _alone_in(link.parent):
                if link.is_symlink() and link.readlink() == name:
                    link.unlink()
        os.close(port)

    @contextmanager
    def _alone_in(folder: Path) -> Iterator[None]:
        """Wait until no other server changes links in a folder: one may replace the link that we have found stale."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def is_open_elsewhere(port: int) -> bool:
        """Whether a program has the port open."""
        poller = select.poll()
        poller.register(port, 0)
        return not poller.poll(0)

    def _point(link: Path, port: Path) -> None:
        try:
            with _alone_in(link.parent):
                if link.is_symlink() and _is_stale(link, port):
                    link.unlink()
                link.symlink_to(port)
        except FileExistsError:
            raise ConfigError(
                f"{link}: cannot become a link to {port}: it is there already: end the `rig board serve` that uses it, "
                "or give another name"
            ) from None
        except OSError as error:
            raise ConfigError(f"{link}: cannot become a link to {port}: {error.strerror}") from None

    def _is_stale(link: Path, port: Path) -> bool:
        """Whether a link was left by a server that was killed; the system may have given its port's name to ours."""
        target = link.readlink()
        return target == port or (target.parent == port.parent and not link.exists())
