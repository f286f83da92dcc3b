"""Values that are allowed one by one and can hardly be meant are warned of, at their line."""

import datetime
from pathlib import Path

import pytest

from rig.config import find
from rig.session.check.check import check
from rig.session.spec.request import SessionRequest

PORTS = "extends: nose_ports_uno.yaml\ndevices:\n  left: "
ZONES = "extends: t_maze_uno.yaml\ndevices:\n  left: "


def warnings(folder: Path, kind: str, text: str) -> list[str]:
    (folder / kind).mkdir()
    path = folder / kind / "mine.yaml"
    path.write_text(text)
    report = check(path, SessionRequest())
    assert report.mistakes == ()
    return [warning.removeprefix(f"{path}:") for warning in report.warnings]


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (
            "protocols",
            "extends: free_water.yaml\nparams: {pause_s: 500}\n",
            "2: params.pause_s: 500 s leaves room for about 6 trials in 1800 s, and stop.max_rewards is 300: if 500 ms "
            "is meant, write 0.5",
        ),
        (
            "protocols",
            "extends: free_water.yaml\nstop: {idle_stop_s: 20}\n",
            "2: stop.idle_stop_s: the session ends after 20 s without activity, before the note of idle_alert_s (600 "
            "s): 20 min are 1200; or make idle_alert_s shorter, or null",
        ),
        (
            "protocols",
            "extends: free_water.yaml\nstop: {idle_alert_s: 1300}\n",
            "2: stop.idle_alert_s: the session ends after 1200 s without activity, before the note of idle_alert_s "
            "(1300 s): make idle_alert_s shorter, or null",
        ),
        (
            "rigs",
            ZONES + "{confirm_off_us: 300}\n",
            "3: devices.left.confirm_off_us: 300 us is shorter than debounce_us (5000 us) and keeps off almost "
            "nothing: if 300 ms are meant, write 300000",
        ),
        (
            "rigs",
            PORTS + "{beam_min_off_us: 4000}\n",
            "3: devices.left.beam_min_off_us: 4000 us is shorter than beam_lockout_us (5000 us) and keeps off almost "
            "nothing",
        ),
        (
            "M1",
            "daily_target_ul: 1200\nmax_ul_day: 1.5\n",
            "2: max_ul_day: 1.5 ul is too little for a day: if 1.5 ml is meant, write 1500",
        ),
        (
            "M1",
            "daily_target_ul: 1200\nmax_ul_day: 900\n",
            "2: max_ul_day: 900 ul is less than daily_target_ul (1200), which sessions then cannot reach",
        ),
        (
            "M1",
            "daily_target_ul: 1.2\n",
            "1: daily_target_ul: 1.2 ul is too little for a day: if 1.2 ml is meant, write 1200",
        ),
        (
            "M1",
            "refuse_pct: 0.8\n",
            "1: refuse_pct: no animal lives at 0.8 % of its weight: for a proportion of 0.8 write 80",
        ),
        ("M1", "target_pct: 20\n", "1: target_pct: no animal lives at 20 % of its weight"),
        (
            "M1",
            "refuse_above_pct: 1.2\n",
            "1: refuse_above_pct: no animal lives at 1.2 % of its weight: for a proportion of 1.2 write 120",
        ),
        (
            "lab",
            "max_ul_24h: 2.5\n",
            "1: max_ul_24h: 2.5 ul is too little for a day: if 2.5 ml is meant, write 2500",
        ),
    ],
)
def test_a_value_that_can_hardly_be_meant_is_warned_of(tmp_path: Path, kind: str, text: str, said: str) -> None:
    assert warnings(tmp_path, kind, text) == [said]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("protocols", "extends: free_water.yaml\nparams: {pause_s: 0.5}\nstop: {idle_stop_s: 600}\n"),
        ("protocols", "extends: free_water.yaml\nparams: {pause_s: 60}\nstop: {session_s: 3600}\n"),
        ("protocols", "extends: free_water.yaml\nparams: {pause_s: 20}\nstop: {session_s: 60}\n"),
        ("protocols", "extends: free_water.yaml\nstop: {idle_stop_s: 20, idle_alert_s: null}\n"),
        ("rigs", ZONES + "{confirm_off_us: 0}\n"),
        ("rigs", PORTS + "{beam_min_off_us: 20000}\n"),
        ("M1", "daily_target_ul: 1200\nmax_ul_day: 1500\n"),
        ("M1", "refuse_pct: 80\nwarn_above_pct: 105\n"),
    ],
)
def test_a_value_that_may_be_meant_is_not_warned_of(tmp_path: Path, kind: str, text: str) -> None:
    assert warnings(tmp_path, kind, text) == []


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2026-11-26", []),
        ("2026-10-26", ["2: date: 2026-10-26 is not the date in the file's name, 2026-11-26: which one is right?"]),
        ("2026-12-26", ["2: date: 2026-12-26 is yet to come: is the date right, and the computer's clock?"]),
    ],
)
def test_the_date_of_a_calibration_is_that_of_its_name_and_in_the_past(
    tmp_path: Path, date: str, said: list[str]
) -> None:
    path = tmp_path / "left_2026-11-26.yaml"
    points = "points: [{open_ms: 20, ul: 1.1}, {open_ms: 40, ul: 2.5}, {open_ms: 60, ul: 3.8}]\n"
    path.write_text(f"valve: left\ndate: {date}\npulses: 100\n{points}")
    report = check(path, SessionRequest(start=datetime.datetime(2026, 11, 28, 9)))
    assert [warning.removeprefix(f"{path}:") for warning in report.warnings] == said


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("max_ul: 1.2", "3: stop.max_ul: {}: raise the limit to 2.5 or more; if 1.2 ml is meant, write 1200"),
        (
            "max_ul: 2.4, max_rewards: 5",
            "3: stop.max_ul: {}: raise the limit to 2.5 or more; if 2.4 ml is meant, write 2400",
        ),
    ],
)
def test_the_limit_that_has_no_room_for_a_reward_is_named(tmp_path: Path, limit: str, said: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: free_water.yaml\nparams: {reward_ul: 2.5}\nstop: {" + limit + "}\n")
    text = "the first reward is already more than a limit allows, so none is ever given"
    assert check(path, SessionRequest()).mistakes == (f"{path}:{said.format(text)}",)


def test_the_file_of_the_subject_is_read_with_the_protocol(tmp_path: Path) -> None:
    file = tmp_path / "M1/subject.yaml"
    file.parent.mkdir()
    file.write_text("baseline_g: 26\nrefuse_pct: 0.8\n")
    report = check(find("protocols", "free_water"), SessionRequest(subject="M1", data=tmp_path))
    assert [warning.partition(": ")[0] for warning in report.warnings] == [f"{file}:2"]
