"""A session whose program was killed goes on: same task, same streams, nothing given twice, and an exact replay."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rig.core.errors import NotReadyError, RecordError
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.kinds import Command, Openings, Paused, Resumed, RewardLine, StateLine, TrialLine
from rig.core.model.actions import RewardAction
from rig.core.model.events import Continued, Edge, OutputOn
from rig.core.model.line import kind_of
from rig.core.task.states import Next, state
from rig.session.broken import read_broken
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.driver import make_model
from tests.broken_sessions import ResumedHarness, lines_of, resume, save_journal
from tests.harness import FaultHarness, nose_pokes, run_harness
from tests.session_specs import PortTask, Visit, protocol_spec, session_spec, task_spec

POKES = nose_pokes(*((2_000_000 * n + 500_000, "left", 100_000) for n in range(60)))


class Counting(PortTask):
    """Draws a number in each trial, and gives a drop for a poke at the left."""

    @state(to=("give",), can_end=True)
    async def wait(self) -> Next:
        with self.box.center.light:
            await self.first(self.box.left.poked)
        return self.give

    @state(to=("wait",))
    async def give(self) -> Next:
        self.begin_trial(Visit(trial=self.trial_number + 1))
        self.do(self.drop("left"))
        self.log.append(self.stream("draw").random())
        await self.sleep(0.5)
        self.end_trial()
        return self.wait


def counting(**stop: object) -> SessionSpec:
    return session_spec(task_spec(Counting, stop={"session_s": 20, **stop}))


@pytest.fixture(scope="module")
def whole() -> FaultHarness:
    return run_harness(counting(), POKES)


def before(harness: FaultHarness, t_us: int) -> bytes:
    """Return the journal as it was when the program was killed at a time."""
    return lines_of(harness.raw, next(seq for seq, line in enumerate(harness.journal) if line.t_us > t_us))


def go_on(whole: FaultHarness, folder: Path, t_us: int, **settings: float) -> ResumedHarness:
    return resume(whole.spec, folder, before(whole, t_us), POKES, **settings)  # type: ignore[arg-type]


def test_trials_and_random_streams_go_on_where_they_were(whole: FaultHarness, tmp_path: Path) -> None:
    harness = go_on(whole, tmp_path, 7_200_000)
    assert len(harness.log) > 6
    assert harness.log[: len(whole.log)] == whole.log[: len(harness.log)]
    assert [row.trial for row in harness.rows] == list(range(1, len(harness.rows) + 1))
    harness.assert_replay_agrees()


def test_the_gap_is_no_time_of_the_session(whole: FaultHarness, tmp_path: Path) -> None:
    harness = go_on(whole, tmp_path, 7_200_000, gap_s=300)
    (line,) = harness.of_kind(Continued)
    assert line.gap_us == pytest.approx(300e6, abs=1_000)
    assert harness.footer.reason == "time_limit"
    assert harness.footer.t_us - line.gap_us == pytest.approx(20e6, abs=5_000)


def test_the_times_of_the_journal_go_on_after_the_gap(whole: FaultHarness, tmp_path: Path) -> None:
    harness = go_on(whole, tmp_path, 7_200_000, gap_s=300)
    at = next(n for n, line in enumerate(harness.journal) if isinstance(line, Continued))
    after = [line.t_us for line in harness.journal[at:]]
    assert min(after) == harness.resumed_us
    assert min(line.t_us for line in harness.of_kind(Openings)[1:]) == harness.resumed_us


def test_the_interrupted_trial_is_written_and_its_reward_counts(whole: FaultHarness, tmp_path: Path) -> None:
    batch = next(line.batch for line in whole.of_kind(Command) if any(isinstance(o, RewardAction) for o in line.orders))
    cut = next(seq for seq, line in enumerate(whole.journal) if isinstance(line, OutputOn) and line.by == batch)
    harness = resume(whole.spec, tmp_path, lines_of(whole.raw, cut), POKES)
    assert harness.rows[0].outcome == "interrupted"
    assert harness.rows[0].drops == ["host left unconfirmed"]
    assert harness.footer.unconfirmed_rewards == 1
    harness.assert_replay_agrees()


def test_a_pause_that_was_open_goes_on(tmp_path: Path) -> None:
    paused = run_harness(counting(), POKES, (3.0, lambda harness: harness.request("pause")))
    harness = resume(paused.spec, tmp_path, before(paused, 30_000_000), POKES, gap_s=60)
    assert [kind_of(line) for line in harness.of_kind(Paused, Continued, Resumed)] == [
        "pause",
        "continued",
        "resume",
        "pause",
    ]
    assert harness.footer.detail.startswith("it was paused for longer")
    harness.assert_replay_agrees()


def test_decisions_that_were_never_written_are_written_now(whole: FaultHarness, tmp_path: Path) -> None:
    seq = [seq for seq, line in enumerate(whole.journal) if isinstance(line, Edge) and line.level][3]
    harness = resume(whole.spec, tmp_path, lines_of(whole.raw, seq + 1), POKES)
    at = next(n for n, line in enumerate(harness.journal) if isinstance(line, Continued))
    assert [type(line) for line in harness.journal[seq + 1 : at]] == [StateLine, RewardLine, Command]
    harness.assert_replay_agrees()


def test_the_fourth_break_ends_the_session(whole: FaultHarness, tmp_path: Path) -> None:
    harness = go_on(whole, tmp_path / "1", 3_200_000)
    for place in ("2", "3"):
        raw = before(harness, harness.resumed_us + 1_000_000)
        harness = resume(whole.spec, tmp_path / place, raw, POKES)
    harness.assert_replay_agrees()
    raw = before(harness, harness.resumed_us + 1_000_000)
    with pytest.raises(RecordError, match="broken off 4 times"):
        read_broken(save_journal(tmp_path / "4", raw))


def test_a_torn_last_line_is_left_out(whole: FaultHarness, tmp_path: Path) -> None:
    harness = resume(whole.spec, tmp_path, before(whole, 7_200_000) + b'{"seq":12,"t":', POKES)
    harness.assert_replay_agrees()


def test_a_protocol_that_decides_otherwise_does_not_go_on(whole: FaultHarness, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="its protocol decides otherwise in trial 4"):
        resume(counting(max_rewards=3), tmp_path, before(whole, 7_200_000), POKES)


def test_another_board_is_refused(whole: FaultHarness, tmp_path: Path) -> None:
    kept = before(whole, 7_200_000)
    openings = whole.of_kind(Openings)[0]
    broken = read_broken(save_journal(tmp_path, kept))
    assert broken.uid == openings.uid
    harness = ResumedHarness(whole.spec, broken, broken.last_us)
    object.__setattr__(broken, "uid", "FFFF")
    with pytest.raises(NotReadyError, match="ran on board FFFF"):
        harness.run([])


BANDIT = session_spec(protocol_spec("two_armed_bandit", stop_session_s=120))
SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(8, 1000))]


@pytest.fixture(scope="module")
def bandit() -> FaultHarness:
    return run_harness(BANDIT, None, model=make_model("rflr", {}))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_that_is_killed_at_any_byte_gives_nothing_twice(
    seed: int, bandit: FaultHarness, tmp_path: Path
) -> None:
    raw = b"".join(bandit.raw)
    chance = random.Random(seed)
    end = raw.index(b'"k":"all_off"') - 60
    at = chance.randrange(len(bandit.raw[0]) + 3_000, end)
    harness = resume(BANDIT, tmp_path, raw[:at], make_model("rflr", {}).live, gap_s=chance.uniform(0, 1_500), seed=seed)
    harness.assert_replay_agrees()
    broken = harness.broken
    counted = DeliveredRewards()
    for line in harness.journal[: broken.lines]:
        counted.take(line)
    opened = [one for one in bandit.valve_openings if one.t_us <= broken.last_us]
    assert len(opened) <= counted.total.rewards
    assert len(opened) + len(harness.valve_openings) <= harness.footer.rewards
    ordered = [
        (line.epoch, line.batch, place)
        for line in harness.of_kind(Command)
        for place, order in enumerate(line.orders)
        if isinstance(order, RewardAction)
    ]
    assert len(set(ordered)) == len(ordered)
    assert [row["trial"] for row in harness.rows] == list(range(1, len(harness.rows) + 1))
    written = sum(isinstance(line, TrialLine) for line in harness.journal[: broken.lines])
    assert harness.rows[:written] == bandit.rows[:written]
