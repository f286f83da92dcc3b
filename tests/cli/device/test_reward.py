"""`rig device reward`."""

import datetime
from pathlib import Path

import pytest

from rig.core.errors import ConfigError, LinkLostError
from rig.records.subject.deliveries import delivered_between
from rig.session.subject_folder import SubjectFolder
from tests.cli.conftest import Rig
from tests.cli.device.lab import NOW, Lab

DAY = (NOW - datetime.timedelta(days=1), NOW + datetime.timedelta(days=1))


@pytest.fixture
def measured(lab: Lab, data: Path) -> Lab:
    lab.calibrations.mkdir()
    for side in ("left", "right"):
        text = f"valve: {side}\ndate: 2026-11-20\npoints: [{{open_ms: 20, ul: 1.056}}, {{open_ms: 70, ul: 4.356}}]\n"
        (lab.calibrations / f"{side}_2026-11-20.yaml").write_text(text)
    (data / "M1").mkdir(parents=True)
    return lab


def reward(rig: Rig, lab: Lab, *words: object):  # type: ignore[no-untyped-def]
    return rig("device", "reward", lab.rig_file, "left", *words)


def test_a_drop_of_which_the_end_is_not_known_counts_and_says_so(
    rig: Rig, measured: Lab, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lose_the_link(client: object, action: object) -> int:
        with pytest.raises(ConfigError, match="another session of 'M1' is running"), SubjectFolder(data, "M1"):
            pass
        raise LinkLostError("the cable is out")

    monkeypatch.setattr("rig.maintenance.valves.reward.run_output", lose_the_link)
    answer = reward(rig, measured, "--ul", "2.64", "--subject", "M1")
    assert answer.status == 3
    assert "the drop may have been given; recorded for M1, and counted for today" in answer.err
    assert delivered_between(data / "M1", *DAY).amount.ul == 2.64
