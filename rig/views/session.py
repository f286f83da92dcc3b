"""All charts of one session: the views of its header, or generic ones, folded over the lines of its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rig.core.journal.header import Header
from rig.core.model import views as kinds
from rig.core.model.line import Line
from rig.records.journal.dispatch import Dispatch
from rig.views.chart import Chart
from rig.views.choices import ChoicesFold, OutcomesFold
from rig.views.cumulative import CumulativeFold
from rig.views.fold import Session, ViewFold
from rig.views.generic import generic_views
from rig.views.numbers import HistogramFold, NumbersFold
from rig.views.places import PlacesFold
from rig.views.raster import RasterFold
from rig.views.running_share import RunningShareFold
from rig.views.shares_by import SharesByFold
from rig.views.spans import SpansFold
from rig.views.track import TrackFold

_FOLDS: Mapping[type[kinds.View], Callable[[Any, Session], ViewFold[kinds.View]]] = {
    kinds.Choices: ChoicesFold,
    kinds.Outcomes: OutcomesFold,
    kinds.RunningShare: RunningShareFold,
    kinds.Numbers: NumbersFold,
    kinds.Histogram: HistogramFold,
    kinds.Cumulative: CumulativeFold,
    kinds.SharesBy: SharesByFold,
    kinds.Places: PlacesFold,
    kinds.Track: TrackFold,
    kinds.Spans: SpansFold,
    kinds.Raster: RasterFold,
}


class SessionViews:
    """The charts of a session, from the lines taken so far: none until its header has come.

    ``folder`` is the session's own, with the positions of a tracked animal; None draws no path.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._session: Session | None = None
        self._readers = Dispatch()
        self.folds: list[ViewFold[kinds.View]] = []

    def take(self, line: Line) -> None:
        """Handle the next line."""
        if self._session is not None:
            self._session.timeline.take(line)
            self._readers.take(line)
        elif isinstance(line, Header):
            self._begin(line)

    def charts(self) -> list[Chart]:
        """Return the charts, always as many and in the same order; one that has not changed is the same object."""
        return [fold.chart() for fold in self.folds]

    def _begin(self, header: Header) -> None:
        self._session = Session(header, self._folder)
        views = views_of(header)
        self.folds = [_FOLDS[type(view)](view, self._session) for view in views]
        for fold in self.folds:
            self._readers.add(fold.take, *fold.kinds)


def views_of(header: Header) -> Sequence[kinds.View]:
    """Return the views that a session's header names, or those for any protocol if it names none."""
    return header.views or generic_views(header)
