"""Rounds that a fitted model plays with the parameters of people."""

from dataclasses import replace

import numpy as np

from protocols.searching.analysis.cross_validation import Fold
from protocols.searching.analysis.fits import Fits, PersonFit, fits_of
from protocols.searching.analysis.fitted_play import PLAYED, REPEATS, played
from protocols.searching.analysis.rounds import LEFT, GridPerson, GridRound
from tests.protocols.searching.analysis.made import LINE, person, risky_round

HILL = 9 * np.exp(-((LINE.x - 10) ** 2) / 30)
RISKY = risky_round([10, 11, 9, 4], HILL[[10, 11, 9, 4]].tolist(), 5.0, values=HILL)
SAFE = replace(RISKY, risky=False, threshold=None, kept=np.full(4, True), end="all_clicks", condition="safe")


def fitted(*people: GridPerson, risky_tau: float = 0.01, safe_tau: float = 0.01) -> Fits:
    """Fits of the model to people, with a temperature for each kind of round."""
    folds = tuple(
        Fold(block, number, 3, -5.0, {"lambda": 1.0, "tau": tau})
        for number, (block, tau) in enumerate((("risky", risky_tau), ("safe", safe_tau)), 1)
    )
    return fits_of(
        [PersonFit(each.name, PLAYED, 6, -10.0, 0.5, {}, {"lambda": 1.0, "tau": 0.01}, folds) for each in people]
    )


def rounds_of(people: list[GridPerson]) -> tuple[GridRound, ...]:
    (own,) = people
    return own.rounds


def test_each_round_is_played_again_from_its_revealed_tile_at_its_environment() -> None:
    one = person(RISKY, SAFE)
    rounds = rounds_of(played(fitted(one), [one], 1))
    assert len(rounds) == 2 * REPEATS
    for each in rounds:
        assert each.tile[0] == 10
        assert each.drawn.tolist() == HILL[each.tile].tolist()
        assert len(each.tile) <= 1 + each.horizon


def test_a_risky_round_ends_below_the_line_and_a_safe_one_goes_on() -> None:
    one = person(RISKY, SAFE)
    rounds = rounds_of(played(fitted(one, risky_tau=100.0, safe_tau=100.0), [one], 1))
    lost = [each for each in rounds if each.end == "below"]
    assert lost
    for each in lost:
        assert each.risky
        assert each.drawn[-1] < 5 <= each.drawn[:-1].min()
        assert each.kept.tolist() == [True] * each.clicks + [False]
    assert all(each.clicks == each.horizon for each in rounds if not each.risky)


def test_each_kind_of_round_has_its_own_parameters() -> None:
    one = person(RISKY, SAFE)
    rounds = rounds_of(played(fitted(one, risky_tau=0.01, safe_tau=100.0), [one], 1))
    of_risky, of_safe = ([each.tile for each in rounds if each.risky == risky] for risky in (True, False))
    assert np.ptp(np.concatenate(of_risky)) < 8 < np.ptp(np.concatenate(of_safe))


def test_the_same_seed_gives_the_same_rounds() -> None:
    one = person(RISKY)
    first, second = (rounds_of(played(fitted(one, risky_tau=100.0), [one], 3)) for _ in range(2))
    assert [each.tile.tolist() for each in first] == [each.tile.tolist() for each in second]


def test_what_was_left_or_has_no_environment_is_not_played() -> None:
    left, unknown, other = replace(RISKY, end=LEFT), replace(RISKY, values=None), replace(RISKY, values=HILL[:5])
    one = person(left, unknown, other)
    assert played(fitted(one), [one], 1) == []
    assert played(fitted(one), [person(RISKY, name="P2")], 1) == []
