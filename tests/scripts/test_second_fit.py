"""The second fit of the models of the grid bandit, and its comparison with the program's."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from protocols.searching.analysis import cross_validation
from protocols.searching.analysis.played import played_session
from protocols.searching.analysis.public import of_file
from protocols.searching.grids.gaussian_process import beliefs_over_time
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Grid
from protocols.searching.grids.policies import ValuePolicy, process_learner
from protocols.searching.grids.reward_scales import RewardRange
from scripts.second_fit import search
from scripts.second_fit.__main__ import main
from scripts.second_fit.rounds import read_people, tiles_of
from scripts.second_fit.search import SecondFit, Work, beliefs, quick_beliefs

ROUNDS, CLICKS = 3, 8
EIGHT = Grid(8, 8)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two simulated people on 8 x 8 tiles, with rewards of 0 to 50 in the columns of a study with ages."""
    policy = ValuePolicy(process_learner(Kernel.of("length", 0.8), 1e-4), "ucb", tau=0.05, beta=0.5)
    rows = ["id,cond,age,x,y,z,trial,round"]
    for subject in ("1", "2"):
        draw = np.random.default_rng(int(subject))
        for played in played_session(policy, subject, EIGHT, [CLICKS] * ROUNDS, "rough", draw).rounds:
            for trial, (tile, drawn) in enumerate(zip(played.tile, played.drawn, strict=True)):
                x, y = EIGHT.place(int(tile))
                rows.append(f"{subject},Rough,7,{x},{y},{drawn / 2:g},{trial},{played.number}")
    path = tmp_path_factory.mktemp("second") / "table.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_validation, "LEARNER_AXIS", np.arange(-2, 2.01, 0.5))
    monkeypatch.setattr(cross_validation, "BETA_AXIS", np.arange(-5, 2.01, 0.5))
    monkeypatch.setattr(search, "LENGTHS", np.arange(-2, 2.01, 0.25))
    monkeypatch.setattr(search, "BETAS", np.arange(-5, 2.01, 0.25))


def test_beliefs_are_those_of_scikit_learn_and_of_the_program(table: Path) -> None:
    size, people = read_people(table, 0, 50)
    own = people["1"][0]
    assert size == (8, 8)
    tiles = tiles_of(size)
    for first, second in zip(beliefs(own, tiles, 0.9), quick_beliefs(own, tiles, 0.9), strict=True):
        assert first == pytest.approx(second, abs=1e-9)
    played = of_file(table, RewardRange(0, 50)).people[0].rounds[0]
    rewards = (played.drawn[:-1] - 25) / 50
    program = beliefs_over_time(Kernel.of("length", 0.9).matrix(EIGHT), played.tile[:-1].tolist(), rewards.tolist())
    ordered = (tiles[:, 1] * 8 + tiles[:, 0]).astype(int)
    assert beliefs(own, tiles, 0.9)[0] == pytest.approx(program.mean[1:][:, ordered], abs=1e-9)
    assert beliefs(own, tiles, 0.9)[1] == pytest.approx(program.sd[1:][:, ordered], abs=1e-9)


@pytest.mark.parametrize("model", ["gp_ucb", "local_gp_ucb", "gp_mg", "local_search"])
def test_r_squared_of_the_program_is_that_of_the_second_fit(
    table: Path, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    assert main([str(table), "--range", "0,50", "--models", model]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 of 2 people, 8 x 8 tiles, rewards 0 to 50"
    compared = re.fullmatch(rf"{model}: program, second fit: .*, largest (.*)\); within 0.02 in 2 of 2", lines[1])
    assert compared is not None, lines[1]
    assert float(compared[1]) <= 0.02


def test_the_published_likelihood_is_found_at_the_published_parameters(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size, people = read_people(table, 0, 50)
    at = (math.log(0.8), math.log(0.4), math.log(0.1))
    rows = ["id,X.1,X.2,par1,par2,par3"]
    for name, rounds in people.items():
        fit = SecondFit(Work("gp_ucb", "schulz_2019", size, rounds))
        rows += [
            f"{name},{own.number},{-fit.log_likelihood(place, *at)},{at[0]},{at[1]},{at[2]}"
            for place, own in enumerate(rounds)
        ]
    published = tmp_path / "published.csv"
    published.write_text("\n".join(rows) + "\n")
    assert main([str(table), "--range", "0,50", "--models", "local_search", "--published", str(published)]) == 0
    output = capsys.readouterr().out
    assert re.search(r"published, at the published parameters: .* difference [+-]0.0000 ", output)
    assert "published, second fit by their rules: " in output
    published.write_text("\n".join(rows[: ROUNDS + 1]) + "\n")
    assert main([str(table), "--range", "0,50", "--models", "local_search", "--published", str(published)]) == 2
    assert "--published: has no person 2" in capsys.readouterr().err


def test_what_cannot_be_compared_is_refused(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(table)]) == 2
    assert "models need their range: wanted --range LOW,HIGH" in capsys.readouterr().err
    uneven = tmp_path / "uneven.csv"
    uneven.write_text("".join(table.read_text().splitlines(keepends=True)[:-1]))
    assert main([str(uneven), "--range", "0,50"]) == 2
    assert "has rounds of several lengths: wanted one" in capsys.readouterr().err
    assert main([str(table), "--range", "0,50", "--published", str(table)]) == 2
    assert "wanted the columns id, X.1, X.2, par1, par2, par3" in capsys.readouterr().err
