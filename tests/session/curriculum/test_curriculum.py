"""A curriculum as it is run: protocols that are laid over, columns that must exist, the stage of a subject."""

from pathlib import Path

import pytest

from rig.config import find
from rig.core.errors import ConfigError
from rig.session.curriculum.curriculum import Curriculum
from rig.session.spec.request import SessionRequest
from tests.past_sessions import write_session
from tests.tables import rows

STAGES = """\
stages:
  water:
    protocol: two_armed_bandit_stage1
    rules: [{to: task, when: [{sessions: 2}]}]
  task:
    protocol: two_armed_bandit
    params: {p_high: 0.9}
    stop: {max_rewards: 7}
    rules:
      - to: end
        when:
          - {share: {choice: {same_as: high_side}}, filter: {outcome: rewarded}, at_least: 1}
"""

Change = tuple[str, str]


def written(folder: Path, *changes: Change) -> Path:
    text = STAGES
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "course.yaml"
    path.write_text(text)
    return path


def mistakes(folder: Path, *changes: Change) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        Curriculum(written(folder, *changes), SessionRequest()).check()
    return caught.value.mistakes


def test_a_stage_runs_its_protocol_with_what_is_laid_over_it(tmp_path: Path) -> None:
    curriculum = Curriculum(written(tmp_path), SessionRequest())
    curriculum.check()
    task = curriculum.spec("task")
    assert (task.params.p_high, task.params.choice_window_s, task.stop.max_rewards) == (0.9, 2.0, 7)
    assert curriculum.spec("water").params.p_high == 1.0
    assert task.sources[0].name == "two_armed_bandit.yaml"
    assert tmp_path / "course.yaml" in task.sources


def test_what_is_set_on_the_command_line_goes_before_all_in_every_stage(tmp_path: Path) -> None:
    curriculum = Curriculum(written(tmp_path), SessionRequest(sets=("params.choice_window_s=3", "stop.session_s=5")))
    assert {curriculum.spec(stage).params.choice_window_s for stage in curriculum.file.stages} == {3}
    assert {curriculum.spec(stage).stop.session_s for stage in curriculum.file.stages} == {5}


def test_a_protocol_is_built_once(tmp_path: Path) -> None:
    curriculum = Curriculum(written(tmp_path), SessionRequest())
    assert curriculum.spec("task") is curriculum.spec("task")


def test_the_rig_is_that_of_every_stage(tmp_path: Path) -> None:
    curriculum = Curriculum(written(tmp_path), SessionRequest(rig="nose_ports_uno", driver="sim"))
    assert {curriculum.spec(stage).plan.name for stage in curriculum.file.stages} == {"nose_ports_uno"}
    with pytest.raises(ConfigError, match="no rig is called 'nowhere'"):
        Curriculum(written(tmp_path), SessionRequest(rig="nowhere")).spec("task")


def test_a_path_of_a_protocol_is_counted_from_the_file_that_says_it(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "task.yaml").write_text("extends: two_armed_bandit.yaml\nparams: {q_stay: 0.5}\n")
    base = written(tmp_path, ("protocol: two_armed_bandit\n", "protocol: mine/task.yaml\n"))
    assert Curriculum(base, SessionRequest()).spec("task").params.q_stay == 0.5
    elsewhere = tmp_path / "elsewhere" / "more.yaml"
    elsewhere.parent.mkdir()
    elsewhere.write_text("extends: ../course.yaml\nstages:\n  task:\n    params: {p_high: 0.8}\n")
    params = Curriculum(elsewhere, SessionRequest()).spec("task").params
    assert (params.q_stay, params.p_high) == (0.5, 0.8)


@rows("change", "said")
def test_a_mistake_is_reported_at_the_line_that_made_it(tmp_path: Path, change: Change, said: str) -> None:
    (found,) = mistakes(tmp_path, change)
    assert said in found


def test_the_mistakes_of_all_stages_are_reported_at_once(tmp_path: Path) -> None:
    found = mistakes(tmp_path, ("two_armed_bandit_stage1", "nothing"), ("{p_high: 0.9}", "{p_high: 9}"))
    assert len(found) == 2


def test_stages_that_no_rule_leads_to_are_named(tmp_path: Path) -> None:
    assert Curriculum(written(tmp_path), SessionRequest()).unreached == []
    assert Curriculum(written(tmp_path, ("to: task", "to: end")), SessionRequest()).unreached == ["task"]


def test_the_stage_of_a_subject_follows_from_its_folder(tmp_path: Path) -> None:
    curriculum, subject = Curriculum(written(tmp_path), SessionRequest()), tmp_path / "M1"
    assert curriculum.decide(subject).stage == "water"
    for day in (1, 2):
        write_session(subject, day, "water")
    (subject / "2026-11-03" / "001").mkdir(parents=True)
    (subject / "2026-11-03" / "001" / "journal.jsonl").write_bytes(b"torn")
    assert curriculum.decide(subject).stage == "task"
    assert curriculum.decide(subject, curriculum.override("water", "again")).stage == "water"
    with pytest.raises(ConfigError, match="--stage fire: course has no such stage; accepted: water, task"):
        curriculum.override("fire", "why not")


def test_the_mistakes_of_the_file_its_rules_and_its_protocols_are_reported_at_once(tmp_path: Path) -> None:
    found = "\n".join(
        mistakes(
            tmp_path,
            ("to: task, when: [{sessions: 2}]", "to: tsak, when: [{sessions: 2}, {share: {choice: lft}, above: 0.5}]"),
            ("{p_high: 0.9}", "{p_high: 9}"),
            ("at_least: 1", "at_most: 80"),
        )
    )
    for part in (
        "course.yaml:4: stages.water.rules[0].to: there is no stage 'tsak'; did you mean 'task'?",
        "course.yaml:4: stages.water.rules[0].when[1].share.choice: column 'choice' is never 'lft'; did you",
        "stages.task.rules[0].when[0].at_most: a share is 0 to 1: every one is <= 80; 80 % is 0.8",
    ):
        assert part in found, found


def test_a_mistake_in_a_protocol_does_not_hide_those_of_its_rules(tmp_path: Path) -> None:
    first, second = mistakes(tmp_path, ("{p_high: 0.9}", "{p_high: 9}"), ("{outcome: rewarded}", "{outcome: rewraded}"))
    assert "course.yaml:7: params.p_high: must be <= 1, got 9" in first
    assert "column 'outcome' is never 'rewraded'; did you mean 'rewarded'?" in second


@pytest.mark.parametrize("given", ["params.payoff=maximum", "params={payoff: maximum}"])
def test_a_set_cannot_replace_a_condition_between_subjects(given: str) -> None:
    with pytest.raises(
        ConfigError, match=r"command line: params\.payoff: the stages of curriculum grid_bandit decide it"
    ):
        Curriculum(find("curricula", "grid_bandit"), SessionRequest(sets=(given,)))


def test_a_set_may_change_what_no_assigned_stage_decides() -> None:
    sets = ("params.rounds=2", "params.bonus=released_code", "params=3")
    assert Curriculum(find("curricula", "grid_bandit"), SessionRequest(sets=sets)).file.assign is not None


def test_a_rule_that_is_never_reached_is_told_at_its_line(tmp_path: Path) -> None:
    added = (
        "rules: [{to: task, when: [{sessions: 2}]}]",
        "rules:\n      - {to: task, when: [{sessions: 2}]}\n      - {to: end, when: [{sessions: 9}]}",
    )
    (mistake,) = mistakes(tmp_path, added)
    assert mistake.startswith(f"{tmp_path / 'course.yaml'}:6: stages.water.rules[1].when[0].sessions: is never reached")
