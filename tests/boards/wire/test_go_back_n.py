import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import ROOM_BYTES, WINDOW_BYTES, WINDOW_FRAMES, GoBackN


def opened(epoch: int = 1) -> GoBackN:
    protocol = GoBackN()
    protocol.begin_epoch(epoch, fresh=True)
    return protocol


def time_is(number: int, stamp: int = 0, executed: int = 0) -> bytes:
    return frame.encode(wire.TIME.pack(number & 0xFFFF, stamp, executed))


def ack(number: int, epoch: int = 1) -> bytes:
    return frame.encode(wire.ACK.pack(epoch, number & 0xFF, 0))


def batches(data: bytes) -> list[tuple[int, ...]]:
    return [wire.unpack(payload, wire.TO_BOARD)[1:] for payload in frame.Deframer().feed(data)]


def numbers(data: bytes) -> list[int]:
    return [batch[1] for batch in batches(data)]


def numbers_of(messages) -> list[int]:
    return [message[1] for message in messages]


# --- events in ----------------------------------------------------------------------------------------------


def test_events_are_delivered_in_order_and_once():
    protocol = opened()
    assert numbers_of(protocol.receive(time_is(1) + time_is(2))) == [1, 2]
    assert protocol.receive(time_is(2) + time_is(1)) == []
    assert numbers_of(protocol.receive(time_is(3))) == [3]
    assert (protocol.duplicates, protocol.gaps) == (2, 0)


def test_an_event_after_a_gap_waits_for_the_one_that_is_missing():
    protocol = opened()
    assert protocol.receive(time_is(2) + time_is(3)) == []
    assert numbers_of(protocol.receive(time_is(1) + time_is(2) + time_is(3))) == [1, 2, 3]
    assert (protocol.duplicates, protocol.gaps) == (0, 2)


@given(st.lists(st.integers(1, 12), max_size=60))
def test_whatever_is_repeated_lost_or_disordered_is_delivered_in_order_and_once(arriving):
    protocol = opened()
    delivered = [number for event in arriving for number in numbers_of(protocol.receive(time_is(event)))]
    assert delivered == list(range(1, len(delivered) + 1))
    assert len(delivered) + protocol.duplicates + protocol.gaps == len(arriving)


def test_the_fields_of_an_event_follow_its_full_number():
    protocol = opened()
    assert protocol.receive(time_is(1, stamp=77, executed=5)) == [(wire.TIME.code, 1, 77, 5)]


def test_answers_are_delivered_between_events_as_they_come():
    protocol = opened()
    messages = protocol.receive(time_is(1) + ack(3) + time_is(2))
    assert [message[0] for message in messages] == [wire.TIME.code, wire.ACK.code, wire.TIME.code]


def test_more_events_than_two_bytes_can_count():
    protocol, last = opened(), 70_000
    for start in range(1, last, 500):
        chunk = b"".join(map(time_is, range(start, start + 500)))
        delivered = numbers_of(protocol.receive(chunk))
        assert delivered == list(range(start, start + 500))
        protocol.mark_journaled(delivered[0])
        for number in delivered:
            protocol.mark_journaled(number)
        assert batches(protocol.acknowledge()) == [(protocol.last_journaled & 0xFFFF, 0)]
    assert protocol.last_journaled == last
    assert protocol.receive(time_is(last) + time_is(last - 0x7FFF)) == []
    assert (protocol.duplicates, protocol.gaps) == (2, 0)


def test_nonsense_is_counted_as_damage():
    protocol = opened()
    assert protocol.receive(frame.encode(b"\x92short") + frame.encode(b"\x01") + b"\5noise\0") == []
    assert protocol.damaged == 3
    assert numbers_of(protocol.receive(time_is(1))) == [1]


def other_hello(size, version=wire.VERSION + 1):
    return frame.encode(bytes((wire.HELLO.code, version)) + b"\x55" * (size - 2))


@pytest.mark.parametrize("size", [2, wire.HELLO.size.size - 1, wire.HELLO.size.size + 1, frame.LONGEST_PAYLOAD])
def test_of_a_greeting_of_another_length_only_the_version_is_read(size):
    protocol = GoBackN()
    ((code, version, *others),) = protocol.receive(other_hello(size))
    assert (code, version) == (wire.HELLO.code, wire.VERSION + 1)
    assert others == [0] * (len(wire.HELLO.layout) - 2) + [bytes(wire.NAME_BYTES)]
    assert protocol.damaged == 0


def test_a_greeting_of_another_length_is_damage_in_this_version_and_during_a_session():
    protocol = GoBackN()
    assert protocol.receive(other_hello(20, wire.VERSION) + frame.encode(bytes((wire.HELLO.code,)))) == []
    protocol.begin_epoch(1, fresh=True)
    assert protocol.receive(other_hello(20)) == []
    assert protocol.damaged == 3


def test_events_of_an_earlier_session_are_not_delivered():
    protocol = GoBackN()  # the board has not answered OPEN yet, but still repeats what it had to say
    assert protocol.receive(time_is(1) + time_is(2)) == []
    protocol.begin_epoch(7, fresh=True)
    assert numbers_of(protocol.receive(time_is(1))) == [1]


# --- acknowledging events -----------------------------------------------------------------------------------


def test_an_event_is_acknowledged_only_when_it_is_on_record():
    protocol = opened()
    protocol.receive(time_is(1) + time_is(2))
    assert protocol.ack_due
    assert batches(protocol.acknowledge()) == [(0, 0)]
    protocol.mark_journaled(1)
    assert batches(protocol.acknowledge()) == [(1, 0)]
    assert not protocol.ack_due


def test_an_event_behind_one_that_is_not_on_record_is_never_acknowledged():
    protocol = opened()
    protocol.receive(time_is(1) + time_is(2) + time_is(3))
    protocol.mark_journaled(1)
    protocol.mark_journaled(3)
    assert protocol.last_journaled == 1


def test_a_repeated_event_is_acknowledged_again():
    protocol = opened()
    protocol.receive(time_is(1))
    protocol.mark_journaled(1)
    protocol.acknowledge()
    protocol.receive(time_is(1))
    assert protocol.ack_due


def test_a_batch_acknowledges_what_was_journaled():
    protocol = opened()
    protocol.receive(time_is(1))
    protocol.mark_journaled(1)
    protocol.add_batch([(b"\0", 1)], 0)
    assert batches(protocol.frames_to_send(0.0)) == [(1, 1, 1, 0, 1)]
    assert not protocol.ack_due


def test_a_batch_that_waited_for_room_acknowledges_what_was_journaled_when_it_is_sent():
    protocol = opened()
    for _ in range(2):
        protocol.add_batch([(bytes(ROOM_BYTES), ROOM_BYTES)], 0)
    protocol.frames_to_send(0.0)
    protocol.receive(time_is(1))
    protocol.mark_journaled(1)
    protocol.acknowledged(1, 1, 0.1)
    sent = protocol.frames_to_send(0.1)
    assert batches(sent) == [(1, 2, 1, 0, ROOM_BYTES)]
    assert not protocol.ack_due
    protocol.receive(time_is(2))
    protocol.mark_journaled(2)
    assert protocol.frames_to_resend(1.0) == sent
    assert protocol.ack_due


def test_an_event_that_is_not_yet_on_record_is_still_to_be_acknowledged_after_a_batch():
    """An ACK in the same read makes room for a batch before the event behind it is handled."""
    protocol = opened()
    protocol.receive(time_is(1))
    protocol.add_batch([(b"\0", 1)], 0)
    assert batches(protocol.frames_to_send(0.0)) == [(1, 1, 0, 0, 1)]
    protocol.mark_journaled(1)
    assert protocol.ack_due
    assert batches(protocol.acknowledge()) == [(1, 0)]


# --- batches out --------------------------------------------------------------------------------------------


def test_a_batch_tells_its_epoch_its_number_and_what_was_seen():
    protocol = opened(epoch=9)
    assert protocol.add_batch([(b"\x01\x01", 2)], 0x1_2345) == 1
    assert batches(protocol.frames_to_send(0.0)) == [(9, 1, 0, 0x2345, 2)]
    assert protocol.number == 1


def test_a_batch_that_fills_the_window_travels_alone():
    protocol = opened()
    for _ in range(2):
        protocol.add_batch([(bytes(ROOM_BYTES), ROOM_BYTES)], 0)
    sent = protocol.frames_to_send(0.0)
    assert len(sent) == WINDOW_BYTES
    assert numbers(sent) == [1]
    assert protocol.frames_to_send(0.0) == b""
    protocol.acknowledged(1, 1, 0.1)
    assert numbers(protocol.frames_to_send(0.1)) == [2]


def test_the_frames_of_a_batch_are_numbered_and_the_last_one_completes_it():
    protocol = opened()
    assert protocol.add_batch([(b"\0", 1)], 0) == 1
    assert protocol.add_batch([(b"\0", 1), (b"\0\0", 2), (b"\0", 1)], 0) == 2
    sent = batches(protocol.frames_to_send(0.0))
    assert sent[:3] == [(1, 1, 0, 0, 1), (1, 2, 0, 0, 1 | wire.MORE_FRAMES), (1, 3, 0, 0, 2 | wire.MORE_FRAMES)]
    # The fourth does not fit the window, so the board cannot have executed the second batch.
    assert len(sent) == 3
    assert (protocol.sent_unacknowledged, protocol.unacknowledged) == ([1], [1, 2])
    assert protocol.extend_batch_number(1) == 1
    assert [protocol.acknowledged(1, number, 0.1) for number in (1, 2)] == [(1, 0.0), (0, 0.0)]
    assert batches(protocol.frames_to_send(0.1)) == [(1, 4, 0, 0, 1)]
    assert (protocol.sent_unacknowledged, protocol.unacknowledged) == ([2], [2])
    assert protocol.extend_batch_number(2) == 2
    assert protocol.acknowledged(1, 4, 0.2) == (2, 0.1)
    # The ACK of its last frame says that the board has all of it.
    assert (protocol.number, protocol.unacknowledged) == (2, [])
    assert protocol.in_flight


@given(st.lists(st.one_of(st.integers(0, ROOM_BYTES), st.none()), max_size=60))
def test_the_window_holds_and_batches_leave_in_order(steps):
    """A number adds a batch of so many bytes, None acknowledges the oldest."""
    protocol, in_flight, left, added = opened(), {}, [], 0
    for step in steps:
        if step is not None:
            added += 1
            assert protocol.add_batch([(bytes(step), step)], 0) == added
        elif in_flight:
            oldest = min(in_flight)
            del in_flight[oldest]
            assert protocol.acknowledged(1, oldest & 0xFF, 1.0) == (oldest, 1.0)
        for framed in protocol.frames_to_send(1.0).split(b"\0")[:-1]:
            left.append(len(left) + 1)
            in_flight[left[-1]] = len(framed) + 1
        assert sum(in_flight.values()) <= WINDOW_BYTES
        assert len(in_flight) <= WINDOW_FRAMES
        waiting = list(range(len(left) + 1, added + 1))
        assert protocol.unacknowledged == [*in_flight, *waiting]
        assert in_flight or not waiting
    assert left == list(range(1, len(left) + 1))


def test_no_batch_leaves_while_the_board_may_forget_the_answer_to_the_oldest():
    """The board remembers the last four: a batch may not be five ahead of one whose answer was lost."""
    protocol = opened()
    for _ in range(10):
        protocol.add_batch([(b"\0", 1)], 0)
    sent = numbers(protocol.frames_to_send(0.0))
    for _ in range(10):
        for number in sent[1:]:
            protocol.acknowledged(1, number, 0.1)
        sent += numbers(protocol.frames_to_send(0.1))
    assert sent == [1, 2, 3, 4]
    protocol.acknowledged(1, 1, 0.2)
    assert numbers(protocol.frames_to_send(0.2)) == [5, 6, 7]


def test_more_batches_than_one_byte_can_count():
    protocol = opened()
    for number in range(1, 3001):
        assert protocol.add_batch([(b"\0", 1)], 0) == number
        assert numbers(protocol.frames_to_send(0.0)) == [number & 0xFF]
        assert protocol.extend_batch_number(number - 1 & 0xFF) == number - 1
        assert protocol.extend_batch_number(number & 0xFF) == number
        assert protocol.acknowledged(1, number & 0xFF, 0.0) == (number, 0.0)
    assert protocol.unacknowledged == []


def test_more_batches_than_one_byte_can_count_may_wait_for_their_turn():
    protocol = opened()
    for _ in range(600):
        protocol.add_batch([(b"\0", 1)], 0)
    done = []
    while protocol.unacknowledged:
        for number in numbers(protocol.frames_to_send(0.0)):
            assert protocol.extend_batch_number(number) == len(done) + 1
            done.append(protocol.acknowledged(1, number, 0.0)[0])
    assert done == list(range(1, 601))


def test_a_batch_of_which_only_the_first_frame_was_sent_may_be_named_by_the_board():
    protocol = opened()
    protocol.add_batch([(b"", 0)], 0)
    protocol.add_batch([(bytes(ROOM_BYTES), 1), (b"", 0)], 0)
    sent = numbers(protocol.frames_to_send(0))
    assert protocol.acknowledged(1, 1, 0) == (1, 0)
    assert [*sent, *numbers(protocol.frames_to_send(0))] == [1, 2]
    assert protocol.unacknowledged == [2]
    assert protocol.sent_unacknowledged == []
    assert [protocol.extend_batch_number(number) for number in (1, 2)] == [1, 2]


def test_acknowledgements_that_are_repeated_late_or_of_another_epoch_say_nothing():
    protocol = opened(epoch=2)
    protocol.add_batch([(b"\0", 1)], 0)
    protocol.frames_to_send(0.0)
    assert protocol.acknowledged(1, 1, 0.1) is None
    assert protocol.acknowledged(2, 2, 0.1) is None
    assert protocol.acknowledged(2, 1, 0.1) is not None
    assert protocol.acknowledged(2, 1, 0.1) is None


def test_a_new_epoch_discards_the_batches_of_the_old_one_and_goes_on_counting_events():
    protocol = opened()
    for _ in range(8):
        protocol.add_batch([(bytes(20), 1)], 0)
    protocol.frames_to_send(0.0)
    protocol.receive(time_is(1))
    protocol.begin_epoch(2)
    assert protocol.unacknowledged == []
    assert protocol.frames_to_send(0.0) == protocol.frames_to_resend(9.0) == b""
    assert protocol.add_batch([(b"\0", 1)], 0) == 1
    assert numbers_of(protocol.receive(time_is(2))) == [2]


# --- repeating ----------------------------------------------------------------------------------------------


def resend_times(protocol: GoBackN, start: float, until: float) -> list[float]:
    """When the batches are repeated, if the host looks every ten milliseconds."""
    looks = (start + n / 100 for n in range(1, round(until * 100)))
    return [round(now - start, 6) for now in looks if protocol.frames_to_resend(now)]


@pytest.mark.parametrize("start", [0.0, 0.1, 0.7, 1.1, 3.3, 1000.1, 123456.78])
def test_waits_double_up_to_half_a_second(start):
    protocol = opened()
    protocol.add_batch([(b"\0", 1)], 0)
    protocol.frames_to_send(start)
    times = resend_times(protocol, start, 3.0)
    assert times == [0.02, 0.06, 0.14, 0.3, 0.62, 1.12, 1.62, 2.12, 2.62]
    assert protocol.resent == 9


def test_a_batch_is_repeated_as_often_as_it_takes():
    protocol = opened()
    protocol.add_batch([(b"\0", 1)], 0)
    protocol.frames_to_send(0.0)
    assert all(numbers(protocol.frames_to_resend(float(second))) == [1] for second in range(1, 3000))


def test_a_repeated_batch_is_the_same_to_the_byte():
    protocol = opened()
    protocol.add_batch([(b"\0", 1)], 7)
    sent = protocol.frames_to_send(0.0)
    assert protocol.frames_to_resend(1.0) == sent


def test_what_is_behind_an_overdue_batch_is_repeated_with_it_for_the_board_took_none_of_it():
    protocol = opened()
    for now in (0.0, 0.015):
        protocol.add_batch([(b"\0", 1)], 0)
        protocol.frames_to_send(now)
    assert protocol.frames_to_resend(0.019) == b""
    assert protocol.resend_in(0.019) == pytest.approx(0.001, abs=0.0001)
    assert numbers(protocol.frames_to_resend(0.021)) == [1, 2]
    assert numbers(protocol.frames_to_resend(0.061)) == [1, 2]


def test_the_wait_for_a_batch_is_short_again_once_another_was_acknowledged():
    protocol = opened()
    for _ in range(2):
        protocol.add_batch([(b"\0", 1)], 0)
    protocol.frames_to_send(0.0)
    for now in (0.02, 0.06, 0.14):
        assert numbers(protocol.frames_to_resend(now)) == [1, 2]
    protocol.acknowledged(1, 1, 0.141)
    assert protocol.resend_in(0.141) == pytest.approx(0.14 + protocol.resend_after() - 0.141, abs=0.001)


def test_the_wait_is_three_round_trips():
    protocol = opened()
    assert protocol.resend_after() == 0.02
    for number in range(1, 100):
        protocol.add_batch([(b"\0", 1)], 0)
        protocol.frames_to_send(float(number))
        protocol.acknowledged(1, number, number + 0.05)
    assert protocol.round_trip == pytest.approx(0.05)
    assert protocol.resend_after() == pytest.approx(0.15)


def test_a_repeated_batch_does_not_say_how_long_a_round_trip_takes():
    protocol = opened()
    for number, start in ((1, 1.0), (2, 5.0)):
        protocol.add_batch([(b"\0", 1)], 0)
        protocol.frames_to_send(start)
        protocol.frames_to_resend(start + 0.1 * (number - 1))
        protocol.acknowledged(1, number, start + 0.002 + 0.1 * (number - 1))
    assert protocol.round_trip == pytest.approx(0.002)


def test_the_moment_of_a_repeated_batch_is_not_known():
    protocol = opened()
    protocol.add_batch([(b"\0", 1)], 0)
    protocol.frames_to_send(1.0)
    protocol.frames_to_resend(2.0)
    assert protocol.acknowledged(1, 1, 2.001) == (1, 0.0)


def test_where_even_the_first_batch_is_repeated_the_wait_grows_to_the_links_own_pace():
    protocol, trip = opened(), 0.06
    for number in range(1, 20):
        start = float(number)
        protocol.add_batch([(b"\0", 1)], 0)
        protocol.frames_to_send(start)
        for look in range(1, 6):
            protocol.frames_to_resend(start + look / 100)
        protocol.acknowledged(1, number, start + trip)
    assert protocol.resent == 1
    assert protocol.round_trip == pytest.approx(trip)


def test_no_round_trip_makes_the_wait_longer_than_half_a_second():
    protocol = opened()
    protocol.add_batch([(b"\0", 1)], 0)
    protocol.frames_to_send(0.0)
    protocol.acknowledged(1, 1, 4.0)
    assert protocol.resend_after() == 0.5
