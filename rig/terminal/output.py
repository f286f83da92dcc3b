"""What the program prints, also where it cannot be printed: a closed terminal, a full disk, a reader that has gone.

Printing must never end a session nor hide its exit status. So the first failure of a stream is kept, and what is
printed after it goes nowhere; the command decides at its end what the failure means.

What is printed holds words from files and boards. So each piece that is written is one line, or the end of one: a
line break or a control character within it is shown, and does nothing. Code that prints several lines gives `print` so
many arguments, and the line break as what separates them.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from rig.terminal.visible import escape_controls

_BETWEEN = ("\n", "\t", "")
"""What is written between the pieces, by us."""


class OutputStream:
    """One of the program's streams, and its first failure."""

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.failure: OSError | None = None
        with suppress(AttributeError, ValueError):  # a terminal that cannot show a character shows its number
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]

    def write(self, text: str) -> None:
        """Write, or go nowhere."""
        if self.stream is not None and self.failure is None:
            try:
                self.stream.write(text)
            except OSError as error:
                self._give_up(error)

    def flush(self) -> None:
        """Write what is still kept back, or forget it."""
        if self.stream is not None and self.failure is None:
            try:
                self.stream.flush()
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self.failure = error
        with suppress(OSError, ValueError):  # what is kept back would fail again when Python ends
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)

    def fileno(self) -> int:
        """Return the descriptor."""
        if self.stream is None:
            raise OSError("the stream was closed before the program began")
        return self.stream.fileno()


class SafeOutput(io.TextIOBase):
    """A stream that never raises when it is written to; ``failure`` is why it could not be."""

    def __init__(self, stream: TextIO | SafeOutput | None) -> None:
        self.pipe: OutputStream = stream.pipe if isinstance(stream, SafeOutput) else OutputStream(stream)

    @property
    def failure(self) -> OSError | None:
        """Return why the stream could not be written to, if it could not."""
        return self.pipe.failure

    def write(self, text: str) -> int:
        """Print a piece of a line, or a line, or go nowhere."""
        end = "\n" if text.endswith("\n") else ""
        self.pipe.write(text if text in _BETWEEN else escape_controls(text.removesuffix("\n")) + end)
        return len(text)

    def flush(self) -> None:
        """Print what is still kept back, or forget it."""
        self.pipe.flush()

    def fileno(self) -> int:
        """Return the descriptor, as the stream does."""
        return self.pipe.fileno()

    def isatty(self) -> bool:
        """Whether a person reads it."""
        stream = self.pipe.stream
        return stream is not None and self.failure is None and stream.isatty()

    def writable(self) -> bool:
        """Whether the stream is open for writing: always."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the stream's encoding."""
        return getattr(self.pipe.stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """Return what the stream does with a character that it cannot show."""
        return getattr(self.pipe.stream, "errors", None)


class StyledOutput(SafeOutput):
    """The same stream for what is made for a terminal as a whole: lines, colors, the movements of a cursor."""

    def write(self, text: str) -> int:
        """Print it as it is."""
        self.pipe.write(text)
        return len(text)


class MultilineOutput(SafeOutput):
    """The same stream for what a user's Python prints, with line breaks of any kind."""

    def write(self, text: str) -> int:
        """Print it, line by line."""
        for line in text.splitlines(keepends=True):
            super().write(line)
        return len(text)


def styled_output(stream: object) -> Any:
    """Return the stream on which colors may be written."""
    return StyledOutput(stream) if isinstance(stream, SafeOutput) else stream


def multiline_output(stream: object) -> Any:
    """Return the stream on which a user's Python may print."""
    return MultilineOutput(stream) if isinstance(stream, SafeOutput) else stream


class SafeStreams:
    """Both streams of the program, for as long as it runs: ``with Outputs() as outputs:``."""

    def __enter__(self) -> SafeStreams:
        self._before: tuple[TextIO, TextIO] = sys.stdout, sys.stderr
        self.out, self.err = SafeOutput(sys.stdout), SafeOutput(sys.stderr)
        sys.stdout, sys.stderr = self.out, self.err
        return self

    def __exit__(self, *exc: object) -> None:
        self.out.flush()
        self.err.flush()
        sys.stdout, sys.stderr = self._before
