"""The valves of several rigs are measured with one command."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.config.read_calibration import load_calibration
from tests.cli.conftest import Rig
from tests.cli.device.lab import Lab


@pytest.fixture
def boxes(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The rig files of two boxes of this computer, whose valves have names of their own."""
    text = lab.rig_file.read_text()
    paths = []
    for name in ("a", "b"):
        box_text = text
        for side in ("left", "right"):
            box_text = box_text.replace(f"calibration: {side}", f"valve_id: {name}_{side}, calibration: {name}_{side}")
        paths.append(lab.rig_file.with_name(f"box_{name}.yaml"))
        paths[-1].write_text(box_text)
    monkeypatch.chdir(lab.folder)
    (lab.folder / "rig.toml").write_text('[boxes]\n"box a" = "rigs/box_a.yaml"\n"box b" = "rigs/box_b.yaml"\n')
    return paths


class Person:
    """A person who weighs what the valves really gave, and types ``other`` at the questions that match a pattern."""

    def __init__(self, lab: Lab, other: dict[str, list[str]] | None = None) -> None:
        self.asked: list[str] = []
        self._lab = lab
        self._other = other or {}
        self._before = 0.0

    def __call__(self, question: str) -> str:
        self.asked.append(question)
        for pattern, typed in self._other.items():
            if typed and re.search(pattern, question):
                return typed.pop(0)
        if "empty?" in question:
            return "y"
        if "Enter" in question:
            self._before = self._lab.stable_mg()
            return ""
        return f"{self._lab.stable_mg() - self._before:.2f} mg"


def test_all_boxes_are_measured_in_one_go(rig: Rig, lab: Lab, boxes: list[Path], types: Callable[..., None]) -> None:
    person = Person(lab)
    types(person)
    said = rig("device", "calibrate", "--all")
    assert said.status == 0, said.err
    plan = said.err.splitlines()[:4]
    assert [line.partition(":")[0] for line in plan] == [
        "1. left of box a",
        "2. right of box a",
        "3. left of box b",
        "4. right of box b",
    ]
    assert plan[0].endswith("about 7 min")
    assert plan[3].endswith("about 7 min, 27 min for all so far")
    assert [question for question in person.asked if "empty?" in question] == [
        "Is box a empty? [y/N] ",
        "Is box b empty? [y/N] ",
    ]
    assert lab.files("*.yaml") == [f"{box}_{side}_2026-11-24.yaml" for box in "ab" for side in ("left", "right")]
    assert said.out.splitlines()[-1] == "written: left of box a, right of box a, left of box b, right of box b"


def test_a_curve_that_is_refused_keeps_no_other_from_being_written(
    rig: Rig, lab: Lab, boxes: list[Path], types: Callable[..., None]
) -> None:
    straight = lab.ul_of
    lab.ul_of = lambda output, open_us: (
        straight(output, open_us) * (0.5 if output == "left.valve" and 30_000 < open_us < 80_000 else 1)
    )
    types(Person(lab, {r"\[Enter: yes, n: no\]": ["n"]}))
    said = rig("device", "calibrate", boxes[0], "left", "right")
    assert said.status == 3
    assert "left: no calibration was written" in said.err
    assert lab.files("*.yaml") == ["a_right_2026-11-24.yaml"]


def test_stopped_in_the_second_box_the_first_is_written(
    rig: Rig, lab: Lab, boxes: list[Path], types: Callable[..., None]
) -> None:
    person = Person(lab)

    def answer(question: str) -> str:
        is_second = sum("Put an empty" in asked for asked in person.asked) == 10
        return "q" if is_second and "Put an empty" in question else person(question)

    types(answer)
    said = rig("device", "calibrate", "box a", "left", "box b", "left")
    assert said.status == 130
    assert "written: left of box a" in said.out
    assert "2 of 8 bursts of left are kept in" in said.err
    assert "`rig device calibrate 'box b' left` with the same options goes on" in said.err


def test_a_scale_that_was_knocked_once_has_one_burst_repeated_by_itself(rig: Rig, lab: Lab) -> None:
    weighings, true = [0], lab.stable_mg

    def knocked() -> float:
        weighings[0] += 1
        return true() + (80.0 if weighings[0] == 6 else 0.0)

    lab.stable_mg = knocked  # type: ignore[method-assign]
    said = rig("device", "calibrate", lab.rig_file, "left", "--scale", "/dev/scale", "--in-place", "--yes")
    assert said.status == 0, said.err
    wrong = re.search(r"left: (burst \d) is wrong: ", said.err)
    assert wrong is not None
    assert said.err.count(f"{wrong[1]} of 8") == 2
    assert load_calibration(lab.calibrations / "left_2026-11-24.yaml").ul(40_000) == pytest.approx(2.376, rel=0.01)
