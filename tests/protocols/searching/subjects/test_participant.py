"""A participant before a screen: pages, questions, clicks with their times, and the best tile."""

import math
import statistics
from itertools import pairwise

import pytest

from protocols.searching.grids.places import Grid
from protocols.searching.subjects.parameters import LocalSearchParams, WinStayParams
from protocols.searching.subjects.participant import ParticipantParams
from protocols.searching.subjects.participants import LocalSearch, RandomClicker, WinStay
from protocols.searching.subjects.seen import buttons_in, number_in, tiles_in, words_in
from rig.core.model.scene import Button, Scene, Text, Tile
from tests.protocols.searching.subjects.screen_game import ScreenGame, play, slope

GRID = Grid(6, 5)


def test_it_clicks_all_rounds_to_their_end_and_points_at_the_best_tile_that_it_has_seen() -> None:
    game = play(RandomClicker(ParticipantParams()), ScreenGame([slope(GRID)] * 3, clicks=7))
    assert [sum(number == at for _, number, _ in game.clicked) for at in range(3)] == [7, 7, 7]
    assert game.guess is not None
    assert game.guess[0] == GRID.width - 1


def test_it_clicks_in_the_time_of_people() -> None:
    game = play(RandomClicker(ParticipantParams()), ScreenGame([slope(GRID)] * 2, clicks=250))
    times = [time_s for time_s, number, _ in game.clicked if number == 0]
    between = [later - sooner for sooner, later in pairwise(times)]
    assert statistics.median(between) == pytest.approx(1.1, rel=0.1)
    assert statistics.stdev(math.log(seconds) for seconds in between) == pytest.approx(0.6, abs=0.1)


def test_it_needs_some_time_to_read() -> None:
    slow, fast = (
        play(RandomClicker(ParticipantParams(words_per_s=words)), ScreenGame([slope(GRID)], clicks=1)).now_s
        for words in (1.0, 10.0)
    )
    assert slow > fast + 25


def test_four_of_five_pass_the_questions_at_the_first_try() -> None:
    games = [
        play(RandomClicker(ParticipantParams()), ScreenGame([slope(GRID)], clicks=1, seed=seed)) for seed in range(100)
    ]
    assert statistics.fmean(not game.wrong_answers for game in games) == pytest.approx(0.8, abs=0.1)


def test_a_sure_participant_passes_at_once() -> None:
    game = ScreenGame([slope(GRID)], clicks=1)
    assert play(RandomClicker(ParticipantParams(p_quiz=1.0)), game).wrong_answers == 0


def test_who_settles_clicks_the_best_tile_until_the_round_ends() -> None:
    params = LocalSearchParams(settle=1.0, tau=100.0)
    values = {**slope(GRID), (5, 0): 76.0}
    game = play(LocalSearch(params), ScreenGame([{**values, (0, 0): 80.0}], clicks=60, seed=3))
    places = [place for _, _, place in game.clicked]
    assert len(set(places)) > 5  # the revealed tile is the best, so that none is a new best
    found = play(LocalSearch(params), _BlindGame([values], clicks=60, seed=3))
    best = [place for _, _, place in found.clicked]
    assert len(set(best[-20:])) == 1


class _BlindGame(ScreenGame):
    """Reveals the worst tile."""

    def _begin_round(self) -> None:
        super()._begin_round()
        worst = min(self._values[self._round], key=lambda place: self._values[self._round][place])
        self._seen = {worst: self._values[self._round][worst]}
        self._show_tiles()


def test_the_careless_click_at_random() -> None:
    params = WinStayParams(careless=1.0)
    game = play(WinStay(params), ScreenGame([slope(GRID)], clicks=60))
    steps = [abs(x - u) + abs(y - v) for (_, _, (x, y)), (_, _, (u, v)) in pairwise(game.clicked)]
    assert statistics.fmean(steps) > 3


def test_a_scene_tells_tiles_numbers_the_threshold_and_the_question() -> None:
    tiles = [
        Tile(x_cm=x, y_cm=1, width_cm=1, height_cm=1, color="#ffffff", name=f"{x},0", text=text)
        for x, text in enumerate(("", "7,5", "62"))
    ]
    line = Text(x_cm=1, y_cm=5, width_cm=9, height_cm=1, text="Round 2: stay above 50", name="threshold")
    stop = Button(x_cm=1, y_cm=9, width_cm=2, height_cm=1, text="Stop", name="stop")
    seen = tiles_in(Scene(items=(*tiles, line, stop)))
    assert seen is not None
    assert (seen.grid, seen.shown, seen.threshold) == (Grid(3), {1: 7.5, 2: 62.0}, 50.0)
    assert not seen.asks_best
    assert buttons_in(Scene(items=(stop,))) == []
    assert words_in(Scene(items=(line, stop))) == 6
    assert tiles_in(Scene(items=(stop,))) is None
    assert number_in(None) is None
