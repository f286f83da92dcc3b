"""Curriculum files: what is refused, and at which line it is told."""

from pathlib import Path

import pytest

from rig.config import load_config, validate
from rig.config.models.curriculum import CurriculumFile
from rig.core.errors import ConfigError
from tests.tables import rows

GOOD = """\
stages:
  water:
    protocol: free_water
    rules:
      - to: task
        when: [{sessions: 2}]
  task:
    protocol: two_armed_bandit
"""


def read(folder: Path, text: str = GOOD) -> CurriculumFile:
    path = folder / "mine.yaml"
    path.write_text(text)
    return validate(CurriculumFile, load_config(path))


def test_the_first_stage_is_the_one_that_stands_first(tmp_path: Path) -> None:
    assert read(tmp_path).first == "water"


@rows("old", "new", "said")
def test_a_mistake_is_reported_at_its_line_with_what_would_be_right(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert any(said in mistake for mistake in caught.value.mistakes), caught.value.mistakes


@pytest.mark.parametrize(
    "bounds", ["at_least: 1", "above: 0.2, below: 0.4", "at_least: 0.5, at_most: 0.5", "at_most: 0", "above: 0"]
)
def test_a_share_may_be_bounded_wherever_there_are_shares(tmp_path: Path, bounds: str) -> None:
    read(tmp_path, GOOD.replace("{sessions: 2}", f"{{share: {{x: 1}}, {bounds}}}"))


def test_a_rule_may_lead_back_and_may_end_the_curriculum(tmp_path: Path) -> None:
    more = "    rules:\n      - {to: water, when: [{sessions: 9}]}\n      - {to: end, when: [{sessions: 5}]}\n"
    rules = read(tmp_path, GOOD + more).stages["task"].rules
    assert [rule.to for rule in rules] == ["water", "end"]
    assert str(rules[0]) == "sessions >= 9"
