"""States as intervals, and of each reward the line that counts."""

import pytest

from rig.core.journal.kinds import StateLine
from rig.core.model.line import Line
from rig.records.session.last_rewards import last_rewards
from rig.records.session.state_spans import StateSpan, StateSpans
from tests.journal_lines import FOOTER, made
from tests.records.folded import folded
from tests.records.journals import Book

END = made("footer", 9, **FOOTER)


def test_the_last_line_of_each_reward_counts_in_the_order_of_the_first() -> None:
    book = Book()
    for number, status in ((2, "pending"), (1, "pending"), (2, "delivered"), (1, "cancelled"), (2, "delivered")):
        book.gave(number, status)
    assert last_rewards(book.lines) == [book.lines[4], book.lines[3]]
    assert last_rewards([END]) == []


@pytest.mark.parametrize(
    ("lines", "end_us"),
    [([], None), ([END], 9), ([END, made("footer", 12, **FOOTER)], 9)],
    ids=["no end", "ended", "corrected afterwards"],
)
def test_a_state_lasts_until_the_next_one_and_the_last_until_the_end(lines: list[Line], end_us: int | None) -> None:
    states = [StateLine(1, "wait"), made("batch_done", 2, batch=1), StateLine(5, "choose"), StateLine(5, "wait")]
    assert list(folded(StateSpans(), [*states, *lines])) == [
        StateSpan("wait", 1, 5),
        StateSpan("choose", 5, 5),
        StateSpan("wait", 5, end_us),
    ]


def test_without_states_there_are_no_spans() -> None:
    assert list(folded(StateSpans(), [END])) == []
