"""How a subject is drawn over its days."""

import datetime

from matplotlib.dates import num2date

from rig.analysis.sessions.subject_figure import subject_figure
from rig.config.subject_facts import SubjectFacts
from rig.records.subject.days import SubjectDay
from rig.records.subject.report import SubjectReport

DAY = datetime.date(2026, 11, 24)


def report(*days: SubjectDay) -> SubjectReport:
    return SubjectReport(
        subject="M1",
        facts=SubjectFacts(),
        restriction="water",
        baseline_g=24.5,
        baseline_date=None,
        implant_g=None,
        baseline_warning="",
        stage=None,
        sessions=0,
        days=list(days),
        due_today=None,
        open_top_ups=[],
        notes=[],
        entries=[],
        changes=[],
        damage=[],
        unfinished=[],
    )


def test_the_axis_of_a_single_day_has_the_days_before_it_and_none_to_come() -> None:
    figure = subject_figure(report(SubjectDay(day=DAY, weight_g=23.8, percent=97.1)))
    for axes in figure.axes:
        first, last = (num2date(end).date() for end in axes.get_xlim())
        assert first < DAY - datetime.timedelta(days=6)
        assert last == DAY


def test_a_triangle_is_explained_where_one_is_drawn() -> None:
    def texts(*, is_open: bool) -> str:
        figure = subject_figure(report(SubjectDay(day=DAY, by_hand_ul=100, top_up_open=is_open)))
        return " ".join(text.get_text() for text in figure.texts)

    assert "triangle: a top-up that was never confirmed" in texts(is_open=True)
    assert "triangle" not in texts(is_open=False)
