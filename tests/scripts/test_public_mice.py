"""Sessions of the public record that are of the task."""

from pathlib import Path

import pytest

from protocols.two_armed_bandit.tables.decisions import read_decisions
from scripts import public_mice

HEADER = "Session ID,Mouse ID,Date,Markov,Left Reward Prob,Right Reward Prob,Decision Window Duration\n"


@pytest.mark.parametrize(
    ("changed", "condition"),
    [
        ({}, "80-20"),
        ({"Left Reward Prob": "0.1", "Right Reward Prob": "0.9"}, "90-10"),
        ({"Left Reward Prob": "1.0", "Right Reward Prob": "0.0"}, None),
        ({"Markov": "0"}, None),
        ({"Decision Window Duration": "5.0"}, None),
    ],
)
def test_only_sessions_of_the_task_have_a_condition(changed: dict[str, str], condition: str | None) -> None:
    row = {"Markov": "1", "Left Reward Prob": "0.2", "Right Reward Prob": "0.8", "Decision Window Duration": "2.0"}
    assert public_mice.condition_of({**row, **changed}) == condition


def test_a_clone_becomes_files_of_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trials = tmp_path / "clone" / "data" / "trial_data"
    trials.mkdir(parents=True)
    rows = "0101_Baby,Baby,2018-01-11,1,0.8,0.2,2.0\n0102_Baby,Baby,2018-01-12,0,0.8,0.2,2.0\n"
    (tmp_path / "clone" / public_mice.RECORD).write_text(HEADER + rows, encoding="ascii")
    (trials / "0101_Baby_trials.csv").write_text("14.041,1.739,0.514,2,0.2,0.8,0\n", encoding="ascii")
    monkeypatch.setattr("sys.argv", ["public_mice", str(tmp_path / "clone"), str(tmp_path / "mice")])
    assert public_mice.main() == 0
    (path,) = (tmp_path / "mice").iterdir()
    assert path.name == "baby_80-20_20180111.csv"
    (decision,) = read_decisions(path)
    assert decision.side == "left"
