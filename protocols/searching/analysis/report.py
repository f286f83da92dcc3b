"""Output of ``rig analyze`` for searches on grids: tables, figures, JSON and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocols.searching.analysis import tables
from protocols.searching.analysis.degenerate import why_unfit
from protocols.searching.analysis.results import GridResults, GridSettings, results
from protocols.searching.analysis.rounds import GridPerson, GridVisit, people_of
from rig.analysis.common.arrays import plain
from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.tables import Table
from rig.core.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from protocols.searching.analysis.fits import FitSettings


@dataclass(frozen=True)
class GridReport(Report):
    """A report with the people."""

    people: Sequence[GridPerson]
    settings: GridSettings
    found: GridResults
    notes: Sequence[str]

    @classmethod
    def of(
        cls, sources: Sequence[Source[GridVisit]], given: Mapping[str, Any], *, fits: bool, risky: bool
    ) -> GridReport:
        """Build the report of sessions. Raises ``ConfigError`` without any round, or if fits are not possible."""
        people = people_of([source.session for source in sources])
        if not people:
            raise ConfigError(*(f"{source.path}: has no click on a tile: wanted at least one" for source in sources))
        if not any(each.complete and each.clicks for person in people for each in person.rounds):
            raise ConfigError(*(f"{source.path}: has no complete round: wanted at least one" for source in sources))
        settings = GridSettings(
            risky, fits, _fit_settings(given, fits), given.get("recovery") or 0, given["seed"], given.get("lambda")
        )
        doubts = [source.session.doubt for source in sources if source.session.doubt]
        if doubts and settings.fits is not None and settings.fits.models:
            raise ConfigError(*doubts)
        notes = [note for source in sources for note in (*source.notes, *source.session.notes)] + doubts
        found = results(people, settings)
        return cls(people, settings, found, [*notes, *_notes(people), *_not_fitted(people, settings, found)])

    def document(self) -> Mapping[str, object]:
        """Return the report as data for JSON."""
        fits = self.settings.fits
        return {
            "selection": {"models": [] if fits is None else list(fits.models), "seed": self.settings.seed},
            "bonus": plain(self.found.bonus),
            "groups": plain(self.found.groups),
            "comparisons": plain(self.found.comparisons),
            "sets": plain(self.found.sets),
            "fits": plain(self.found.fits),
            "fitted_rounds": plain(self.found.fitted_rounds),
            "recovery": plain(self.found.recovery),
            "sessions": plain(self.found.people),
        }

    def tables(self) -> Iterator[Table]:
        """Yield the tables of all conditions, then one with one row per session."""
        return tables.tables(self.found)

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures of all conditions."""
        from protocols.searching.analysis.figures import figures

        return figures(self.found, self.people, self.settings)


def _fit_settings(given: Mapping[str, Any], possible: bool) -> FitSettings | None:
    """Return what to fit, None without ``--fit``. Raises ``ConfigError``."""
    models, recovered = given["fit"], given.get("recovery")
    if not models and not recovered:
        return None
    if not possible:
        raise ConfigError("--fit: needs scipy: pip install 'behavior-rig[analysis]'")
    from protocols.searching.analysis.fits import FitSettings

    file = Path(given["fits"]) if given["fits"] else None
    return FitSettings(tuple(models or ()), given["jobs"], file)


def _notes(people: Sequence[GridPerson]) -> Iterator[str]:
    for person in people:
        left = [each.number for each in person.rounds if not each.complete]
        if left:
            numbers = ", ".join(map(str, left))
            yield f"{person.name}: round {numbers} was left: it is in no mean and no test, but models are fitted to it"


def _not_fitted(people: Sequence[GridPerson], settings: GridSettings, found: GridResults) -> Iterator[str]:
    if settings.fits is None or not settings.fits.models:
        return
    fitted = set() if found.fits is None else {each.person for each in found.fits.people}
    kind = "risky or two safe rounds" if settings.risky else "rounds of one horizon"
    for person in people:
        if why := why_unfit(person):
            yield f"{person.name}: {why}: no model is fitted"
        elif person.name not in fitted:
            yield f"{person.name}: no model is fitted: wanted two {kind} whose rewards are all known"
