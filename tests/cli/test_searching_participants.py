"""Virtual participants of the grid bandit and the risky bandit, at the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Rig


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["grid_bandit", "risky_bandit"])
def test_a_whole_session_of_a_participant_is_the_same_under_replay(rig: Rig, data: Path, protocol: str) -> None:
    said = rig("sim", protocol, "--model", "option_learning", "--subject", "P", "--start", "2026-11-21T09:00")
    assert said.status == 0, said.err
    said = rig("replay", data / "sim" / "P" / "2026-11-21" / "001")
    assert said.status == 0, said.out + said.err
    assert "the same" in said.out
