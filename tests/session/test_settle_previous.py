"""A session that ended in doubt is settled by the next one on its board, also by another subject's."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rig.core.journal import kinds
from rig.core.journal.header import Footer
from rig.core.journal.kinds import Correction, RewardLine
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal import unwritable_reason
from rig.records.journal.read import JOURNAL, of_kind, read_journal
from rig.records.recover import recover
from rig.records.subject.deliveries import delivered_between
from rig.session.replay import replay_lines
from rig.session.run import run_session as module
from rig.session.run.run_session import SessionResult
from rig.session.settle_previous import settle_previous
from rig.session.spec.request import SessionRequest
from rig.session.subject_folder import SubjectFolder
from sim_hardware.board.openings import Openings
from sim_hardware.driver import SimRig
from tests.cli.test_records import rewritten
from tests.harness import run_as
from tests.session.real_driver import RealBoardDriver
from tests.session_specs import protocol_spec

START = datetime.datetime(2026, 11, 21, 9, 0)
EDGES = tuple(
    edge
    for trial in range(3)
    for edge in (
        (1_000_000 + 1_500_000 * trial, "center", 1),
        (1_050_000 + 1_500_000 * trial, "center", 0),
        (1_200_000 + 1_500_000 * trial, "left", 1),
        (1_300_000 + 1_500_000 * trial, "left", 0),
    )
)
IN_DOUBT_S = 4.2
"""When the third poke to the left comes, whose edge never arrives."""


@dataclass
class OneBoard:
    """One board, which keeps its openings from session to session."""

    data: Path
    monkeypatch: pytest.MonkeyPatch
    epoch: int = 0
    openings: Openings | None = None
    rigs: list[SimRig] = field(default_factory=list)
    started: int = 0

    def session(
        self, subject: str, unplug_at_s: float | None = None, *, silent_at_s: float | None = None, power: bool = True
    ) -> SessionResult:
        """Run a session; at a second of it the cable is pulled, or its wire to the host breaks."""

        def wire(rig: SimRig) -> None:
            rig.world.trace = []
            self.rigs.append(rig)
            rig.board._last_epoch = self.epoch
            if self.openings is not None:
                rig.board.chip.openings._kept = self.openings._kept
                rig.board.chip.openings._count = self.openings._count
            if unplug_at_s is not None:
                rig.call_at_us(round(unplug_at_s * 1e6), rig.cable.disconnect)
            if silent_at_s is not None:
                rig.call_at_us(round(silent_at_s * 1e6), rig.cable.to_host.hold)

        if not power:
            self.epoch, self.openings = 0, None
        self.started += 1
        limits = {"stop_session_s": 8, "stop_reconnect_within_s": 0}
        spec = protocol_spec(p_high=1, p_low=1, allow_asymmetric="true", iti_min_s=0.2, **limits)
        simulation = SimulationOptions("scripted", {"edges": EDGES})  # type: ignore[dict-item]
        start = START + datetime.timedelta(minutes=self.started)
        request = SessionRequest(data=self.data, subject=subject, seed=1, start=start, simulation=simulation)
        with self.monkeypatch.context() as here:
            here.setattr(module, "find_driver", lambda name: RealBoardDriver(wire))
            result = run_as(spec, request)
        board = self.rigs[-1].board
        # The session's loop has ended; in the laboratory the lease would have expired by now.
        board.chip.safe()
        self.epoch, self.openings = board._last_epoch + 1, board.chip.openings
        return result

    def valve_openings(self) -> int:
        trace = self.rigs[-1].world.trace or ()
        return sum(bool(value) for _, name, value in trace if name.endswith(".valve"))


def ul_of(folder: Path) -> float:
    day = START.replace(hour=0)
    total = delivered_between(folder, day, day + datetime.timedelta(days=1))
    assert not total.unknown
    return total.amount.ul


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OneBoard:
    found = OneBoard(tmp_path, monkeypatch)
    assert found.session("M0").outcome.rewards == 3
    return found


def test_a_drop_in_doubt_that_never_fell_is_taken_back_by_the_next_session(board: OneBoard) -> None:
    first = board.session("M1", IN_DOUBT_S - 0.1)
    assert (board.valve_openings(), first.outcome.rewards, first.outcome.footer.unconfirmed_rewards) == (2, 3, 1)
    assert ul_of(first.folder.parent.parent) == 7.5
    before = (first.folder / JOURNAL).read_bytes()
    second = board.session("M2")
    assert [one.text for one in second.settled] == [
        "M1/2026-11-21/001: its board has said what it gave: 0 given, 1 not given"
    ]
    assert ul_of(first.folder.parent.parent) == 5.0
    lines = read_journal(first.folder)
    assert (first.folder / JOURNAL).read_bytes().startswith(before)
    old, correction, reward, new = lines[-4:]
    assert isinstance(old, Footer)
    assert isinstance(correction, Correction)
    assert isinstance(reward, RewardLine)
    assert isinstance(new, Footer)
    assert correction.source == "M2/2026-11-21/001"
    assert reward.status in ("cancelled", "refused")
    assert (new.rewards, new.ul, new.unconfirmed_rewards, new.reason) == (2, 5.0, 0, old.reason)
    assert replay_lines(lines)[1] is None


def test_a_drop_in_doubt_that_fell_is_a_fact_after_the_next_session(board: OneBoard) -> None:
    first = board.session("M1", silent_at_s=IN_DOUBT_S - 0.1)
    assert (board.valve_openings(), first.outcome.footer.unconfirmed_rewards) == (3, 1)
    second = board.session("M1")
    assert second.folder.name == "002"
    assert [(one.recovery.confirmed, one.recovery.refused) for one in second.settled] == [(1, 0)]
    *_, reward = of_kind(read_journal(first.folder), RewardLine)
    assert reward.status == "delivered"
    assert abs(reward.t_us - 4_200_000) < 1_000
    assert ul_of(first.folder.parent.parent) == 15.0


def test_what_the_board_has_kept_is_in_the_journal_of_the_next_session(board: OneBoard) -> None:
    lines = read_journal(board.session("M1").folder)
    (line,) = of_kind(lines, kinds.Openings)
    assert [kept.number for kept in line.kept] == [1, 2, 3]
    assert {line.channels[kept.channel] for kept in line.kept} == {"left.valve"}
    assert (line.src, line.t_us, line.uid, line.tick_ns) == ("board", 0, "5131", 1_000)


def test_a_power_cut_leaves_the_doubt_and_the_count(board: OneBoard) -> None:
    first = board.session("M1", IN_DOUBT_S - 0.1)
    before = (first.folder / JOURNAL).read_bytes()
    assert board.session("M2", power=False).settled == ()
    assert (first.folder / JOURNAL).read_bytes() == before
    assert ul_of(first.folder.parent.parent) == 7.5
    # Openings of another life are not taken for those of the session in doubt.
    assert board.session("M3").settled == ()
    assert (first.folder / JOURNAL).read_bytes() == before


def test_a_session_of_another_board_is_not_touched(board: OneBoard) -> None:
    first = board.session("M1", IN_DOUBT_S - 0.1)
    rewritten(first.folder, b'"uid":"5131"', b'"uid":"5132"')
    assert board.session("M2").settled == ()


def test_a_subject_in_use_stays_in_doubt_until_the_session_is_asked_again(board: OneBoard) -> None:
    first = board.session("M1", IN_DOUBT_S - 0.1)
    with SubjectFolder(board.data, "M1"):
        second = board.session("M2")
    assert second.settled == ()
    assert [one.folder for one in settle_previous(second.folder)] == [first.folder]
    assert settle_previous(second.folder) == []


@pytest.mark.parametrize("recovered", [False, True])
@pytest.mark.parametrize("disk_was_full", [False, True])
def test_a_session_that_could_not_settle_the_one_before_is_passed(
    board: OneBoard, *, disk_was_full: bool, recovered: bool
) -> None:
    first = board.session("M1", IN_DOUBT_S - 0.1)
    with SubjectFolder(board.data, "M1"):
        second = board.session("M2")
    path = second.folder / JOURNAL
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    (second.folder / "summary.json").unlink(missing_ok=True)
    if disk_was_full:
        unwritable_reason.prepare(second.folder)
        unwritable_reason.write_detail(second.folder, "no room")
    if recovered:
        assert recover(second.folder).reason == ("fault" if disk_was_full else "crash")
    third = board.session("M3")
    assert [one.folder for one in third.settled] == [first.folder]
