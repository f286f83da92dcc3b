"""Study files: arms, analyses and figures; what is refused, and at which line it is told."""

import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rig.config import load_config, validate
from rig.config.models.study_figures import ExpectedFigure
from rig.config.models.study_file import Arm, StudyFile
from rig.core.errors import ConfigError
from tests.tables import rows

GOOD = """\
title: two odds
arms:
  80-20: {protocol: p, model: rflr, params: {p_high: 0.8, a: 1}, subjects: 12, sessions: 3}
  90-10: {like: 80-20, params: {p_high: 0.9}, sessions: 5, same_subjects_as: 80-20}
  course: {like: 80-20, curriculum: c, subjects: [M1, M2]}
analyses:
  all: {}
  high: {arms: [90-10], stages: [task]}
figures:
  - {name: rate, of: high, take: groups/90-10/x, expected: 0.7, tolerance: 0.1, source: Table 1}
pictures:
  - {of: all, picture: words, paper: Figure 2, shows: Words differ.}
power:
  baseline: 80-20
  effect: 90-10
  design: within
  subjects: [4, 8]
  sessions: [1, 3]
  statistic: {take: x, name: rate}
"""


def read(folder: Path, text: str = GOOD) -> StudyFile:
    path = folder / "mine.yaml"
    path.write_text(text)
    return validate(StudyFile, load_config(path))


def test_an_arm_has_the_values_of_the_one_that_it_is_like(tmp_path: Path) -> None:
    arm = read(tmp_path).arm("90-10")
    assert (arm.protocol, arm.model, arm.params, arm.session_count) == ("p", "rflr", {"p_high": 0.9, "a": 1}, 5)


def test_a_curriculum_takes_the_place_of_the_protocol_of_the_other_arm(tmp_path: Path) -> None:
    arm = read(tmp_path).arm("course")
    assert (arm.protocol, arm.curriculum, arm.params["a"]) == (None, "c", 1)


def test_subjects_are_numbered_named_or_those_of_another_arm(tmp_path: Path) -> None:
    study = read(tmp_path)
    assert study.subjects_of("80-20")[:2] == ["80-20-s1-001", "80-20-s1-002"]
    assert len(study.subjects_of("80-20")) == 12
    assert study.subjects_of("90-10") == study.subjects_of("80-20")
    assert study.subjects_of("course") == ["M1", "M2"]


def test_another_seed_has_other_subjects_but_for_those_that_are_named(tmp_path: Path) -> None:
    study = read(tmp_path)
    other = study.model_copy(update={"seed": 2})
    assert not set(other.subjects_of("80-20")) & set(study.subjects_of("80-20"))
    assert other.subjects_of("course") == study.subjects_of("course")


def test_an_analysis_takes_all_arms_unless_it_names_some(tmp_path: Path) -> None:
    study = read(tmp_path)
    assert study.arms_of(study.analyses["all"]) == ["80-20", "90-10", "course"]
    assert study.arms_of(study.analyses["high"]) == ["90-10"]


def test_numbers_may_be_names_and_keys(tmp_path: Path) -> None:
    text = "title: t\narms: {a: {protocol: p, model: m, params: {1: 2}}}\nanalyses: {1: {stages: [80]}}\n"
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert len(caught.value.mistakes) == 1  # values are numbers, and names are words
    study = read(tmp_path, text.replace("[80]", '["80"]'))
    assert (list(study.analyses), study.analyses["1"].stages, study.arm("a").params) == (["1"], ["80"], {"1": 2})


@given(subjects=st.integers(1, 2_000))
@example(subjects=100_000)
def test_numbered_subjects_are_all_different_and_as_long(subjects: int) -> None:
    study = StudyFile(title="t", arms={"a": Arm(protocol="p", model="m", subjects=subjects)})
    names = study.subjects_of("a")
    assert (len(set(names)), len({len(name) for name in names})) == (subjects, 1)


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        ({"expected": 2, "tolerance": 0.5}, (1.5, 2.5)),
        ({"at_least": 1}, (1, math.inf)),
        ({"at_most": 1}, (-math.inf, 1)),
        ({"at_least": 0, "at_most": 1}, (0, 1)),
    ],
)
def test_a_figure_has_bounds(given: dict[str, float], bounds: tuple[float, float]) -> None:
    figure = ExpectedFigure.model_validate({"name": "n", "of": "a", "take": "x", "source": "s", **given})
    assert figure.bounds == bounds


@rows("old", "new", "said")
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(
    tmp_path: Path, old: str, new: str, said: str | None
) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    if said is None:
        read(tmp_path, text)
        return
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert any(said in mistake for mistake in caught.value.mistakes), caught.value.mistakes


def test_all_mistakes_of_the_names_are_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("of: high", "of: x").replace("of: all", "of: y").replace("baseline: 80-20", "baseline: z")
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert len(caught.value.mistakes) == 3
