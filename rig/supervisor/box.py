"""One box as it is seen from outside: its process, the journal of its session, and how that ended."""

from __future__ import annotations

import enum
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.live.display_loop import SessionStatus, session_status
from rig.live.end_reasons import FAILURES, ended_text
from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from rig.platform.processes import is_running, request_stop
from rig.records.journal.read import JOURNAL
from rig.supervisor.asker import SessionAsker
from rig.supervisor.started import StartedSession
from rig.system.control_socket import SessionGoneError
from rig.system.statuses import FAILED, OK, STOPPED

LOG_TAIL_BYTES = 4096
GONE = "the session that this was meant for has ended, and another one runs in its box"


class BoxState(enum.Enum):
    """The life of a box's session."""

    IDLE = "not started"
    STARTING = "starting"
    RUNNING = "running"
    ENDED = "ended"


class Box:
    """One box; ``update`` looks at its process and its journal, and never waits.

    ``folder_of`` looks up the records of a session that has ended before its socket named them.
    """

    def __init__(
        self,
        name: str,
        subject: str,
        on_change: Callable[[], None] = lambda: None,
        folder_of: Callable[[StartedSession], str | None] = lambda started: None,
    ) -> None:
        self.name = name
        self.subject = subject
        self.state = BoxState.IDLE
        self.progress = Progress()
        self.status = OK
        """The exit status of a session that has ended."""
        self.reason = ""
        self.detail = ""
        self.folder: Path | None = None
        self.asker: SessionAsker | None = None
        self._on_change = on_change
        self._folder_of = folder_of
        self._started: StartedSession | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._follower: JournalFollower | None = None
        self._changed_s = time.monotonic()

    # --- begin ------------------------------------------------------------------------------------------------------

    def begin(self, started: StartedSession, process: subprocess.Popen[bytes] | None = None) -> None:
        """Start to watch a session; ``process`` where this program has started it."""
        self.subject = started.subject
        self.progress = Progress()
        self.reason = self.detail = ""
        self.status = OK
        self.folder = self._follower = None
        self._started, self._process = started, process
        self._changed_s = time.monotonic()
        self.asker = SessionAsker(started.pid, self._on_change)
        self.asker.start()
        # Last: from now on another thread may look.
        self.state = BoxState.STARTING
        if started.folder is not None:
            self._open(Path(started.folder))

    def refuse(self, why: str, status: int) -> None:
        """End the box before it has started."""
        self._end("refused", why, status)

    def close(self) -> None:
        """Close what watches the session, which goes on."""
        if self.asker is not None:
            self.asker.close()

    # --- see --------------------------------------------------------------------------------------------------------

    @property
    def session(self) -> StartedSession | None:
        """Return the session that it shows; None when none was started."""
        return self._started

    @property
    def pid(self) -> int | None:
        """Return the number of its process; None when it was never started."""
        return None if self._started is None else self._started.pid

    @property
    def log(self) -> Path | None:
        """Return the file of what its session has printed."""
        return None if self._started is None else Path(self._started.log)

    @property
    def is_active(self) -> bool:
        """Whether its process runs."""
        return self.state in (BoxState.STARTING, BoxState.RUNNING)

    @property
    def has_failed(self) -> bool:
        """Whether it has ended, or is ending, by a failure."""
        return self.reason in FAILURES or self.reason == "refused" or self.progress.faults["panic"] > 0

    @property
    def is_silent(self) -> bool:
        """Whether its process runs and does not answer."""
        return self.is_active and self.asker is not None and self.asker.is_silent

    def now(self) -> SessionStatus:
        """Return the present of its session."""
        damaged = 0 if self._follower is None else self._follower.damaged
        # A real session passes in real time, and so does a simulated one of `rig run`.
        return session_status(self.progress, time.monotonic() - self._changed_s, damaged, True)

    @property
    def left_s(self) -> float | None:
        """Return the seconds until the session's limit; None before its header."""
        session_s = self.progress.stop.get("session_s")
        return None if session_s is None else max(0.0, session_s - self.now().elapsed_s)

    @property
    def ended(self) -> str:
        """Return how it ended in words; empty while it runs."""
        if not self.reason:
            return ""
        return f"not started: {self.detail}" if self.reason == "refused" else ended_text(self.reason, self.detail)

    def update(self) -> None:
        """Read what is new."""
        if not self.is_active:
            return
        # Before the last lines are read: what a process has written is there when it has ended.
        code = self._exit()
        if self.folder is None and (found := self._find_folder(has_ended=code is not None)) is not None:
            self._open(Path(found))
        self._read()
        footer = self.progress.footer
        if footer is not None and not self.reason:  # its process still writes the tables
            self.reason, self.detail = footer.reason, footer.detail
            self._on_change()
        if code is not None:
            self._ended(code)

    def _exit(self) -> int | None:
        """Return the exit status of a process that has ended; of one that another program started, 1 stands for it."""
        if self._process is not None:
            return self._process.poll()
        return None if self._runs else FAILED

    @property
    def _runs(self) -> bool:
        """Whether its process runs, and no later one with the same number."""
        return self._started is not None and is_running(self._started.pid, self._started.mark)

    def _find_folder(self, *, has_ended: bool) -> str | None:
        status = None if self.asker is None else self.asker.status
        if status is not None and isinstance(found := status.get("folder"), str):
            return found
        return self._folder_of(self._started) if has_ended and self._started is not None else None

    def _open(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._follower = JournalFollower(self.folder / JOURNAL)
        self.state = BoxState.RUNNING

    def _read(self) -> None:
        before = self.progress.lines
        with suppress(RecordError):  # a journal of another version
            while self._follower is not None and (lines := self._follower.read()):
                for line in lines:
                    self.progress.take(line)
        if self.progress.lines > before:
            self._changed_s = time.monotonic()
        self.progress.pass_time(self.now().elapsed_s)

    def _ended(self, code: int) -> None:
        footer = self.progress.footer
        if footer is not None:
            of_reason = {"operator": STOPPED}.get(self.reason, FAILED if self.reason in FAILURES else OK)
            self._end(self.reason, self.detail, code if self._process is not None and code >= 0 else of_reason)
        elif self.folder is not None:
            killed = f"killed by signal {-code}; " if code < 0 else ""
            self._end("crash", f"{killed}run `rig recover {self.folder}`", FAILED)
        else:
            self._end("refused", self._last_words(), code if code > 0 else FAILED)

    def _last_words(self) -> str:
        """Return the last line that the session has printed: why it did not begin."""
        try:
            raw = b"" if self.log is None else self.log.read_bytes()[-LOG_TAIL_BYTES:]
        except OSError:
            raw = b""
        lines = raw.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it has printed nothing")

    def _end(self, reason: str, detail: str, status: int) -> None:
        self.state = BoxState.ENDED
        self.reason, self.detail, self.status = reason, detail, status
        if self.asker is not None:
            self.asker.close()
        self._on_change()

    # --- act --------------------------------------------------------------------------------------------------------

    def ask(self, request: Mapping[str, object], session: StartedSession | None) -> Mapping[str, object]:
        """Send a session a request; only jobs of its asker may. An end that is not answered becomes a signal.

        ``session`` is the one that was seen when the request was made: a later one of the box gets nothing of it.
        """
        asker = self.asker
        if asker is None or session is None or session is not self._started or not self.is_active:
            raise ConfigError(f"{self.name} runs no session" if session is self._started else GONE)
        try:
            return asker.ask(request)
        except SessionGoneError:
            raise
        except ConfigError:
            # Only a session that is starting, or whose protocol does not return: one that is ending is left to it.
            if request.get("do") != "end" or session is not self._started or not self._runs or self.reason:
                raise
            with suppress(OSError):  # it has ended just now
                if request_stop(session.pid):
                    return {"ok": True, "text": "it does not answer, and was sent the signal to stop"}
            raise

    def end(self) -> None:
        """Queue the end of its session."""
        asker, session = self.asker, self._started
        if asker is not None and self.is_active:

            def job() -> None:
                with suppress(ConfigError):  # it has ended by itself
                    self.ask({"do": "end"}, session)

            asker.do(job)
