import pytest

from rig.core.engine.inbox import Inbox
from rig.core.errors import LinkLostError, RecordError, WireError
from rig.core.journal.journal import Journal
from rig.core.model.events import BoardTime, Edge
from tests.journal_lines import read_line

EDGE, TIME = Edge(5, "left.beam", 1, 0, 1), BoardTime(9, 0, 2)


def test_an_event_is_in_the_journal_before_the_reader_has_it():
    lines: list[bytes] = []
    seen = []
    inbox = Inbox(Journal(lines.append), lambda: seen.append((len(lines), list(inbox.events))))
    inbox.put(EDGE)
    inbox.put(TIME)
    assert seen == [(1, [EDGE]), (2, [EDGE, TIME])]
    assert [type(read_line(line)) for line in lines] == [Edge, BoardTime]


def test_an_event_that_cannot_be_journalled_is_never_seen():
    def refuse(line):
        raise RecordError("the disk is full")

    inbox = Inbox(Journal(refuse), pytest.fail)
    with pytest.raises(RecordError):
        inbox.put(EDGE)
    assert not inbox.events


def test_events_wait_for_a_reader_that_comes_later():
    inbox = Inbox(Journal(lambda line: None))
    inbox.put(EDGE)
    inbox.fail(LinkLostError("gone"))
    assert list(inbox.events) == [EDGE]


def test_the_first_failure_is_the_one_that_is_reported():
    told = []
    inbox = Inbox(Journal(lambda line: None), lambda: told.append(str(inbox.failure)))
    inbox.fail(WireError("nonsense"))
    inbox.fail(LinkLostError("and then gone"))
    assert told == ["nonsense", "nonsense"]
