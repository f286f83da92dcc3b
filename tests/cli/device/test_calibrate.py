"""`rig device calibrate`."""

import datetime
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.cli import common
from rig.config.calibration import load_calibration
from rig.core.errors import LinkLostError
from tests.cli.conftest import Rig
from tests.cli.device.lab import Lab

SCALE = ("--scale", "/dev/scale", "--in-place", "--yes")


def calibrate(rig: Rig, lab: Lab, *words: object):  # type: ignore[no-untyped-def]
    return rig("device", "calibrate", lab.rig_file, *words)


def test_valves_are_measured_and_each_gets_a_dated_file_with_a_figure(rig: Rig, lab: Lab) -> None:
    said = calibrate(rig, lab, "left", "right", *SCALE)
    assert said.status == 0, said.err
    assert lab.files("*.yaml") == ["left_2026-11-24.yaml", "right_2026-11-24.yaml"]
    assert lab.files("*.png") == ["left_2026-11-24.png", "right_2026-11-24.png"]
    calibration = load_calibration(lab.calibrations / "left_2026-11-24.yaml")
    for ul in (1.0, 2.5, 6.0):
        open_us = calibration.open_us(ul)
        assert lab.ul_of("left.valve", open_us) == pytest.approx(ul, rel=0.01)
    assert "smallest volume to be trusted: 0." in said.out
    # The rig file says `left`, which is the newest file: there is nothing to write.
    assert "write left_2026" not in said.out
    counts = Counter(open_us for output, open_us in lab.pulses if output == "left.valve")
    assert len(counts) == 4
    assert min(counts.values()) >= 100


def test_a_second_calibration_of_a_day_changes_no_file(rig: Rig, lab: Lab) -> None:
    calibrate(rig, lab, "left", *SCALE)
    first = (lab.calibrations / "left_2026-11-24.yaml").read_bytes()
    assert calibrate(rig, lab, "left", *SCALE).status == 0
    assert lab.files("*.yaml") == ["left_2026-11-24.yaml", "left_2026-11-24_2.yaml"]
    assert (lab.calibrations / "left_2026-11-24.yaml").read_bytes() == first


def test_a_simulated_valve_is_calibrated_among_the_simulated_records(rig: Rig, data: Path) -> None:
    said = rig("device", "calibrate", "sim_nose_ports", "left", "right", "--scale", "sim")
    assert said.status == 0, said.err
    assert sorted(path.name for path in (data / "sim" / "calibrations").glob("*.yaml")) == [
        f"{valve}_{datetime.date.today()}.yaml" for valve in ("left", "right")
    ]
    assert "left: no session of sim_nose_ports uses this file" in said.out
    assert "devices.left.calibration: write" not in said.out


def test_a_calibration_that_another_rig_file_names_is_to_be_named_in_the_rig_s_own(rig: Rig, lab: Lab) -> None:
    lab.calibrations.mkdir()
    text = "valve: left\ndate: 2026-11-03\npoints: [{open_ms: 20, ul: 1.1}, {open_ms: 70, ul: 4.43}]\n"
    (lab.calibrations / "left_2026-11-03.yaml").write_text(text)
    shared = lab.rig_file.with_name("shared.yaml")
    shared.write_text(lab.rig_file.read_text().replace("calibration: left}", "calibration: left_2026-11-03}"))
    said = rig("device", "calibrate", shared, "left", *SCALE)
    assert f"{shared}:4: devices.left.calibration: write left_2026-11-24, or left for the newest one" in said.out
    lab.rig_file.write_text("extends: shared.yaml\n")
    said = calibrate(rig, lab, "left", *SCALE)
    assert f"{lab.rig_file}: devices.left.calibration: write left_2026-11-24_2, or left for the newest" in said.out


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


def test_a_valve_that_is_measured_alone_is_compared_with_the_one_beside_it(rig: Rig, lab: Lab) -> None:
    assert calibrate(rig, lab, "right", *SCALE).status == 0
    lab.ul_of = lambda output, open_us: 1.1 * 0.066 * (open_us / 1000 - 4)
    answer = calibrate(rig, lab, "left", *SCALE)
    assert answer.status == 3
    assert "left gives +10.0 % of what right gives" in answer.err
    assert lab.files("*.yaml") == ["right_2026-11-24.yaml"]
    # A calibration that no session may use any more is no reason.
    right = lab.calibrations / "right_2026-11-24.yaml"
    right.write_text(right.read_text().replace("2026-11-24", "2026-11-16"))
    assert calibrate(rig, lab, "left", *SCALE).status == 0


def test_a_drifting_valve_is_refused(rig: Rig, lab: Lab) -> None:
    factor = [1.0]

    def weaken() -> None:
        factor[0] *= 0.985

    lab.before_burst = weaken
    lab.ul_of = lambda output, open_us: 0.066 * (open_us / 1000 - 4) * factor[0]
    answer = calibrate(rig, lab, "left", *SCALE)
    assert answer.status == 3
    assert "from the first burst to the last one, at most 5 % is accepted: fill the reservoir" in answer.err


def test_after_a_lost_link_the_same_command_goes_on_where_it_was(rig: Rig, lab: Lab) -> None:
    bursts = [0]

    def fail_at_the_fifth() -> None:
        bursts[0] += 1
        if bursts[0] == 5:
            raise LinkLostError("the cable is out")

    lab.before_burst = fail_at_the_fifth
    first = calibrate(rig, lab, "left", *SCALE)
    assert (first.status, first.err.splitlines()[-1]) == (3, "left: the cable is out")
    assert "4 of 8 bursts of left are kept in" in first.err
    lab.before_burst = lambda: None
    again = calibrate(rig, lab, "left", *SCALE)
    assert again.status == 0, again.err
    assert "left: goes on after 4 of 8 bursts" in again.err
    assert "burst 5 of 8" in again.err
    assert "burst 4 of 8" not in again.err


def test_a_weight_that_is_typed_too_early_opens_no_valve(rig: Rig, lab: Lab, types: Callable[..., None]) -> None:
    answers, asked = ["251 mg", "q"], list[str]()

    def answer(question: str) -> str:
        asked.append(question)
        return answers.pop(0)

    types(answer)
    assert calibrate(rig, lab, "left", "--yes").status == 130
    assert asked[1].startswith("'251 mg' is not Enter alone. Put an empty, tared vial under left")
    assert lab.pulses == []


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


def test_what_was_begun_on_another_day_does_not_go_on(
    rig: Rig, lab: Lab, types: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    types(lambda question: "q")
    assert "are kept" not in calibrate(rig, lab, "left", "--yes").err
    assert lab.files("*.jsonl") == []
    types(one_weight_then("q"))
    stopped = calibrate(rig, lab, "left", "--yes")
    assert stopped.status == 130
    assert "1 of 8 bursts of left are kept in" in stopped.err
    monkeypatch.setattr(common, "now", lambda: datetime.datetime(2026, 11, 25, 9))
    refused = calibrate(rig, lab, "left", *SCALE)
    assert refused.status == 2
    assert "was begun with another bursts, date: --restart starts again" in refused.err
    assert calibrate(rig, lab, "left", *SCALE, "--restart").status == 0
    assert lab.files("*.stopped.*") == ["left.stopped.1.jsonl"]


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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lft", *SCALE), "box has no device 'lft'; did you mean 'left'? accepted: left, right"),
        (("center", *SCALE), "box: center: has no valve"),
        (("left", "left", *SCALE), "left: is named twice"),
        (("left", *SCALE, "--open-ms", "20,40"), "--open-ms: wanted 3 or more"),
        (("left", *SCALE, "--open-ms", "a"), "--open-ms a: wanted open times"),
        (("left", *SCALE, "--open-ms", "20,40,5000"), "left may open 1000 ms (max_open_ms), not 5000 ms"),
        (("left", *SCALE, "--pulses", "10"), "--pulses 10: wanted 50 to 2000"),
        (("left", *SCALE, "--water-c", "98"), "--water-c 98: wanted the temperature of the water, 0 to 40"),
        (("left", *SCALE, "--reward-ul", "-1"), "--reward-ul -1: wanted a volume"),
        (("left", *SCALE, "--protocol", "disk_bandit"), "gives no water at left"),
        (("left", "--yes", "--scale", "sim"), "only a simulated rig has a simulated scale"),
        (("left", "--yes"), "there is no terminal at which a person could weigh"),
        (("left", "--scale", "/dev/scale", "--in-place"), "no animal may be in the rig"),
    ],
)
def test_wrong_input_is_refused_before_any_drop(rig: Rig, lab: Lab, words: tuple[str, ...], said: str) -> None:
    answer = calibrate(rig, lab, *words)
    assert answer.status == 2
    assert said in answer.err
    assert lab.pulses == []
