import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rig.analysis.common.plugin import Analysis, Report, Source
from rig.analysis.common.tables import Table
from rig.config.models.study_file import Power
from rig.core.errors import ConfigError
from rig.core.journal.kinds import TrialLine
from rig.records.recorded_session import RecordedSession
from rig.studies.power.values import ArmValues, together, values_of
from tests.records.session_of_lines import SessionOfLines
from tests.studies.power.pools import question


@dataclass(frozen=True)
class Session:
    name: str
    trials: int

    @property
    def fingerprint(self) -> bytes:
        return self.name.encode()


@dataclass(frozen=True)
class Found(Report):
    """``rate`` is the mean number of trials; ``fitted`` is there with fits only."""

    sessions: Sequence[Session]
    fits: bool
    notes: Sequence[str] = ()

    def document(self) -> Mapping[str, Any]:
        trials = [session.trials for session in self.sessions]
        fitted = {"value": 2.0 * max(trials) if self.fits else math.nan}
        names = {"rate": sum(trials) / len(trials)} if sum(trials) != 13 else {}
        return {"groups": {"pooled": {**names, "fitted": fitted, "fit": fitted if self.fits else None}}}

    def tables(self) -> Iterator[Table]:
        yield from ()


class Trials(Analysis[Session]):
    about = "trials"
    columns = ("trials",)
    options = ()

    def __init__(self) -> None:
        super().__init__({})
        self.asked: list[bool] = []

    def of_session(self, session: RecordedSession) -> tuple[Session, Sequence[str]]:
        if not session.simulated:
            raise ConfigError(f"{session.full_name}: has no trials")
        return Session(session.full_name, len(session.rows())), ()

    def report(self, sources: Sequence[Source[Session]], *, fits: bool) -> Found:
        self.asked.append(fits)
        return Found([source.session for source in sources], fits)


def session(subject: str, number: int, trials: int | None) -> RecordedSession:
    """Make a session of so many trials, or a real one, in which `Trials` finds none."""
    rows = [TrialLine(trial, {"trials": trial}) for trial in range(trials or 0)]
    return SessionOfLines(f"{subject}/{number}", *rows, simulated=trials is not None)


def sessions(*subjects: Sequence[int | None]) -> Iterator[tuple[str, list[RecordedSession]]]:
    for place, trials in enumerate(subjects):
        name = f"base-{place + 1:03}"
        yield (
            name,
            [session(name, number, count) for number, count in enumerate(trials)],
        )


def taking(place: str, **given: Any) -> Power:
    return question(**given, statistic={"take": f"groups/pooled/{place}", "name": "rate"})


def values_in(analysis: Trials, power: Power, subjects: Iterator[tuple[str, list[RecordedSession]]]) -> ArmValues:
    return together(power, [values_of(analysis, power, name, of_subject) for name, of_subject in subjects])


def test_the_number_is_that_of_the_first_sessions() -> None:
    taken = values_in(Trials(), taking("rate"), sessions((1, 2, 6), (4, 4, 4)))
    assert taken.values.tolist() == [[1, 3], [4, 4]]
    assert taken.notes == ()


def test_a_mixed_model_takes_each_session_by_itself() -> None:
    taken = values_in(Trials(), taking("rate", test="mixed_model"), sessions((1, 2, 6), (4, 5, 4)))
    assert taken.values.tolist() == [[1, 2, 6], [4, 5, 4]]


def test_no_model_is_fitted_where_the_number_is_there_without() -> None:
    analysis = Trials()
    values_in(analysis, taking("rate"), sessions((1, 2, 6), (4, 4, 4)))
    assert analysis.asked == [False] * 4


@pytest.mark.parametrize("place", ["fitted/value", "fit/value"])
def test_a_number_of_a_fit_is_sought_without_fits_once_for_each_subject(place: str) -> None:
    analysis = Trials()
    taken = values_in(analysis, taking(place), sessions((1, 2, 6), (4, 4, 4)))
    assert taken.values.tolist() == [[2, 12], [8, 8]]
    assert analysis.asked == [False, True, True] * 2


def test_a_subject_whose_analysis_gives_nothing_is_nan_and_told() -> None:
    taken = values_in(Trials(), taking("rate"), sessions((1, 2, 6), (13, 1, 1), (None, 1, 1), (4, 4)))
    np.testing.assert_array_equal(taken.values, [[1, 3], [math.nan, 5], [math.nan, math.nan], [4, math.nan]])
    first, second = taken.notes
    assert first.startswith("2 of 4 subjects left out, without a value over 1 session: base-002: groups/pooled")
    assert second.startswith("2 of 4 subjects left out, without a value over 3 sessions: base-003: base-003/0: has no")


def test_a_place_that_no_subject_has_is_a_mistake() -> None:
    with pytest.raises(
        ConfigError, match="no subject has this number: groups/pooled: there is no 'rates'; did you mean"
    ):
        values_in(Trials(), taking("rates"), sessions((1, 2, 6), (4, 4, 4)))
