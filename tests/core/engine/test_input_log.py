from hypothesis import given
from hypothesis import strategies as st

from rig.core.engine.input_log import LATEST, Changes, InputLog
from rig.core.model.events import Edge

times = st.lists(st.integers(0, 10**12), max_size=50).map(sorted)


def test_an_input_that_never_changed_is_at_0_and_has_no_last_time():
    log = InputLog()
    assert log.level("left.beam") == 0
    assert (log.changes("left.beam", 1).count, log.changes("left.beam", 1).last_s) == (0, None)


def test_a_level_is_that_of_the_last_edge_and_changes_are_counted_for_each_level_and_input():
    log = InputLog()
    for number, (level, t_us) in enumerate([(1, 1_000_000), (0, 1_500_000), (1, 2_000_000)]):
        log.add(Edge(t_us, "left.beam", level, 0, number))
    log.add(Edge(3_000_000, "right.beam", 1, 0, 4))
    assert (log.level("left.beam"), log.level("right.beam")) == (1, 1)
    assert [log.changes("left.beam", level).count for level in (0, 1)] == [1, 2]
    assert [log.changes("left.beam", level).last_s for level in (0, 1)] == [1.5, 2.0]
    assert log.changes("right.beam", 1).last_s == 3.0


@given(times, st.integers(0, 10**12))
def test_changes_since_a_time_are_those_stamped_then_or_later(stamps, from_us):
    changes = Changes()
    for t_us in stamps:
        changes.add(t_us)
    assert changes.since(from_us / 1e6) == tuple(t_us / 1e6 for t_us in stamps if t_us >= from_us)
    assert changes.count == len(stamps)


def test_the_latest_times_are_kept_and_all_changes_are_counted():
    changes = Changes()
    for t_us in range(LATEST + 5):
        changes.add(t_us)
    assert changes.count == LATEST + 5
    assert len(changes.since(0)) == LATEST
    assert changes.since(0)[0] == 5e-6
