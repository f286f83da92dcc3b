"""How sessions of whatever protocol are drawn."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.analysis.common.style import GREEN, RED
from rig.analysis.sessions.figures import COLORS, MOST_OUTCOMES, MOST_TICKS, days, glance, kinds_of, log_ticks
from tests.analysis.sessions.visits import visit


def test_an_outcome_has_the_same_color_in_sessions_with_and_without_the_others() -> None:
    for outcomes in (("rewarded", "omission"), ("rewarded", "omission", "aborted", "unrewarded")):
        found = {kind.name: kind.color for kind in kinds_of([visit(1, outcomes)])}
        assert (found["rewarded"], found["omission"]) == (GREEN, RED)


def test_words_of_a_protocol_are_never_green_and_all_differ() -> None:
    kinds = kinds_of([visit(1, ("hit", "miss", "omission")), visit(2, ("false_alarm", "correct_rejection"))])
    colors = [kind.color for kind in kinds]
    assert GREEN not in colors
    assert len(set(colors)) == len(colors) == 5


@pytest.mark.parametrize("usual", [(), tuple(COLORS)])
def test_rare_outcomes_share_the_last_color(usual: tuple[str, ...]) -> None:
    own = tuple(f"o{place}" for place in range(9))
    kinds = kinds_of([visit(1, (*usual, *usual, *own))])
    assert len(kinds) == MOST_OUTCOMES
    assert kinds[-1].name == "other"
    assert frozenset().union(*(kind.members for kind in kinds)) == {*usual, *own}


def test_the_raster_names_the_outcomes_of_its_session_alone() -> None:
    rich, poor = visit(1, ("rewarded", "omission")), visit(2, ("omission", "omission"))
    raster = glance(poor, kinds_of([rich, poor])).axes[0]
    assert [label.get_text() for label in raster.get_yticklabels()] == ["omission"]


@given(st.floats(1e-3, 1e4), st.floats(1.0, 1e5))
def test_a_logarithmic_axis_has_few_labels_around_all_values(low: float, ratio: float) -> None:
    ticks = log_ticks(low, low * ratio)
    assert ticks[0] <= low
    assert ticks[-1] >= low * ratio
    assert len(ticks) >= 2
    assert len(ticks) <= MOST_TICKS or ratio > 10 ** (MOST_TICKS - 2)
    assert all(after > before for before, after in itertools.pairwise(ticks))


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_ticks_of_days_are_numbers_of_sessions(count: int) -> None:
    visits = [visit(day) for day in range(1, count + 1)]
    for axes in days(visits, kinds_of(visits)).axes:
        ticks = [tick for tick in axes.get_xticks() if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]]
        assert ticks
        assert {float(tick) for tick in ticks} <= set(range(1, count + 1))


def test_markers_at_the_ends_of_an_axis_are_whole() -> None:
    every = visit(1, ("rewarded",) * 5)
    _, share, amount, _ = days([every], kinds_of([every])).axes
    assert share.get_ylim()[0] < 0 < 1 < share.get_ylim()[1]
    assert amount.get_ylim()[1] > 5.0
