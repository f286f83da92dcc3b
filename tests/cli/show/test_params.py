"""`rig show params`: a table of what may be set."""

import pytest

from tests.cli.conftest import Rig


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_a_narrow_terminal_shows_the_same_below_each_other(rig: Rig, narrow: None) -> None:
    text = rig("show", "params", "two_armed_bandit").out
    assert lines(text, "q_stay")[0].split() == ["q_stay", "0.98", "probability", ">", "0,", "<=", "1"]
    assert "    source: Beron et al. 2022, Methods: q = 0.98 after completion" in text
    assert "    accepted: markov, reward_block, fixed, fixed_block" in text
    assert max(map(len, text.splitlines())) <= 80
