import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.streams import Streams, choose, session_seed


class Says:
    """A stream that draws what it is told to."""

    def __init__(self, *values):
        self.values = list(values)

    def random(self):
        return self.values.pop(0)


def test_a_stream_is_made_of_the_seed_and_its_name():
    drawn = [Streams(7)("reward").random(), Streams(7)("block").random(), Streams(8)("reward").random()]
    assert drawn == [random.Random(text).random() for text in ("7/reward", "7/block", "8/reward")]
    assert len(set(drawn)) == 3


def test_a_stream_that_is_asked_for_again_goes_on():
    streams = Streams(7)
    assert streams("reward") is streams("reward")
    assert streams("reward").random() != streams("reward").random()


def test_draws_of_one_stream_leave_the_others_alone():
    alone, disturbed = Streams(7), Streams(7)
    for _ in range(10):
        disturbed("another subject").random()
    assert [alone("reward").random() for _ in range(5)] == [disturbed("reward").random() for _ in range(5)]


@pytest.mark.parametrize(("drawn", "chosen"), [(0.0, "a"), (0.333, "a"), (0.334, "b"), (0.999999, "c")])
def test_one_number_chooses_one_option(drawn, chosen):
    stream = Says(drawn)
    assert choose(stream, "abc") == chosen
    assert stream.values == []


def test_every_session_of_a_campaign_has_its_own_seed_that_never_changes():
    seeds = [session_seed(1, subject, session) for subject in ("m1", "m2") for session in range(50)]
    assert len(set(seeds)) == len(seeds)
    assert session_seed(1, "m1", 0) == 239142206532528


@given(st.integers(), st.text(), st.integers(0))
def test_a_session_seed_is_a_number_that_any_json_reader_keeps(campaign, subject, session):
    assert 0 <= session_seed(campaign, subject, session) < 2**48
