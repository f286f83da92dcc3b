"""Plug-in of ``rig analyze`` for delay discounting on a T-maze."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protocols.delay_discounting.tables.laps import NEEDED
from rig.analysis.common.plugin import Analysis, Option, Source, above_zero, at_least_zero, count
from rig.records.track.positions import POSITIONS
from rig.system.atomic_files import read_errors

if TYPE_CHECKING:
    from protocols.delay_discounting.analysis.laps import Laps
    from protocols.delay_discounting.analysis.report import MazeReport
    from protocols.delay_discounting.analysis.track import DerivativeWindow
    from rig.records.recorded_session import RecordedSession


class DelayDiscountingAnalysis(Analysis["Laps"]):
    """Indifference, phases of a session, and turning at the choice point (Papale et al. 2012)."""

    about = "delay discounting"
    columns = NEEDED
    file_columns = NEEDED
    answers = ("selection", "ratios", "groups", "sessions")
    fills = ("idphi", "zidphi", "pause_s")
    separates = ("pool", "small_pellets", "large_pellets", "initial_delay_s", "delayed_side")
    options = (
        Option("--laps", "write a table of all laps with type, phase and zIdPhi", "FILE", str, writes=True),
        Option("--fill", "write idphi, zidphi and pause_s into each session's trials.csv", writes=True),
        Option("--min-laps", "exclude sessions with fewer laps (default: 50)", "N", count, 50),
        Option("--backpack", "the tracked light was on the back, not the head; omit zIdPhi"),
        Option("--window", "longest window of the velocity estimate (default: 0.5 s)", "S", above_zero, 0.5),
        Option("--smoothing", "moving average of the velocity (default: 0.1 s)", "S", at_least_zero, 0.1),
    )

    @property
    def operator(self) -> DerivativeWindow:
        """Return the window and the smoothing of the derivative."""
        from protocols.delay_discounting.analysis.track import DerivativeWindow

        return DerivativeWindow(self.given["window"], self.given["smoothing"])

    def of_session(self, session: RecordedSession) -> tuple[Laps, Sequence[str]]:
        """Return the laps of a recorded session, with its passes if it was tracked, and notes on the track."""
        from protocols.delay_discounting.analysis.tracks import tracked_by_journal

        return tracked_by_journal(session, self.operator)

    def of_file(self, path: Path) -> Laps:
        """Read the laps of a lap file, with their passes if the file has a track beside it."""
        from protocols.delay_discounting.analysis.laps import of_rows
        from protocols.delay_discounting.analysis.tracks import tracked_by_file
        from protocols.delay_discounting.tables.laps import read_laps

        laps = of_rows(path.stem, path.stem.partition("_")[0], read_laps(path))
        return tracked_by_file(laps, path, self.operator)

    def report(self, sources: Sequence[Source[Laps]], *, fits: bool) -> MazeReport:
        """Return the report of the sessions; ``fits`` adds the statistical tests."""
        from protocols.delay_discounting.analysis.report import MazeReport

        return MazeReport.of(sources, self.given, fits=fits)

    def fill(self, folder: Path) -> None:
        """Write IdPhi, zIdPhi and pause into ``trials.csv`` of a session that has ended; nothing without a track."""
        # Called after every session: the check comes before the imports, which load numpy.
        with read_errors(folder / POSITIONS):
            if not (folder / POSITIONS).is_file():
                return
        from protocols.delay_discounting.analysis.tracks import fill_session

        fill_session(folder, self.operator)
