"""When an edge should have fired."""

from rig.core.model.board import Input
from rig.core.model.channels import Role
from rig.core.model.events import Edge
from rig.diagnostics.timing.expected import expected_events

BEAM = Input("beam", Role.LINE, 2, debounce_us=5_000, confirm_on_us=100)


def edge(level: int, t_us: int) -> Edge:
    return Edge(t_us, "beam", level, 0, 1)


def test_an_edge_fires_when_it_is_confirmed() -> None:
    (first,) = expected_events(BEAM, [(1_000.25, 1)], [edge(1, 1_000)])
    assert (first.at_us, first.due_us) == (1_000.25, 1_100.25)


def test_an_edge_in_the_lock_out_fires_at_its_end() -> None:
    _, second = expected_events(BEAM, [(1_000.0, 1), (3_000.0, 0)], [edge(1, 1_000), edge(0, 3_001)])
    assert (second.at_us, second.due_us) == (3_000.0, 6_000.0)


def test_an_edge_after_the_lock_out_needs_no_more_than_its_confirmation() -> None:
    _, second = expected_events(BEAM, [(1_000.0, 1), (7_000.0, 0)], [edge(1, 1_000), edge(0, 7_000)])
    assert second.due_us == 7_000.0


def test_of_many_changes_the_one_next_to_the_stamp_is_meant() -> None:
    puts = [(1_000.0, 1), (2_000.0, 0), (2_700.0, 1), (3_400.0, 0)]
    assert [each.at_us for each in expected_events(BEAM, puts, [edge(1, 1_000), edge(0, 3_396)])] == [1_000.0, 3_400.0]
