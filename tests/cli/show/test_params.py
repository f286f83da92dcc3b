"""`rig show params`: a table of what may be set."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Rig
from tests.cli.show.lab_protocol import LAB_PROTOCOL


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_a_wide_terminal_shows_a_table_with_the_source_of_every_default(rig: Rig, wide: None) -> None:
    answer = rig("show", "params", "two_armed_bandit")
    assert answer.status == 0
    (line,) = lines(answer.out, "q_stay")
    for word in ("0.98", "probability", "> 0, <= 1", "markov: probability per completed", "Beron et al. 2022, Methods"):
        assert word in line
    assert lines(answer.out, "session_s")[0].split()[1:3] == ["required", "s"]


def test_a_narrow_terminal_shows_the_same_below_each_other(rig: Rig, narrow: None) -> None:
    text = rig("show", "params", "two_armed_bandit").out
    assert lines(text, "q_stay")[0].split() == ["q_stay", "0.98", "probability", ">", "0,", "<=", "1"]
    assert "    source: Beron et al. 2022, Methods: q = 0.98 after completion" in text
    assert "    accepted: markov, reward_block, fixed, fixed_block" in text
    assert max(map(len, text.splitlines())) <= 80


def test_of_a_yaml_file_the_values_that_differ_are_shown_too(rig: Rig, narrow: None) -> None:
    text = rig("show", "params", "two_armed_bandit_stage2").out
    assert "two_armed_bandit_stage2.yaml" in text
    assert lines(text, "choice_window_s")[0].split() == ["choice_window_s", "2", "15", "s", "live", "0.1", "to", "30"]
    assert lines(text, "reward_ul")[0].split() == ["reward_ul", "2.5", "ul", "live", "0.5", "to", "10"]
    assert lines(text, "q_stay")[0].split()[2:4] == ["probability", ">"]
    assert "live: `rig session set` may change it during a session" in text
    assert lines(text, "session_s")[0].split()[:3] == ["session_s", "required", "2400"]


def test_a_script_reads_json(rig: Rig) -> None:
    found = json.loads(rig("show", "params", "two_armed_bandit_90-10", "--json").out)
    assert found["protocol"] == "two_armed_bandit"
    assert found["file"].endswith("two_armed_bandit_90-10.yaml")
    p_high = next(key for key in found["params"] if key["name"] == "p_high")
    assert (p_high["default"], p_high["value"], p_high["bounds"]) == (0.8, 0.9, {"ge": 0.5, "le": 1})
    stop = {key["name"]: key for key in found["stop"]}
    assert stop["session_s"]["required"]
    assert stop["session_s"]["value"] == 2400
    task = json.loads(rig("show", "params", "two_armed_bandit", "--json").out)
    assert task["file"] is None
    assert all("value" not in key for key in (*task["params"], *task["stop"]))


def test_a_laboratorys_own_file_has_parameters_too(rig: Rig, tmp_path: Path, narrow: None) -> None:
    file = tmp_path / "lab.py"
    file.write_text(LAB_PROTOCOL)
    answer = rig("show", "params", f"{file}:Rest")
    assert lines(answer.out, "rest_s")[0].split() == ["rest_s", "1", "s", ">", "0"]
    assert "    how long [it] rests" in answer.out  # brackets mean nothing to us
    assert "source:" not in answer.out.partition("stop:")[0]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("two_armed_bandt", "did you mean 'two_armed_bandit'?"),
        ("nowhere/x.yaml", "there is no folder"),
        ("./x.py:Task", "there is no file x.py"),
    ],
)
def test_what_is_not_there_is_said(rig: Rig, word: str, said: str) -> None:
    answer = rig("show", "params", word)
    assert answer.status == 2
    assert said in answer.err


def test_a_protocol_that_a_file_names_and_nobody_has_is_said_with_its_line(rig: Rig, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("# mine\nprotocol: missing\nstop: {session_s: 1, max_ul: 1}\n")
    answer = rig("show", "params", file)
    assert answer.status == 2
    assert answer.err.startswith(f"{file}:2: protocol: protocol 'missing' is not installed")
