"""What must be true of every session, whatever happened to it: read from its journal and from the pins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.errors import BoardNotFoundError, LinkLostError, NotReadyError
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.header import Footer
from rig.core.journal.kinds import BatchDone, Command, OutputDone, SessionLine, StateLine, TrialLine
from rig.core.model.actions import Action, Arm, RewardAction
from rig.core.model.events import BoardTime, Edge, LeaseExpired, OutputOn, Overflow, Refused, SequenceStarted
from rig.core.model.line import kind_of
from rig.core.model.microseconds import to_us
from rig.records.journal.read import Row
from tests.harness import FaultHarness
from tests.session_specs import DROP_US

REPORTED_WITHIN_US = 25_200
"""A debounced edge is reported, and fires, this long after its stamp at most."""


class Paid(NamedTuple):
    """A drop that the journal accounts for: ``sure`` it was given, or in doubt."""

    place: str
    by: str
    sure: bool
    t_us: int | None


def check_session(harness: FaultHarness) -> None:
    """Hold a session against everything that is promised of all of them."""
    if harness.outcome is None:
        nothing_happened(harness)
        return
    the_journal_is_whole(harness)
    states_partition_the_session(harness)
    every_valve_is_off(harness)
    drops_are_what_the_rows_say(harness)
    the_lines_tell_every_opening(harness)
    a_cut_journal_counts_enough(harness)
    limits_hold(harness)
    if harness.spec.task is TwoArmedBandit:
        rows_follow_the_edges(harness)
    harness.assert_replay_agrees()


def nothing_happened(harness: FaultHarness) -> None:
    """A board that cannot be opened is an error before the first event, and gives nothing."""
    assert isinstance(harness.error, BoardNotFoundError | LinkLostError | NotReadyError), repr(harness.error)
    assert not harness.of_kind(StateLine, TrialLine, Footer)
    assert not harness.valve_openings


def the_journal_is_whole(harness: FaultHarness) -> None:
    """Numbered, sealed, ended by a footer; no event of the board is missing before the last one."""
    footer = harness.footer
    assert footer.counts == dict(Counter(map(kind_of, harness.journal[:-1])))
    numbers = [line.number for line in harness.journal if hasattr(line, "number")]
    assert numbers == sorted(numbers)
    unnumbered = len(harness.of_kind(OutputDone))
    before_first = numbers[0] - 1 if numbers else footer.last_event
    missing = footer.last_event - before_first - len(set(numbers)) - unnumbered
    # The answer to all-off bears the number of the last event, which may be a done; `stop_now` reads no further.
    assert missing in (0, -1) or (missing < 0 and not footer.complete)
    assert footer.trials == len(harness.rows)
    nothing_is_read_backwards(harness)


def nothing_is_read_backwards(harness: FaultHarness) -> None:
    """What a batch has seen never shrinks, and is never older than the lease that began its epoch."""
    leases = [line.number for line in harness.of_kind(LeaseExpired)]
    seen = 0
    for command in harness.of_kind(Command):
        assert command.last_event >= seen
        seen = command.last_event
        if command.epoch:
            assert seen >= leases[command.epoch - 1]


def states_partition_the_session(harness: FaultHarness) -> None:
    """Every state begins where the last one ended, and follows it by declaration or after a cut."""
    task, limits, footer = harness.spec.task, harness.spec.limits, harness.footer
    lines = harness.of_kind(StateLine, LeaseExpired, Overflow)
    initial = next(iter(task.states))
    states = [line for line in lines if isinstance(line, StateLine)]
    if states:
        assert states[0].name == initial
        assert states[0].t_us == harness.of_kind(BoardTime)[0].t_us
    cuts = 0
    for before, after in pairwise(states):
        assert before.t_us <= after.t_us
        if after.name not in task.states[before.name].to:
            assert after.name == initial
            cuts += 1
            earlier = lines[: lines.index(after)]
            assert cuts <= sum(not isinstance(line, StateLine) for line in earlier)
    for state in states[1:]:
        assert state.t_us <= max(limits.session_us + limits.grace_us, states[0].t_us)
    if states:
        assert footer.t_us >= states[-1].t_us
    if footer.reason == "time_limit":
        rests = task.states[states[-1].name].can_end
        assert footer.t_us >= limits.session_us
        assert footer.t_us <= max(limits.session_us + limits.grace_us, states[-1].t_us)
        if not rests:
            assert footer.t_us == limits.session_us + limits.grace_us


def every_valve_is_off(harness: FaultHarness) -> None:
    """Nothing is on at the end, and nothing was on longer than it was told to."""
    for opening in harness.valve_openings:
        assert opening.us is not None, f"{opening} never closed"
        assert opening.us <= DROP_US
    assert not harness.on_at(harness.trace[-1][0] if harness.trace else 0)


def payments(harness: FaultHarness) -> Iterator[Paid]:
    """List what the orders, the outputs and the edges of a journal say was given, without a word from the rows."""
    groups = dict[int, tuple[tuple[str, int, Action], ...]]()
    went_on = set[int]()
    lines = harness.journal
    for line in lines:
        if isinstance(line, Command):
            for place, order in enumerate(line.orders):
                if isinstance(order, Arm):
                    groups[order.group] = order.members
                elif isinstance(order, RewardAction):
                    executed = _fate(lines, line.epoch, line.batch, place)
                    if executed is not False:
                        yield Paid(order.source, "host", executed is True, _done_at(lines, line.epoch, line.batch))
        elif isinstance(line, OutputOn) and line.cause == "reflex":
            went_on.add(line.by)
            action = groups[line.by][line.part][2]
            if isinstance(action, RewardAction):
                yield Paid(action.source, "board", True, line.t_us)
        # The edge comes behind the output that it switched on.
        elif isinstance(line, Edge) and line.fired in went_on:
            went_on.discard(line.fired)
        elif isinstance(line, Edge) and line.fired:
            for channel, level, action in groups[line.fired]:
                if (channel, level) == (line.channel, line.level) and isinstance(action, RewardAction):
                    yield Paid(action.source, "board", True, line.t_us)


def _fate(lines: list[SessionLine], of_epoch: int, number: int, place: int) -> bool | None:
    """Tell whether an order was executed; None when it is unknown."""
    if _hidden(lines, of_epoch, number):
        return None
    epoch = 0
    for line in lines:
        if isinstance(line, OutputOn) and epoch == of_epoch and line.cause == "order":
            if (line.by, line.part) == (number, place):
                return True
        elif isinstance(line, Refused) and epoch == of_epoch:
            if (line.batch, line.order) == (number, place):
                return False
        elif isinstance(line, LeaseExpired):
            if epoch == of_epoch:
                return line.executed >= number
            epoch += 1
    footer = lines[-1]
    assert isinstance(footer, Footer)
    if footer.complete:
        return footer.executed >= number
    if _known_executed(lines, of_epoch) >= number:
        return True
    return None


def _hidden(lines: list[SessionLine], of_epoch: int, number: int) -> bool:
    """Tell whether a refusal of the batch may be among what an overflow lost."""
    epoch, sent = 0, False
    for line in lines:
        if isinstance(line, Command):
            sent = sent or (line.epoch, line.batch) == (of_epoch, number)
        elif isinstance(line, BoardTime) and epoch == of_epoch and line.executed >= number:
            return False
        elif isinstance(line, LeaseExpired):
            epoch += 1
        elif sent and epoch == of_epoch and isinstance(line, Overflow) and line.executed >= number:
            return True  # without lost effects `executed` is 0
    return False


def _known_executed(lines: list[SessionLine], of_epoch: int) -> int:
    epoch = known = 0
    for line in lines:
        if isinstance(line, LeaseExpired):
            epoch += 1
        elif epoch == of_epoch and isinstance(line, BoardTime):
            known = max(known, line.executed)
    return known


def _done_at(lines: list[SessionLine], of_epoch: int, number: int) -> int | None:
    epoch = 0
    for line in lines:
        if isinstance(line, LeaseExpired):
            epoch += 1
        elif epoch == of_epoch and isinstance(line, BatchDone) and line.batch == number:
            return line.t_us
    return None


def drops_are_what_the_rows_say(harness: FaultHarness) -> None:
    """A drop left a valve if and only if a row says so, once, at that port; what is in doubt is counted as such."""
    footer, paid = harness.footer, list(payments(harness))
    sure = [payment for payment in paid if payment.sure]
    actual, known = Counter(o.place for o in harness.valve_openings), Counter(payment.place for payment in sure)
    assert known <= actual, f"{known - actual} never left the valve"
    doubt = (actual - known).total()
    if footer.complete and "overflow" not in harness.faults:
        assert not footer.unconfirmed_rewards
    assert doubt <= footer.unconfirmed_rewards, (
        f"{doubt} drops that are in no journal; {footer.unconfirmed_rewards} in doubt"
    )
    for payment in sure:
        openings = [opening.t_us for opening in harness.valve_openings if opening.place == payment.place]
        if payment.t_us is not None:
            late = REPORTED_WITHIN_US if payment.by == "board" else 1
            assert any(0 <= t_us - payment.t_us <= late for t_us in openings), f"{payment} is not among {openings}"
    _rows_name_them(harness, known)
    rewards_are_the_openings(harness)
    assert known.total() <= footer.rewards <= known.total() + footer.unconfirmed_rewards


def the_lines_tell_every_opening(harness: FaultHarness) -> None:
    """The board says of every opening when it began, to the tick; the last ones are lost with the link."""
    reported = Counter((line.output, line.t_us) for line in harness.of_kind(OutputOn))
    actual = Counter((f"{opening.place}.valve", opening.t_us) for opening in harness.valve_openings)
    assert reported <= actual, f"{reported - actual} never opened"
    if harness.footer.complete and not any(line.effects for line in harness.of_kind(Overflow)):
        assert reported == actual, f"{actual - reported} are in no line"


def a_cut_journal_counts_enough(harness: FaultHarness) -> None:
    """Wherever the journal breaks off, its rewards are at least what had left the valves by then."""
    openings, given, fallen = sorted(opening.t_us for opening in harness.valve_openings), DeliveredRewards(), 0
    for line in harness.journal:
        given.take(line)
        if isinstance(line, (Edge, BoardTime, SequenceStarted, Command)):
            while fallen < len(openings) and openings[fallen] < line.t_us:
                fallen += 1
            assert fallen <= given.total.rewards, f"{fallen} drops had fallen before {line}"


def rewards_are_the_openings(harness: FaultHarness) -> None:
    """The last line of every reward says what left the valves, or that it is unconfirmed; the footer is their sum."""
    footer, rewards = harness.footer, harness.rewards
    actual = Counter(opening.place for opening in harness.valve_openings)
    assert {line.status for line in rewards} <= {"delivered", "refused", "unconfirmed", "cancelled"}
    delivered = Counter(line.source for line in rewards if line.status == "delivered")
    unconfirmed = [line for line in rewards if line.status == "unconfirmed"]
    assert delivered <= actual, f"{delivered - actual} are counted and never left the valve"
    assert (actual - delivered).total() <= len(unconfirmed), f"{actual - delivered} are in no line"
    assert footer.unconfirmed_rewards == len(unconfirmed)
    assert footer.rewards == delivered.total() + len(unconfirmed)
    counted = [line for line in rewards if line.status in ("delivered", "unconfirmed")]
    assert footer.ul == pytest.approx(sum(line.amount for line in counted))
    assert footer.ul == pytest.approx(sum(row[1] for row in footer.given))


def _rows_name_them(harness: FaultHarness, known: Counter[str]) -> None:
    named = Counter[str]()
    for row in harness.rows:
        drops = row["rewarded"] if "rewarded" in row else int(row["reward_ul"] > 0)
        assert drops in (0, 1)
        assert bool(row["reward_ul"]) == bool(drops)
        if drops:
            named[row["choice"]] += 1
    by_hand = Counter(
        line.source for line in harness.rewards if line.delivered_by == "operator" and line.status == "delivered"
    )
    unclaimed = Counter(note.fields["source"] for note in harness.notes("reward_outside_trial"))
    assert named + by_hand + unclaimed == known, f"rows {named}, by hand {by_hand}, no row {unclaimed}; valves {known}"
    if harness.spec.task is TwoArmedBandit:
        assert not unclaimed
    else:
        assert unclaimed.total() <= 1


def limits_hold(harness: FaultHarness) -> None:
    """Never more drops, never more water, than the protocol's limits; the operator's count too."""
    limits, openings = harness.spec.reward_limits, harness.valve_openings
    if limits.max_rewards is not None:
        assert len(openings) <= limits.max_rewards
    if limits.max_ul is not None:
        assert len(openings) * harness.spec.params.reward_ul <= limits.max_ul + 1e-6


def rows_follow_the_edges(harness: FaultHarness) -> None:
    """No row of the bandit contradicts an edge, and no edge that would have answered is skipped."""
    params = harness.spec.params
    window_us = to_us(params.choice_window_s)
    answers = {("left.beam", 1), ("right.beam", 1)} | (
        {("center.beam", 1)} if params.center_repoke == "abort" else set()
    )
    lines = harness.of_kind(Edge, BoardTime)
    started = -1
    for number, row in enumerate(harness.rows, start=1):
        assert row["trial"] == number
        start = _find(lines, "center.beam", 1, row["t_center_in"], started + 1)
        started, t0 = start, lines[start].t_us
        answer: Edge | None = None
        end: BoardTime | None = None
        gone_us: int | None = None
        for line in lines[start + 1 :]:
            if isinstance(line, BoardTime) and line.t_us > t0 + window_us:
                end = line
                break
            if isinstance(line, Edge) and line.t_us <= t0 + window_us:
                if line.channel == "center.beam" and not line.level:
                    gone_us = line.t_us if gone_us is None else gone_us
                elif _hovers(line, gone_us, params):
                    gone_us = None
                    continue
                if (line.channel, line.level) in answers:
                    answer = line
                    break
        _compare(row, answer, end, params)
        if row["t_side_in"] is not None:
            assert answer is not None
            _compare_after(row, lines[lines.index(answer) + 1 :])
        _compare_center_out(row, lines[start + 1 :], params)


def _find(lines: Sequence[Edge | BoardTime], channel: str, level: int, t_s: float, start: int) -> int:
    for place in range(start, len(lines)):
        line = lines[place]
        if isinstance(line, Edge) and (line.channel, line.level, line.t_us) == (channel, level, to_us(t_s)):
            return place
    raise AssertionError(f"no edge {channel} {level} at {t_s}")


def _compare(row: Row, answer: Edge | None, end: BoardTime | None, params: Any) -> None:
    outcome = row["outcome"]
    if outcome in ("rewarded", "unrewarded") or row["t_side_in"] is not None:
        assert answer is not None
        assert f"{row['choice']}.beam" == answer.channel
        assert to_us(row["t_side_in"]) == answer.t_us
        latency_us = answer.t_us - to_us(row["t_center_in"])
        assert to_us(row["latency_s"]) == latency_us <= to_us(params.choice_window_s)
    elif outcome == "aborted":
        assert answer is not None
        assert answer.channel == "center.beam"
    elif outcome == "omission":
        assert answer is None
        assert end is not None
    else:
        assert outcome == "interrupted"
        assert row["latency_s"] is None
    if outcome in ("aborted", "omission"):
        assert not row["choice"]
        assert not row["rewarded"]
    assert (outcome == "rewarded") <= bool(row["rewarded"])
    assert (outcome == "unrewarded") <= (not row["rewarded"])
    if row["rewarded"] and answer is not None:
        assert answer.channel == f"{row['choice']}.beam"
    if row["rewarded"]:
        assert row[f"p_{row['choice']}"] > 0
        assert row["delivered_by"] in ("board", "host")
        if answer is not None:
            assert (row["delivered_by"] == "board") == bool(answer.fired)


def _compare_after(row: Row, lines: Sequence[Edge | BoardTime]) -> None:
    channel = f"{row['choice']}.beam"
    edges = (line for line in lines if isinstance(line, Edge))
    freed = next((edge for edge in edges if edge.channel == channel and not edge.level), None)
    if row["t_side_out"] is not None:
        assert freed is not None
        assert freed.t_us == to_us(row["t_side_out"])
    elif row["outcome"] != "interrupted":
        raise AssertionError(f"{row} was never left")


def _hovers(line: Edge, gone_us: int | None, params: Any) -> bool:
    """Tell whether an edge is a nose that comes back to the center too soon to have left it."""
    refractory_us = params.repoke_refractory_ms * 1000
    return line.channel == "center.beam" and gone_us is not None and line.t_us - gone_us < refractory_us


def _compare_center_out(row: Row, lines: Sequence[Edge | BoardTime], params: Any) -> None:
    """The nose left the center for the last time before it came back as a re-poke, or the trial ended."""
    if row["t_center_out"] is None:
        return
    out_us = to_us(row["t_center_out"])
    gone_us: int | None = None
    for line in lines:
        if not isinstance(line, Edge) or line.channel != "center.beam" or line.t_us > out_us:
            continue
        if not line.level:
            gone_us = line.t_us if gone_us is None else gone_us
        elif params.center_repoke == "abort" and _hovers(line, gone_us, params):
            gone_us = None
    assert gone_us == out_us


__all__ = ["FreeWater", "check_session"]
