"""`rig device calibrate`."""

from collections.abc import Callable

import pytest

from tests.cli.conftest import Rig
from tests.cli.device.lab import Lab

SCALE = ("--scale", "/dev/scale", "--in-place", "--yes")


def calibrate(rig: Rig, lab: Lab, *words: object):  # type: ignore[no-untyped-def]
    return rig("device", "calibrate", lab.rig_file, *words)


@pytest.mark.parametrize(
    ("ul_of", "said"),
    [
        (lambda output, us: 2.6 if us == 71_000 else 0.066 * (us / 1000 - 4), "does not rise"),
        (lambda output, us: 0.066 * (us / 1000 - 4) * (1.1 if output == "right.valve" else 1), "right gives +10.0 %"),
    ],
)
def test_a_refused_calibration_writes_nothing_and_says_what_to_do(
    rig: Rig, lab: Lab, ul_of: Callable[[str, int], float], said: str
) -> None:
    (lab.calibrations).mkdir()
    for side in ("left", "right"):
        text = f"valve: {side}\ndate: 2026-11-03\npoints: [{{open_ms: 20, ul: 1.1}}, {{open_ms: 70, ul: 4.43}}]\n"
        (lab.calibrations / f"{side}_2026-11-03.yaml").write_text(text)
    lab.ul_of = ul_of
    answer = calibrate(rig, lab, "left", "right", *SCALE, "--open-ms", "15,40,60,71,120")
    assert answer.status == 3
    assert said in answer.err
    assert answer.err.count("no calibration was written") == 2
    assert "NOT written: left of" in answer.out
    assert lab.files("*_2026-11-24*.yaml") == []
    assert lab.files("*.jsonl") == ["left.refused.1.jsonl", "right.refused.1.jsonl"]


def test_a_drifting_valve_is_refused(rig: Rig, lab: Lab) -> None:
    factor = [1.0]

    def weaken() -> None:
        factor[0] *= 0.985

    lab.before_burst = weaken
    lab.ul_of = lambda output, open_us: 0.066 * (open_us / 1000 - 4) * factor[0]
    answer = calibrate(rig, lab, "left", *SCALE)
    assert answer.status == 3
    assert "from the first burst to the last one, at most 5 % is accepted: fill the reservoir" in answer.err


def one_weight_then(last: str | BaseException) -> Callable[[str], str]:
    """Return the answers of a person who weighs the first burst, and then types or presses something else."""
    answers: list[str | BaseException] = ["", "340 mg", last]

    def answer(question: str) -> str:
        typed = answers.pop(0)
        if isinstance(typed, BaseException):
            raise typed
        return typed

    return answer


def test_ctrl_c_at_a_question_says_what_is_kept(rig: Rig, lab: Lab, types: Callable[..., None]) -> None:
    types(one_weight_then(KeyboardInterrupt()))
    stopped = calibrate(rig, lab, "left", "--yes")
    assert stopped.status == 130
    assert "1 of 8 bursts of left are kept in" in stopped.err
    assert f"`rig device calibrate {lab.rig_file} left` with the same options goes on" in stopped.err


def test_a_person_types_each_weight_and_slips_are_asked_again(rig: Rig, lab: Lab, types: Callable[..., None]) -> None:
    asked: list[str] = []
    slips = ["251", "heavy", "0.2 mg", "r"]
    before = [0.0]

    def answer(question: str) -> str:
        asked.append(question)
        if "Enter" in question:
            before[0] = lab.stable_mg()
            return ""
        if slips:
            return slips.pop(0)
        return f"{(lab.stable_mg() - before[0]) / 1000:.4f} g"

    types(answer)
    said = calibrate(rig, lab, "left", "--yes")
    assert said.status == 0, said.err
    assert any("'251' has no unit: add mg or g" in question for question in asked)
    assert any("'heavy' is no weight" in question for question in asked)
    assert any("'0.2 mg' cannot be right" in question for question in asked)
    assert len([question for question in asked if "Put an empty" in question]) == 9  # one burst twice
    assert said.err.count("left: the board gives the drops; wait ") == 9
