"""Curriculum files: what is refused, and at which line it is told."""

from pathlib import Path

import pytest

from rig.config import load_config, validate
from rig.config.models.curriculum import CurriculumFile
from rig.core.errors import ConfigError

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


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("to: task", "to: tsak", ":5: stages.water.rules[0].to: there is no stage 'tsak'; did you mean 'task'?"),
        ("to: task", "to: water", ":5: stages.water.rules[0].to: is the stage itself, where a subject stays anyhow"),
        ("  task:", "  end:", ":7: stages.end: no stage is called so: it is where a curriculum is over"),
        ("when: [{sessions: 2}]", "when: []", ":6: stages.water.rules[0].when: must have at least 1 entries"),
        (
            "{sessions: 2}",
            "{sesions: 2}",
            ":6: stages.water.rules[0].when[0].sesions: unknown key; did you mean 'sessions'",
        ),
        ("{sessions: 2}", "{sessions: 0}", ":6: stages.water.rules[0].when[0].sessions: must be >= 1, got 0"),
        ("{sessions: 2}", "{share: {x: 1}}", ":6: stages.water.rules[0].when[0]: share of what size? give above,"),
        (
            "{sessions: 2}",
            "{mean: x, at_least: 3, below: 3}",
            ":6: stages.water.rules[0].when[0]: no number is >= 3 and < 3",
        ),
        (
            "{sessions: 2}",
            "{share: {x: 1}, at_least: 80}",
            "when[0].at_least: a share is 0 to 1: none is >= 80; 80 % is 0.8",
        ),
        ("{sessions: 2}", "{share: {x: 1}, above: 1}", "rules[0].when[0].above: a share is 0 to 1: none is > 1"),
        (
            "{sessions: 2}",
            "{share: {x: 1}, at_most: 80}",
            "when[0].at_most: a share is 0 to 1: every one is <= 80; 80 % is",
        ),
        ("{sessions: 2}", "{share: {x: 1}, at_least: 0}", "when[0].at_least: a share is 0 to 1: every one is >= 0"),
        ("{sessions: 2}", "{share: {x: 1}, below: 7}", "when[0].below: a share is 0 to 1: every one is < 7"),
        ("{sessions: 2}", "{count: {x: 1}, at_least: 0}", "when[0].at_least: a count is 0 or more: every one is >= 0"),
        ("{sessions: 2}", "{count: {x: 1}, below: 0}", "when[0].below: a count is 0 or more: none is < 0"),
        ("    protocol: free_water\n", "", ":2: stages.water.protocol: required key is missing"),
        ("  water:", "  Water:", ":2: stages.Water: a name is small letters, digits and _"),
        (GOOD, "stages: {}\n", ":1: stages: must have at least 1 entries"),
    ],
)
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
