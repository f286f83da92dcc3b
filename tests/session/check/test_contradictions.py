"""Values of different sections or files that contradict each other are told at the one of the file itself."""

from pathlib import Path

from rig.config import find
from rig.session.check.check import FileReport, check
from rig.session.spec.request import SessionRequest
from tests.tables import rows

DELAYS = "extends: delay_discounting.yaml\n"


def report(folder: Path, kind: str, text: str) -> FileReport:
    (folder / kind).mkdir()
    path = folder / kind / "mine.yaml"
    path.write_text(text)
    return check(path, SessionRequest())


def own(folder: Path, kind: str, issues: tuple[str, ...]) -> list[str]:
    return [issue.removeprefix(f"{folder / kind / 'mine.yaml'}:") for issue in issues]


@rows("kind", "text", "said")
def test_a_contradiction_is_warned_of_at_the_value_of_the_file_itself(
    tmp_path: Path, kind: str, text: str, said: str
) -> None:
    found = report(tmp_path, kind, text)
    assert found.mistakes == ()
    (warning,) = own(tmp_path, kind, found.warnings)
    assert warning.startswith(said)


@rows("kind", "text")
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
