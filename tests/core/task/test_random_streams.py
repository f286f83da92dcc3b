import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.errors import TaskError
from rig.core.task.random_streams import RandomStreams, Stream, session_seed

numbers = st.floats(0, 1, exclude_max=True)


def says(*values: float) -> Stream:
    """Return a stream that gives these numbers and no more."""
    return Stream(iter(values).__next__)


def test_a_stream_is_made_of_the_seed_and_its_name():
    drawn = [
        RandomStreams(7)("reward").random(),
        RandomStreams(7)("block").random(),
        RandomStreams(8)("reward").random(),
    ]
    assert drawn == [random.Random(text).random() for text in ("7/reward", "7/block", "8/reward")]
    assert len(set(drawn)) == 3


def test_a_stream_that_is_asked_for_again_goes_on():
    streams = RandomStreams(7)
    assert streams("reward") is streams("reward")
    assert streams("reward").random() != streams("reward").random()


def test_draws_of_one_stream_leave_the_others_alone():
    alone, disturbed = RandomStreams(7), RandomStreams(7)
    for _ in range(10):
        disturbed("another subject").random()
    assert [alone("reward").random() for _ in range(5)] == [disturbed("reward").random() for _ in range(5)]


@pytest.mark.parametrize(("number", "chosen"), [(0.0, "a"), (0.333, "a"), (0.334, "b"), (0.999999, "c")])
def test_one_number_chooses_one_option(number, chosen):
    assert says(number).choice("abc") == chosen


@pytest.mark.parametrize(("number", "happens"), [(0.0, True), (0.299, True), (0.3, False), (0.999, False)])
def test_what_has_a_probability_happens_below_it(number, happens):
    assert says(number).bernoulli(0.3) is happens


@given(numbers, st.integers(-1000, 1000), st.integers(0, 1000))
def test_a_whole_number_is_between_its_bounds_and_both_may_come(number, low, more):
    assert low <= says(number).integer(low, low + more) <= low + more
    assert says(0.0).integer(low, low + more) == low
    assert says(1 - 2**-53).integer(low, low + more) == low + more


@given(numbers)
def test_an_even_draw_from_minus_one_to_one_is_twice_the_number_less_one(number):
    assert says(number).uniform(-1, 1) == 2 * number - 1


def test_normal_draws_have_their_mean_and_their_deviation_and_take_two_numbers():
    stream = RandomStreams(3)("noise")
    drawn = [stream.normal(5.0, 2.0) for _ in range(20_000)]
    assert sum(drawn) / len(drawn) == pytest.approx(5.0, abs=0.05)
    assert sum((one - 5.0) ** 2 for one in drawn) / len(drawn) == pytest.approx(4.0, abs=0.1)
    assert sum(abs(one - 5.0) > 4.0 for one in drawn) / len(drawn) == pytest.approx(0.0455, abs=0.005)
    assert says(1 - math.exp(-2), 0.5, 0.9).normal() == pytest.approx(-2.0)


def test_exponential_draws_have_their_mean_and_are_never_negative():
    stream = RandomStreams(3)("wait")
    drawn = [stream.exponential(5.0) for _ in range(20_000)]
    assert min(drawn) >= 0
    assert sum(drawn) / len(drawn) == pytest.approx(5.0, abs=0.15)
    assert sum(one > 5.0 for one in drawn) / len(drawn) == pytest.approx(math.exp(-1), abs=0.01)


@given(st.lists(st.integers()), st.integers())
def test_a_shuffle_has_every_value_and_takes_one_number_for_each(values, seed):
    stream, beside = (Stream(random.Random(seed).random) for _ in range(2))
    assert sorted(stream.shuffled(values)) == sorted(values)
    for _ in values:
        beside.random()
    assert stream.random() == beside.random()


def test_all_orders_of_a_shuffle_come_as_often():
    stream = RandomStreams(1)("order")
    orders = Counter("".join(stream.shuffled("abc")) for _ in range(6_000))
    assert len(orders) == 6
    assert min(orders.values()) > 850


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda stream: stream.bernoulli(1.2), "a probability of 1.2: wanted 0 to 1"),
        (lambda stream: stream.bernoulli(math.nan), "a probability of nan: wanted 0 to 1"),
        (lambda stream: stream.integer(3, 2), "a whole number from 3 to 2: wanted the smaller one first"),
        (lambda stream: stream.choice([]), "a choice among no options: wanted one at least"),
        (lambda stream: stream.choice({"a", "b"}), r"choice of a set, .*: write choice\(sorted\(\.\.\.\)\)"),
        (lambda stream: stream.shuffled(frozenset("ab")), "shuffled of a set, whose order differs from process"),
    ],
)
def test_a_draw_that_cannot_be_is_refused_and_takes_no_number(draw, said):
    with pytest.raises(TaskError, match=said):
        draw(says())


def test_every_session_of_a_campaign_has_its_own_seed_that_never_changes():
    seeds = [session_seed(1, subject, session) for subject in ("m1", "m2") for session in range(50)]
    assert len(set(seeds)) == len(seeds)
    assert session_seed(1, "m1", 0) == 239142206532528


@given(st.integers(), st.text(), st.integers(0))
def test_a_session_seed_is_a_number_that_any_json_reader_keeps(campaign, subject, session):
    assert 0 <= session_seed(campaign, subject, session) < 2**48
