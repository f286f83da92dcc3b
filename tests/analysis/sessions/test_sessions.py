"""What is said of sessions of whatever protocol."""

import json
import math
from pathlib import Path

import pytest
from matplotlib.image import imread

from rig.analysis.common.plugin import Source
from rig.analysis.common.style import save_all
from rig.analysis.sessions.report import SessionsReport, share
from rig.analysis.sessions.visits import SessionRecord
from tests.analysis.sessions.visits import OUTCOMES, visit


def answer(*visits: SessionRecord, drawn: int = 3) -> SessionsReport:
    return SessionsReport.of([Source(Path(each.name), each) for each in visits], drawn)


def test_a_session_has_its_trials_with_times_and_outcomes_and_what_was_given() -> None:
    found = visit()
    assert (found.trials, found.rewarded_trials, found.duration_s) == (4, 2, 60.0)
    assert found.end_s.tolist() == [1, 4, 9, 16]
    assert found.outcomes == {"rewarded": 2, "unrewarded": 1, "omission": 1}
    assert found.given == {"ul": 5.0}


def test_a_session_without_its_end_lasts_until_its_last_trial() -> None:
    found = visit(ended=False)
    assert (found.duration_s, found.reason, found.given) == (16.0, "", {})


def test_a_protocol_that_says_nothing_of_rewards_has_no_share() -> None:
    found = visit(outcomes=("", ""))
    assert found.rewarded is None
    assert all(math.isnan(value) for value in share(found))


def test_the_share_that_is_rewarded_has_an_honest_interval() -> None:
    p, low, high = share(visit(outcomes=("rewarded",) * 10))
    assert (p, high) == (1, pytest.approx(1))
    assert low == pytest.approx(0.7225, abs=1e-3)


def test_sessions_are_in_the_order_in_which_they_began_and_three_have_an_error() -> None:
    two = answer(visit(2), visit(1))
    assert [each.start[8:10] for each in two.sessions] == ["01", "02"]
    assert math.isnan(two.subjects[0].trials.sem)
    assert answer(visit(1), visit(2), visit(3, OUTCOMES[:1])).subjects[0].trials.sem == pytest.approx(1.0)


def test_the_document_is_plain_data() -> None:
    found = json.loads(json.dumps(answer(visit(), visit(2, ())).document(), allow_nan=False))
    assert found["sessions"][1]["rewarded_share"] == {"value": None, "low": None, "high": None}
    assert found["subjects"][0]["given"]["ul"]["mean"] == 5.0


def test_every_protocol_has_a_figure_of_a_session_and_one_of_the_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.analysis.common.style.DOTS_PER_INCH", 50)
    odd = tuple(f"outcome {place}" for place in range(9))
    paths = save_all(answer(visit(1), visit(2, odd), visit(3, ()), drawn=2).figures(), tmp_path)
    assert [path.name for path in paths] == [
        "M1_p_days.png",
        "M1_2026-11-02_001_session.png",
        "M1_2026-11-03_001_session.png",
    ]
    for path in paths:
        assert 0.002 < (imread(path)[..., :3] < 0.9).any(axis=2).mean() < 0.9
