"""What it did, asked afterwards: the ledger equals the board's openings, and no doubt is left but after a power cut.

Sessions end in doubt at random moments: the host dies at some line of its journal, the cable is pulled, the operator
stops without waiting, the board resets or loses its power. Then another host asks the board, and the journal is
recovered with the answer.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rig.boards.ask_openings import ask_openings
from rig.boards.chips import CHIPS
from rig.core.clock import running
from rig.core.journal.header import Footer
from rig.core.journal.kinds import RewardLine, SessionLine
from rig.core.model.board import BoardInfo
from rig.records.journal.read import JOURNAL, read_journal
from rig.records.openings.board_answer import BoardAnswer
from rig.records.recover import Recovery, recover
from rig.records.session.last_rewards import last_rewards
from sim_hardware.avr.chip import ResetCause
from sim_hardware.board.board import SimBoard
from sim_hardware.board.chip import BY_ORDER
from sim_hardware.board.openings import Openings
from sim_hardware.link_model import CableTransport, LinkFaults
from tests.avr_tools import need_avr_tools
from tests.harness import EdgeAt, FaultHarness, nose_pokes, run_with_faults
from tests.records.journals import on_this_machine, put
from tests.rules.test_rewards_when_the_host_dies import Anything, LoadedAtOnce, StartedAgain, TwoCountdowns
from tests.session_specs import POINTS, protocol_spec, task_spec

ENDS = ("kill", "kill", "kill", "unplug", "stop_now", "reset", "power")
ASKED_AFTER_S = 90.0
"""Every session has ended by then, and the subject does nothing more."""


@dataclass
class Asked:
    """A session that ended in doubt, what the board said afterwards, and its recovered journal."""

    end: str
    harness: FaultHarness
    answer: BoardInfo
    recovery: Recovery
    journal: list[SessionLine]
    was_used_before: bool = True

    @property
    def footer(self) -> Footer:
        last = self.journal[-1]
        assert isinstance(last, Footer)
        return last

    @property
    def lengths(self) -> list[int | None]:
        return [opening.us for opening in self.harness.valve_openings]

    @property
    def statuses(self) -> Counter[str]:
        return Counter(reward.status for reward in last_rewards(self.journal))


def use_before(board: SimBoard, openings: int, keeps: int) -> None:
    """Let the board have worked before, in another session."""
    board._last_epoch = 9
    board.chip.openings = Openings(board.ticks, keeps)
    board.chip.openings.epoch = 9
    for _ in range(openings):
        board.chip.openings.end(board.chip.openings.begin(0, (BY_ORDER, 0, 0)))


def reset_board(board: Any, cause: str) -> None:
    """Reset a board, or let it lose its power."""
    on_chip = ResetCause.POWER if cause == "POWER" else ResetCause.BUTTON
    asyncio.get_running_loop().call_soon(board.reset, cause if isinstance(board, SimBoard) else on_chip)


class Ending:
    """Ends a session in doubt: some lines or some time after a reward that may come, from ``from_us`` on."""

    def __init__(self, harness: FaultHarness, end: str, from_us: float, seed: int) -> None:
        draw = Random(f"{seed}/moment")
        self.on_disk: int | None = None
        """How many lines were written when it ended."""
        self._harness = harness
        self._end = end
        self._from_us = from_us
        self._lines_left = draw.randint(0, 8) if draw.random() < 0.5 else None
        self._after_s = draw.random() * draw.choice((0.01, 0.1, 0.6))
        self._is_near = False
        self._written = harness.append
        harness.append = self._append  # type: ignore[method-assign]

    def _append(self, line: bytes) -> None:
        self._written(line)
        if not self._is_near and self._harness.rig.now_us() >= self._from_us and is_pending(self._harness):
            self._is_near = True
            if self._lines_left is None:
                asyncio.get_running_loop().call_later(self._after_s, self._happen)
        elif self._is_near and self._lines_left is not None:
            self._lines_left -= 1
        if self._is_near and self._lines_left == 0:
            self._happen()

    def _happen(self) -> None:
        if self._harness.is_over or self.on_disk is not None:
            return
        rig, loop = self._harness.rig, asyncio.get_running_loop()
        self.on_disk = len(self._harness.journal)
        if self._end == "kill":
            rig.cable.to_board.send = lambda data: None
        elif self._end == "unplug":
            rig.cable.disconnect()
        elif self._end == "stop_now":
            loop.call_soon(self._harness.session.stop_now)
        else:
            reset_board(rig.board, "POWER" if self._end == "power" else "WATCHDOG")


def play(
    folder: Path,
    end: str,
    from_us: float,
    spec: Any,
    moves: list[EdgeAt],
    *,
    seed: int = 1,
    before: int = 2,
    keeps: int = 8,
    latency_s: float = 0.002,
    board: str = "sim",
) -> Asked:
    """Play a session that ends in doubt, then ask its board and recover it."""
    answers: list[BoardInfo] = []
    endings: list[Ending] = []
    asking: list[asyncio.Task[None]] = []

    async def ask(harness: FaultHarness, send: Callable[[bytes], None]) -> None:
        await asyncio.sleep(ASKED_AFTER_S)
        assert harness.is_over
        cable = harness.rig.cable
        cable.to_board.send, cable.plugged = send, True
        answers.append(await ask_openings(CableTransport(cable), running(), nonce=0x4711))

    def arrange(harness: FaultHarness) -> None:
        if board == "sim":
            use_before(harness.rig.board, before, keeps)
        asking.append(asyncio.get_running_loop().create_task(ask(harness, harness.rig.cable.to_board.send)))
        endings.append(Ending(harness, end, from_us, seed))

    faults = LinkFaults(latency_s, latency_s / 2, seed=seed)
    harness = run_with_faults(
        spec, moves, faults=faults, arrange=arrange, after_s=ASKED_AFTER_S, t_max=2_000, seed=seed, board=board
    )
    lines = harness.raw[: endings[0].on_disk] if end == "kill" else harness.raw
    (info,) = answers
    session = on_this_machine(put(folder, b"".join(lines)))
    assert info.openings is not None
    recovery = recover(session, BoardAnswer(info.uid, info.openings.power_ons, info.openings.kept, "sim"))
    assert (session / JOURNAL).read_bytes().startswith(b"".join(lines))
    again = (session / JOURNAL).read_bytes()
    recover(session, BoardAnswer(info.uid, info.openings.power_ons, info.openings.kept, "sim"))
    assert (session / JOURNAL).read_bytes() == again, "a second recovery changes nothing"
    return Asked(end, harness, info, recovery, read_journal(session), was_used_before=board == "sim")


def is_pending(harness: FaultHarness) -> bool:
    """Tell whether the last line says that a reward may come."""
    last = harness.journal[-1]
    return bool(isinstance(last, RewardLine) and last.status == "pending")


def judge(asked: Asked) -> None:
    """Hold the corrected journal to the openings of the valves."""
    openings, footer = asked.lengths, asked.footer
    told = (asked.end, asked.recovery, asked.harness.valve_openings, asked.statuses)
    assert footer.rewards >= len(openings), told
    assert footer.ul == pytest.approx(sum(row[1] for row in footer.given)), told
    if asked.end == "power":
        return
    if not asked.was_used_before and len(openings) < 2 and asked.recovery.undecided:
        return  # nothing proves that a board in its first session had power since
    assert asked.recovery.undecided == 0, told
    assert footer.unconfirmed_rewards == 0, told
    assert footer.rewards == len(openings), told
    volumes = [volume_of(us) for us in openings]
    if None not in volumes:
        assert footer.ul == pytest.approx(sum(filter(None, volumes))), told


def volume_of(us: int | None) -> float | None:
    """Return the volume of an opening, which the chip times to 0.1 ms; None for one that was cut short."""
    return next((ul for ordered_us, ul in POINTS if us is not None and abs(us - ordered_us) <= 100), None)


def bandit(seed: int, folder: Path, **conditions: Any) -> Asked:
    draw = Random(seed)
    spec = protocol_spec(p_high=0.8, p_low=0.2, iti_min_s=0.1, stop_session_s=20, choice_window_s=4)
    moves, at_us = [], 300_000
    while at_us < 21_000_000:
        moves.append((at_us, "center", 60_000))
        at_us += draw.randint(90_000, 400_000)
        moves.append((at_us, draw.choice(("left", "right")), draw.randint(20_000, 300_000)))
        at_us += draw.randint(320_000, 900_000)
    end = conditions.pop("end", None) or draw.choice(ENDS)
    latency_s = draw.choice((0.000_5, 0.004, 0.02))
    return play(
        folder, end, 20e6 * draw.random(), spec, nose_pokes(*moves), seed=seed, latency_s=latency_s, **conditions
    )


def visits(seed: int) -> list[EdgeAt]:
    draw = Random(seed)
    at_us, found = 200_000, []
    while at_us < 3_900_000:
        place, us = draw.choice(("left", "center", "right", "left")), draw.choice((3_000, 20_000, 80_000))
        found.append((at_us, place, us))
        at_us += us + draw.choice((1_000, 30_000, 150_000))
    return nose_pokes(*found)


@pytest.mark.parametrize("end", dict.fromkeys(ENDS))
def test_each_end_in_doubt_is_settled_by_the_board(end: str, tmp_path: Path) -> None:
    for seed in range(2):
        judge(bandit(seed, tmp_path / str(seed), end=end))


def test_sessions_in_doubt_are_settled_but_after_a_power_cut(tmp_path: Path) -> None:
    settled = settle(range(12), tmp_path)
    assert settled["confirmed"] > 0
    assert settled["refused"] > 0


def settle(seeds: range, folder: Path, board: str = "sim") -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        keeps = Random(seed).choice([kind.openings for kind in CHIPS.values()])
        asked = bandit(seed, folder / str(seed), keeps=keeps, board=board)
        judge(asked)
        found[asked.end] += 1
        found["confirmed"] += asked.recovery.confirmed
        found["refused"] += asked.recovery.refused
        found["in doubt"] += asked.recovery.undecided
    return found


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(0, 1_000, 100))
@pytest.mark.parametrize("board", ["sim", "avr"])
def test_a_thousand_sessions_in_doubt_are_settled_but_after_a_power_cut(board: str, first: int, tmp_path: Path) -> None:
    if board == "avr":
        need_avr_tools()
    print(dict(settle(range(first, first + 100), tmp_path, board)))  # noqa: T201


@pytest.mark.parametrize("task", [LoadedAtOnce, TwoCountdowns, StartedAgain, Anything])
def test_sequences_and_reflexes_that_start_them_are_settled_too(task: Any, tmp_path: Path) -> None:
    for seed in range(6):
        draw = Random(seed)
        spec = task_spec(task, {}, {"session_s": 4.0}, seed)
        end = draw.choice(("kill", "unplug", "reset"))
        judge(play(tmp_path / str(seed), end, 4e6 * draw.random(), spec, visits(seed), seed=seed))
