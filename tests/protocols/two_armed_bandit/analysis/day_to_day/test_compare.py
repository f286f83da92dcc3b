"""Twelve statistics of virtual mice beside those of real ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.day_to_day.compare import compare
from protocols.two_armed_bandit.analysis.day_to_day.with_real import comparison_table, with_real
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession, of_file, of_rows
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from protocols.two_armed_bandit.subjects.rflr import RflrMouse, RflrParams
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.errors import ConfigError
from tests.harness import run_harness
from tests.protocols.two_armed_bandit.made import csv_of, real_data, real_sessions, session
from tests.session_specs import task_spec

STATISTICS = 12


def made(count: int, seed: int) -> list[ChoiceSession]:
    """Sessions of an agent without days of its own, with times of one distribution."""
    played = simulate(np.full(count, 0.8), np.full(count, 2.0), np.full(count, 1.4), TaskCondition(0.8, 0.2), 200, seed)
    draw = np.random.default_rng(seed)
    return [
        replace(
            session("L" * 200),
            choice=played.choice[row].astype(np.int8),
            reward=played.reward[row].astype(np.int8),
            high=played.high[row].astype(np.int8),
            latency_s=draw.lognormal(-0.8, 0.3, 200),
            initiation_s=1 + draw.lognormal(-0.4, 0.5, 200),
            duration_s=draw.lognormal(1, 0.6, 200),
        )
        for row in range(count)
    ]


def test_sessions_lie_within_the_errors_of_themselves_and_others_of_the_same_agent_mostly_do() -> None:
    same, other = made(12, 1), made(12, 2)
    assert all(row.within and row.real == row.other for row in compare(same, same))
    assert sum(row.within for row in compare(same, other)) >= STATISTICS - 3


def test_what_differs_is_named() -> None:
    slow = [replace(own, latency_s=own.latency_s * (1 + 0.3 * day)) for day, own in enumerate(made(12, 1))]
    missed = [row.name for row in compare(made(12, 1), slow) if not row.within]
    assert missed == ["center to side (s), median: SD over sessions"]
    (*_, last) = comparison_table(compare(made(12, 1), slow)).rows[0]
    assert last == "no"


def test_sessions_at_other_odds_and_too_few_of_them_are_refused(tmp_path: Path) -> None:
    files = [csv_of(tmp_path / f"m{number}.csv", "LlLRr" * 10) for number in range(3)]
    sessions = [of_file(path) for path in files]
    with pytest.raises(ConfigError, match="has 3 sessions, to compare with 2: wanted at least 3 of both"):
        with_real(str(tmp_path), sessions[:2])
    with pytest.raises(ConfigError, match="has sessions at 80-20, but those to compare are at 90-10"):
        with_real(str(tmp_path), [replace(own, odds=(0.9, 0.1)) for own in sessions])


@real_data
@pytest.mark.slow
def test_ten_statistics_of_the_mice_of_the_shared_sessions_are_those_of_their_virtual_selves() -> None:
    real = real_sessions()
    virtual = [twin(own, seed) for own in real for seed in (1, 2)]
    assert sum(row.within for row in compare(real, virtual)) >= STATISTICS - 2


def twin(real: ChoiceSession, seed: int) -> ChoiceSession:
    """Let the virtual mouse of a real session's name do a session at the same odds."""
    assert real.odds is not None
    params = {"iti_reference": "last_poke_entry", "p_high": real.odds[0]}
    spec = task_spec(TwoArmedBandit, params, {"session_s": 2400, "max_rewards": 800, "max_ul": 2000}, seed=seed)
    mouse = RflrParams.model_validate({"mouse": real.subject, "individuality": True, "reaction": "last_poke"})
    # A seed of its own for each session, or the days of all mice would be alike.
    rows = run_harness(spec, model=RflrMouse(mouse), seed=sum(real.name.encode()) * 10 + seed).rows
    return of_rows(real.name, real.subject, rows)
