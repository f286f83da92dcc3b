"""Values of different sections or files that contradict each other are told at the one of the file itself."""

from pathlib import Path

import pytest

from rig.config import find
from rig.session.check.check import FileReport, check
from rig.session.spec.request import SessionRequest

DELAYS = "extends: delay_discounting.yaml\n"
MAZE = "extends: sim_t_maze.yaml\n"
TRACKED = "extends: sim_t_maze_tracked.yaml\n"
STOPPED = "one that is stopped by hand counts from {} on (min_trials): it never does"


def report(folder: Path, kind: str, text: str) -> FileReport:
    (folder / kind).mkdir()
    path = folder / kind / "mine.yaml"
    path.write_text(text)
    return check(path, SessionRequest())


def own(folder: Path, kind: str, issues: tuple[str, ...]) -> list[str]:
    return [issue.removeprefix(f"{folder / kind / 'mine.yaml'}:") for issue in issues]


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (
            "protocols",
            DELAYS + "stop: {max_trials: 20}\n",
            "2: stop.max_trials: a session ends after 20 trials, and " + STOPPED.format(50),
        ),
        (
            "protocols",
            DELAYS + "stop: {max_trials: null, min_trials: 5000}\n",
            "2: stop.min_trials: 3600 s have room for about ",
        ),
        (
            "protocols",
            DELAYS + "expect: {max_decision_ms: 60}\n",
            "2: expect.max_decision_ms: max_decision_ms is 60, and start confirms for 300 ms (confirm_off_us), ",
        ),
        (
            "rigs",
            MAZE + "expect: {max_decision_ms: 300}\n",
            "2: expect.max_decision_ms: max_decision_ms is 300, and start confirms for 300 ms (confirm_off_us), ",
        ),
        (
            "rigs",
            MAZE + "devices: {left: {confirm_off_us: 600000}}\n",
            "2: devices.left.confirm_off_us: max_decision_ms is 500, and left confirms for 600 ms (confirm_off_us), ",
        ),
        (
            "rigs",
            TRACKED + "devices: {tracker: {hz: 30}}\n",
            "2: devices.tracker.hz: tracker has 30 frames in a second, and expect.inputs.tracker.hz is 60: ",
        ),
        (
            "rigs",
            TRACKED + "expect: {inputs: {tracker: {hz: 30}}}\n",
            "2: expect.inputs.tracker.hz: tracker has 60 frames in a second, and expect.inputs.tracker.hz is 30: ",
        ),
    ],
)
def test_a_contradiction_is_warned_of_at_the_value_of_the_file_itself(
    tmp_path: Path, kind: str, text: str, said: str
) -> None:
    found = report(tmp_path, kind, text)
    assert found.mistakes == ()
    (warning,) = own(tmp_path, kind, found.warnings)
    assert warning.startswith(said)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("protocols", DELAYS + "stop: {max_trials: 60}\n"),
        ("protocols", DELAYS + "stop: {max_trials: 50, min_trials: 50}\n"),
        ("rigs", MAZE + "expect: {max_decision_ms: 301}\n"),
        ("rigs", TRACKED + "expect: {inputs: {tracker: {hz: 59}}}\n"),
        ("rigs", TRACKED + "expect: {inputs: {tracker: {hz: 30}}}\ndevices: {tracker: {hz: 30}}\n"),
    ],
)
def test_values_that_fit_each_other_are_not_warned_of(tmp_path: Path, kind: str, text: str) -> None:
    found = report(tmp_path, kind, text)
    assert (found.mistakes, found.warnings) == ((), ())


def test_exchanged_numbers_of_trials_are_a_mistake(tmp_path: Path) -> None:
    found = report(tmp_path, "protocols", DELAYS + "stop: {max_trials: 100, min_trials: 200}\n")
    assert own(tmp_path, "protocols", found.mistakes) == [
        "2: stop.min_trials: is 200, and a session ends after 100 trials (max_trials): are they exchanged?"
    ]


def test_a_session_of_few_trials_by_the_command_line_is_no_mistake() -> None:
    request = SessionRequest(sets=["stop.max_trials=10"])
    assert check(find("protocols", "delay_discounting"), request).mistakes == ()
