"""What the command prints, also where it cannot be printed: a closed terminal, a full disk, a reader that has gone.

Printing must never end a session nor hide its exit status. So the first failure of a stream is kept, and what is
printed after it goes nowhere; the command decides at its end what the failure means.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO


class Output(io.TextIOBase):
    """A stream that never raises when it is written to; ``failure`` is why it could not be."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.failure: OSError | None = None
        with suppress(AttributeError, ValueError):  # a terminal that cannot show a character shows its number
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]

    def write(self, text: str) -> int:
        """Print, or go nowhere."""
        if self._stream is not None and self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._give_up(error)
        return len(text)

    def flush(self) -> None:
        """Print what is still kept back, or forget it."""
        if self._stream is not None and self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self.failure = error
        with suppress(OSError, ValueError):  # what is kept back would fail again when Python ends
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)

    def fileno(self) -> int:
        """Return the descriptor, as the stream does."""
        if self._stream is None:
            raise OSError("the stream was closed before the program began")
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Tell whether a person reads it."""
        return self._stream is not None and self.failure is None and self._stream.isatty()

    def writable(self) -> bool:
        """Be open for writing."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The stream's encoding."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What the stream does with a character that it cannot show."""
        return getattr(self._stream, "errors", None)


class Outputs:
    """Both streams of the command, for as long as it runs: ``with Outputs() as outputs:``."""

    def __enter__(self) -> Outputs:
        self._before: tuple[Any, Any] = sys.stdout, sys.stderr
        self.out, self.err = Output(sys.stdout), Output(sys.stderr)
        sys.stdout, sys.stderr = self.out, self.err
        return self

    def __exit__(self, *exc: object) -> None:
        self.out.flush()
        self.err.flush()
        sys.stdout, sys.stderr = self._before
