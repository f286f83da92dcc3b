"""`rig device reward`."""

import datetime
from pathlib import Path

import pytest

from rig.core.errors import BoardNotFoundError, ConfigError, LinkLostError
from rig.records.subject.deliveries import delivered_between
from rig.session.subject import SubjectFolder
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


def test_a_drop_for_an_animal_counts_for_its_day(rig: Rig, measured: Lab, data: Path) -> None:
    said = reward(rig, measured, "--ul", "2.64", "--subject", "M1")
    assert said.status == 0, said.err
    assert "left: 2.64 ul in 44.0 ms; recorded for M1, and counted for today" in said.out
    assert measured.pulses == [("left.valve", 44_000)]
    assert delivered_between(data / "M1", *DAY).amount.ul == 2.64


def test_a_board_that_is_not_there_gives_no_drop_that_counts(rig: Rig, measured: Lab, data: Path) -> None:
    def no_board() -> None:
        raise BoardNotFoundError("no board at /dev/nowhere")

    measured.before_burst = no_board
    for _ in range(3):
        answer = reward(rig, measured, "--ul", "2.64", "--subject", "M1")
        assert (answer.status, answer.err) == (3, "no board at /dev/nowhere\n")
    assert delivered_between(data / "M1", *DAY).amount.ul == 0


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


def test_a_drop_without_an_animal_is_confirmed_and_counts_for_none(rig: Rig, measured: Lab, data: Path) -> None:
    assert reward(rig, measured, "--ul", "2.5").status == 2
    assert measured.pulses == []
    assert reward(rig, measured, "--ul", "2.5", "--yes").status == 0
    assert len(measured.pulses) == 1
    assert delivered_between(data / "M1", *DAY).amount.ul == 0


def test_what_would_pass_the_animal_s_limit_is_not_given(rig: Rig, measured: Lab, data: Path) -> None:
    (data / "M1" / "subject.yaml").write_text("max_ul_day: 4\n")
    assert reward(rig, measured, "--ul", "3", "--subject", "M1").status == 0
    refused = reward(rig, measured, "--ul", "3", "--subject", "M1")
    assert refused.status == 2
    assert "M1 may be given 1 ul more today, not 3 ul" in refused.err
    assert delivered_between(data / "M1", *DAY).amount.ul == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ul", "9", "--yes"), "not in the measured range"),
        (("--ul", "-1", "--yes"), "wanted a volume above 0"),
        (("--ul", "nan", "--yes"), "wanted a volume above 0"),
        (("--ul", "2.5", "--subject", "M9"), "has no subject 'M9'"),
    ],
)
def test_a_wrong_drop_is_refused_before_the_valve_opens(
    rig: Rig, measured: Lab, words: tuple[str, ...], said: str
) -> None:
    answer = reward(rig, measured, *words)
    assert answer.status == 2
    assert said in answer.err
    assert measured.pulses == []


def test_a_calibration_that_is_too_old_gives_no_drop(rig: Rig, measured: Lab) -> None:
    for path in measured.calibrations.glob("*.yaml"):
        path.write_text(path.read_text().replace("2026-11-20", "2026-11-02"))
    answer = reward(rig, measured, "--ul", "2.5", "--yes")
    assert answer.status == 2
    assert "22 days ago; at most 7 are allowed" in answer.err


def test_no_animal_is_in_a_simulated_rig(rig: Rig) -> None:
    answer = rig("device", "reward", "sim_nose_ports", "left", "--ul", "2.5", "--subject", "M1")
    assert answer.status == 2
    assert "this rig is simulated" in answer.err
