"""Write the lines of a session that its task does not write, with the outputs off before a line that may fail.

These are the events, the board's openings, the operator's notes, faults, and the order that all outputs go off.
"""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from rig.core.engine.engine import Engine
from rig.core.errors import RecordError, RigError
from rig.core.journal.kinds import OperatorNote
from rig.core.model.board import BoardInfo
from rig.core.model.events import Event, Fault, Request
from rig.core.model.rig_spec import RigSpec
from rig.session.run.phases import WITH_TASK, Phase, Phases
from rig.session.run.rebuild import Resumption


class SessionLines:
    """The writer of one session's lines; ``unwritten`` is the first error of a line that could not be written."""

    def __init__(self, plan: RigSpec, engine: Engine, phases: Phases, resumption: Resumption | None) -> None:
        self.unwritten: RecordError | None = None
        self._plan = plan
        self._engine = engine
        self._phases = phases
        self._resumption = resumption
        self._early: list[Event] = []

    # --- what happens ---------------------------------------------------------------------------------------------

    def put(self, event: Event) -> None:
        """Write an event and send it to the task; while a session is rebuilt, keep it until `go_on`."""
        if self._resumption is not None and self._resumption.journal.is_rebuilding:
            self._early.append(replace(event, t_us=self._resumption.start_us))
            return
        try:
            self._engine.inbox.put(event)
        except RecordError as error:
            self.failed(error)

    def put_fault(self, what: str, detail: str) -> None:
        """Write a fault of now and send it to the task, which ends."""
        self.put(Fault(self._engine.board.estimate_us()[0], what, detail))

    def go_on(self, resumption: Resumption) -> None:
        """Write what a rebuilt session has decided, then the events of now. Raises ``RecordError``."""
        resumption.journal.go_on()
        for event in (resumption.event, *self._early):
            self._engine.inbox.put(event)

    def openings(self, opened: BoardInfo, t_us: int) -> None:
        """Write what the board has kept of earlier sessions; where no line can be written this session ends."""
        names = [channel.name for channel in self._plan.wiring.channels]
        try:
            self._engine.journal.openings(opened, names, t_us)
        except RecordError as error:
            self.failed(error)

    def operator_note(self, stamps: Request, text: str) -> None:
        """Write a note of the operator with the times of a request."""
        try:
            self._engine.journal.write(OperatorNote(stamps.t_us, text, stamps.raw_us, stamps.uncertainty_us))
        except RecordError as error:
            self.failed(error)

    def camera_gone(self, why: str) -> None:
        """End the session where zones are the camera's; where they are beams it goes on, and its track ends."""
        if self._plan.host_inputs:
            self.fail(RigError(why), "camera")
            return
        try:
            self._engine.journal.note(self._engine.board.estimate_us()[0], "camera_lost", detail=why)
        except RecordError as error:
            self.failed(error)

    # --- what ends the session ------------------------------------------------------------------------------------

    def failed(self, error: RecordError) -> None:
        """End the session after a line that could not be written."""
        # Outputs off first: a reward that cannot be recorded must not be given.
        self._engine.board.all_off()
        self._engine.inbox.fail(error)

    def fail(self, error: RigError, what: str = "record") -> None:
        """End the session with a fault; outputs go off before anything else."""
        self._engine.board.all_off()
        asyncio.get_running_loop().call_soon(self._write_failure, what, str(error))  # a line may be half written

    def _write_failure(self, what: str, detail: str) -> None:
        # Not after the end: the disk has filled under the last lines, which are kept, and none may follow them.
        if not self._phases.is_over:
            self.begin_end()
            self.put_fault(what, detail)

    def begin_end(self) -> None:
        """Start the end of a session whose board was opened: write, once, that everything goes off."""
        if self._phases.now in WITH_TASK:
            self._phases.enter(Phase.ENDING)
        elif self._phases.now is Phase.CANCELED and self._engine.link.opened is not None:
            self._phases.enter(Phase.STOPPED)
        else:
            return
        self.all_off()

    def all_off(self) -> None:
        """Write that everything goes off; where no line can be written the order goes all the same."""
        try:
            self._engine.write_all_off(self._engine.board.estimate_us()[0])
        except RecordError as error:
            self.unwritten = self.unwritten or error

    def discard_pending(self) -> None:
        """Cancel what was not sent; where no line can be written the session ends all the same."""
        # Raised here, the error would skip the board's all-off and look like a session that never began.
        try:
            self._engine.discard_pending()
        except RecordError as error:
            self.unwritten = self.unwritten or error
