"""Who a bird is by its name."""

import statistics

import pytest

from protocols.disk_bandit.subjects.pigeon_parameters import FLOCK, LIKING, place_preferences, traits_of


def test_six_birds_that_are_counted_are_the_six_of_the_flock() -> None:
    assert tuple(traits_of(f"sim{number:03d}") for number in range(1, 7)) == FLOCK
    assert traits_of("P7") == traits_of("P1")


def test_a_bird_with_a_name_is_one_of_them_for_life() -> None:
    assert {traits_of(name) for name in ("Cosmo", "Estelle", "Ariel", "Hester", "Nina", "Olga", "Uri", "Iago")} <= {
        *FLOCK
    }
    assert traits_of("Estelle") == traits_of("Estelle")
    assert len({traits_of(f"bird {letter}") for letter in "abcdefghijklmnopqrstuvwxyz"}) == len(FLOCK)


def test_their_thetas_are_one_on_average_and_one_of_them_likes_nine_seconds() -> None:
    assert statistics.fmean(bird.theta for bird in FLOCK) == pytest.approx(1, abs=0.01)
    assert [bird.likes_vi_s for bird in FLOCK if bird.likes_vi_s is not None] == [9]


def test_every_bird_has_likings_of_its_own_around_the_usual_ones() -> None:
    ariel, hester = place_preferences("Ariel"), place_preferences("Hester")
    assert ariel == place_preferences("Ariel") != hester
    for liking, usual in zip(ariel, (*LIKING, 0.0), strict=True):
        assert abs(liking - usual) <= abs(usual) / 2
    favorites = {max(range(8), key=place_preferences(f"P{number}").__getitem__) for number in range(30)}
    assert len(favorites) > 1


def test_some_of_them_avoid_a_disk_that_has_just_paid_and_the_one_that_likes_nine_seconds_does_not() -> None:
    assert sum(bird.p_leave > 0.8 for bird in FLOCK) == 3
    assert [bird.p_leave for bird in FLOCK if bird.likes_vi_s is not None] == [0]
