"""Which stage comes next, from sessions that were: counted, crashed, overridden, of another curriculum."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from rig.config.models.curriculum import CurriculumFile
from rig.core.errors import ConfigError, RecordError
from rig.records.session.history import past_sessions
from rig.session.select_stage import StageDecision, StageOverride, select_stage, trial_rows
from tests.past_sessions import rewarded_rows, write_session
from tests.tables import rows


def course(*conditions: dict[str, Any], back: dict[str, Any] | None = None) -> CurriculumFile:
    """Three stages: one, two, three; from each to the next by the same conditions, and from two back to one."""
    on = list(conditions or ({"sessions": 2},))
    of_two = [{"to": "three", "when": on}] + ([{"to": "one", "when": [back]}] if back else [])
    return CurriculumFile.model_validate(
        {
            "stages": {
                "one": {"protocol": "p", "rules": [{"to": "two", "when": on}]},
                "two": {"protocol": "p", "rules": of_two},
                "three": {"protocol": "p"},
            }
        }
    )


def next_of(folder: Path, file: CurriculumFile, override: StageOverride | None = None) -> StageDecision:
    return select_stage("course", file, past_sessions(folder), override)


def test_a_new_subject_begins_with_the_first_stage(tmp_path: Path) -> None:
    decision = next_of(tmp_path, course())
    assert (decision.stage, decision.previous_stage, decision.explanation) == ("one", None, "the first stage")


def test_a_stage_lasts_as_many_sessions_as_its_rule_says(tmp_path: Path) -> None:
    stages = []
    for day in range(1, 8):
        stages.append(next_of(tmp_path, course()).stage)
        write_session(tmp_path, day, stages[-1])
    assert stages == ["one", "one", "two", "two", "three", "three", "three"]
    decision = next_of(tmp_path, course())
    assert decision.explanation == "stays: no rule leads on"
    assert decision.recorded.sessions == []


def test_what_is_recorded_says_which_rule_chose_it_from_which_sessions(tmp_path: Path) -> None:
    for day in (1, 2):
        write_session(tmp_path, day, "one")
    assert to_builtins(next_of(tmp_path, course()).recorded) == {
        "name": "course",
        "stage": "two",
        "from": "one",
        "why": "one -> two: sessions: 2 (wanted >= 2)",
        "sessions": ["2026-11-01/001", "2026-11-02/001"],
        "override": None,
    }


@pytest.mark.parametrize("reason", [None, "fault", "crash", "operator"])
def test_a_session_that_does_not_count_moves_nobody_on(tmp_path: Path, reason: str | None) -> None:
    write_session(tmp_path, 1, "one")
    write_session(tmp_path, 2, "one", reason=reason, min_trials=50)
    decision = next_of(tmp_path, course())
    assert (decision.stage, decision.explanation) == ("one", "stays: sessions: 1 (wanted >= 2)")


@pytest.mark.parametrize("reason", [None, "fault"])
def test_a_first_session_of_a_stage_that_failed_is_decided_again_and_the_same(
    tmp_path: Path, reason: str | None
) -> None:
    for day in (1, 2):
        write_session(tmp_path, day, "one")
    before = next_of(tmp_path, course())
    write_session(tmp_path, 3, "two", reason=reason)
    assert next_of(tmp_path, course()) == before


def test_sessions_of_another_curriculum_or_of_none_do_not_count(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "one")
    write_session(tmp_path, 2, None)
    write_session(tmp_path, 3, "three", name="other")
    decision = next_of(tmp_path, course())
    assert [session.name for session in decision.sessions] == ["2026-11-01/001"]
    write_session(tmp_path, 4, "one")
    assert next_of(tmp_path, course()).stage == "two"


def test_all_conditions_of_a_rule_must_hold(tmp_path: Path) -> None:
    file = course({"sessions": 2}, {"count": {"rewarded": 1}, "at_least": 2})
    write_session(tmp_path, 1, "one", rewarded_rows(1, 1))
    write_session(tmp_path, 2, "one", rewarded_rows(1, 0))
    assert next_of(tmp_path, file).explanation == "stays: count of rows with rewarded 1: 1 (wanted >= 2)"
    write_session(tmp_path, 3, "one", rewarded_rows(1, 1))
    assert next_of(tmp_path, file).stage == "two"


@rows("condition", "value")
def test_each_measure_is_what_its_name_says(tmp_path: Path, condition: dict[str, Any], value: float) -> None:
    write_session(tmp_path, 1, "one", rewarded_rows(1, 1, 0, 1))
    decision = next_of(tmp_path, course(condition))
    assert decision.stage == "two"
    assert [found.value for found in decision.rule_results[0].conditions[0].values] == [value]


def test_it_may_have_to_be_so_in_several_sessions_in_a_row(tmp_path: Path) -> None:
    file = course({"share": {"rewarded": 1}, "at_least": 0.5, "required_sessions": 2})
    stages = []
    for day, outcomes in enumerate([(1, 1), (0, 0), (1, 0), (1, 1)], start=1):
        write_session(tmp_path, day, "one", rewarded_rows(*outcomes))
        stages.append(next_of(tmp_path, file).stage)
    assert stages == ["one", "one", "one", "two"]


def test_it_may_have_to_be_so_in_some_of_the_last_sessions(tmp_path: Path) -> None:
    file = course({"share": {"rewarded": 1}, "at_least": 0.5, "required_sessions": 2, "window_sessions": 3})
    stages = []
    for day, outcome in enumerate([1, 0, 0, 1, 0, 1], start=1):
        write_session(tmp_path, day, "one", rewarded_rows(outcome))
        stages.append(next_of(tmp_path, file).stage)
    assert stages == ["one", "one", "one", "one", "one", "two"]


def test_rows_of_several_sessions_may_be_pooled(tmp_path: Path) -> None:
    pooled, of_two = (
        {"sum": "rewarded", "at_least": 4, "pooled": True} | more for more in ({}, {"window_sessions": 2})
    )
    for day in (1, 2, 3):
        write_session(tmp_path, day, "one", rewarded_rows(1, 0, 0))
    assert next_of(tmp_path, course(pooled)).stage == "one"
    write_session(tmp_path, 4, "one", rewarded_rows(1))
    assert next_of(tmp_path, course(pooled)).stage == "two"
    assert next_of(tmp_path, course(of_two)).explanation.startswith(
        "stays: sum of rewarded: 2 (wanted >= 4 over the last 2)"
    )


def test_too_few_rows_and_none_fulfill_nothing_but_that_there_are_none(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "one", rewarded_rows(1, 1))
    few = {"share": {"rewarded": 1}, "at_least": 0.5, "min_rows": 3}
    nothing = {"mean": "rewarded", "filter": {"rewarded": 7}, "at_most": 9}
    for condition in (few, nothing):
        assert next_of(tmp_path, course(condition)).explanation.startswith(f"stays: {next(iter(condition))} of ")
        assert "too few rows" in next_of(tmp_path, course(condition)).explanation
    assert next_of(tmp_path, course({"count": {"rewarded": 7}, "at_most": 0})).stage == "two"


def test_empty_cells_are_left_out_of_a_mean(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "one", [{"latency_s": 2.0}, {"latency_s": None}, {"latency_s": 4.0}])
    decision = next_of(tmp_path, course({"mean": "latency_s", "at_least": 3}))
    assert decision.rule_results[0].conditions[0].values[0].value == 3.0


def test_the_first_rule_that_holds_leads_and_it_may_lead_back(tmp_path: Path) -> None:
    worse = {"share": {"rewarded": 1}, "below": 0.5, "required_sessions": 2}
    file = course({"share": {"rewarded": 1}, "at_least": 0.5}, back=worse)
    plan = [(1,), (0,), (0,), (0,), (1,), (0,)]
    stages = []
    for day, outcomes in enumerate(plan, start=1):
        stages.append(next_of(tmp_path, file).stage)
        write_session(tmp_path, day, stages[-1], rewarded_rows(*outcomes))
    assert stages == ["one", "two", "two", "one", "one", "two"]
    assert next_of(tmp_path, file).stage == "two", "what was before it came back does not count against it"


def test_a_rule_may_end_the_curriculum(tmp_path: Path) -> None:
    file = CurriculumFile.model_validate(
        {"stages": {"one": {"protocol": "p", "rules": [{"to": "end", "when": [{"sessions": 1}]}]}}}
    )
    assert not next_of(tmp_path, file).finished
    write_session(tmp_path, 1, "one")
    assert next_of(tmp_path, file).finished


def test_a_person_may_choose_another_stage_and_it_goes_on_from_there(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "one")
    decision = next_of(tmp_path, course(), StageOverride("three", "an old hand"))
    assert (decision.stage, decision.explanation) == ("three", "chosen by hand: an old hand")
    assert decision.recorded.override == "an old hand"
    write_session(tmp_path, 2, "three", override="an old hand")
    assert next_of(tmp_path, course()).stage == "three"


def test_a_stage_that_was_chosen_again_begins_again(tmp_path: Path) -> None:
    for day in (1, 2):
        write_session(tmp_path, day, "one")
    write_session(tmp_path, 3, "one", override="not yet")
    decision = next_of(tmp_path, course())
    assert (decision.stage, len(decision.sessions)) == ("one", 1)
    write_session(tmp_path, 4, "one")
    assert next_of(tmp_path, course()).stage == "two"


@pytest.mark.parametrize("reason", [None, "fault"])
def test_a_stage_chosen_by_hand_holds_although_its_session_failed(tmp_path: Path, reason: str | None) -> None:
    write_session(tmp_path, 1, "one")
    write_session(tmp_path, 2, "three", override="an old hand", reason=reason)
    decision = next_of(tmp_path, course())
    assert (decision.stage, decision.sessions) == ("three", ())


def test_a_damaged_table_fulfills_nothing_and_is_reported(tmp_path: Path) -> None:
    path = write_session(tmp_path, 1, "one", rewarded_rows(1, 0)) / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"rewarded":0', b'"rewarded":1'))
    decision = next_of(tmp_path, course({"count": {}, "at_least": 1}))
    assert (decision.stage, decision.explanation) == ("one", "stays: count of rows: not known (wanted >= 1)")
    assert "cannot be trusted" in decision.rule_results[0].conditions[0].values[0].error


def test_a_table_of_an_older_protocol_without_the_column_fulfills_nothing(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "one", rewarded_rows(1))
    decision = next_of(tmp_path, course({"mean": "latency_s", "above": 0}))
    assert "has no column 'latency_s'" in decision.rule_results[0].conditions[0].values[0].error


def test_a_stage_that_the_file_has_no_more_is_refused_unless_one_is_chosen(tmp_path: Path) -> None:
    write_session(tmp_path, 1, "barriers")
    with pytest.raises(RecordError, match="in stage 'barriers', which curriculum course has no more; it has one, two"):
        next_of(tmp_path, course())
    assert next_of(tmp_path, course(), StageOverride("two", "it was renamed")).stage == "two"


def test_no_more_of_the_past_is_read_than_decides(tmp_path: Path) -> None:
    for day in range(1, 6):
        write_session(tmp_path, day, "one" if day < 4 else "two")
    past = list(past_sessions(tmp_path))
    left = iter(past)
    select_stage("course", course(), left)
    assert len(list(left)) == 2, "two of stage one were not looked at"


# --- stages that are assigned ---------------------------------------------------------------------------------


def assigned(**assign: Any) -> CurriculumFile:
    """Four stages without rules, with which subjects begin."""
    stages = {name: {"protocol": "p"} for name in ("a", "b", "c", "d")}
    return CurriculumFile.model_validate({"stages": stages, "assign": {"stages": list(stages), **assign}})


def first_of(folder: Path, file: CurriculumFile, subject: str) -> StageDecision:
    past = past_sessions(folder / subject)
    return select_stage("course", file, past, subject=subject)


@pytest.mark.parametrize("seed", range(5))
def test_in_each_block_of_subjects_each_stage_is_assigned_once_and_stays_so(tmp_path: Path, seed: int) -> None:
    file = assigned(study_seed=seed)
    stages = [first_of(tmp_path, file, f"P{number:02}").stage for number in range(1, 41)]
    blocks = [stages[at : at + 4] for at in range(0, 40, 4)]
    assert all(sorted(block) == ["a", "b", "c", "d"] for block in blocks)
    assert len({tuple(block) for block in blocks}) > 3
    assert stages == [first_of(tmp_path, file, f"other study {number}").stage for number in range(1, 41)]


def test_a_subject_keeps_the_stage_that_was_assigned_whatever_the_file_says_later(tmp_path: Path) -> None:
    stage = first_of(tmp_path, assigned(), "P07").stage
    write_session(tmp_path / "P07", 1, stage)
    other = next(seed for seed in range(20) if assigned(study_seed=seed).first_of("P07") != stage)
    decision = first_of(tmp_path, assigned(study_seed=other), "P07")
    assert (decision.stage, decision.explanation) == (stage, "stays: no rule leads on")


@pytest.mark.parametrize("subject", ["Kim", "P0", "P000", "7b", ""])
def test_a_new_subject_without_a_number_is_refused_where_it_would_decide(tmp_path: Path, subject: str) -> None:
    with pytest.raises(ConfigError, match="wanted a name like P07, or --stage NAME"):
        assigned().first_of(subject)


@pytest.mark.parametrize(
    ("stages", "said"),
    [(["a", "e"], "there is no stage 'e'"), (["a", "a"], "the stage 'a' is named twice"), (["a"], "at least 2")],
)
def test_an_assignment_names_stages_that_exist_once_each(stages: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        assigned(stages=stages)


PROBING = CurriculumFile.model_validate(
    {
        "stages": {
            "train": {
                "protocol": "p",
                "rules": [
                    {"to": "done", "when": [{"sessions": 5, "across": ["probe"]}]},
                    {"to": "probe", "when": [{"sessions": 2}]},
                ],
            },
            "probe": {"protocol": "p", "rules": [{"to": "train", "when": [{"sessions": 1}]}]},
            "done": {"protocol": "p"},
        }
    }
)


def test_a_condition_across_a_probe_counts_on_and_the_probe_comes_after_each_visit(tmp_path: Path) -> None:
    stages = []
    for day in range(1, 9):
        stages.append(next_of(tmp_path, PROBING).stage)
        write_session(tmp_path, day, stages[-1])
    assert stages == ["train", "train", "probe", "train", "train", "probe", "train", "done"]


def test_the_header_names_the_sessions_across_the_probe(tmp_path: Path) -> None:
    for day, stage in enumerate(("train", "probe", "train"), start=1):
        write_session(tmp_path, day, stage)
    decision = next_of(tmp_path, PROBING)
    assert decision.recorded.sessions == ["2026-11-01/001", "2026-11-03/001"]
    assert "sessions: 2 (wanted >= 5, across visits to probe)" in decision.explanation


def test_a_probe_that_a_person_chose_does_not_interrupt_either(tmp_path: Path) -> None:
    for day in range(1, 5):
        write_session(tmp_path, day, "train")
    write_session(tmp_path, 5, "probe", override="a probe today")
    write_session(tmp_path, 6, "train")
    assert next_of(tmp_path, PROBING).stage == "done"


def test_another_stage_and_a_person_who_chose_the_stage_interrupt_what_counts_across_a_probe(tmp_path: Path) -> None:
    for day, stage in enumerate(("train", "train", "train", "done", "train", "probe", "train"), start=1):
        write_session(tmp_path, day, stage)
    assert next_of(tmp_path, PROBING).stage == "train"
    write_session(tmp_path, 8, "train", override="again")
    assert len(next_of(tmp_path, PROBING).sessions) == 1


def test_a_stage_that_is_counted_across_must_be_another_one_that_is_there() -> None:
    for across, text in (("prob", "did you mean 'probe'?"), ("train", "is the stage itself")):
        data = PROBING.model_dump(exclude_unset=True)
        data["stages"]["train"]["rules"][0]["when"][0]["across"] = [across]
        with pytest.raises(ValueError, match=re.escape(text)):
            CurriculumFile.model_validate(data)


@pytest.mark.parametrize("spoil", [(b'"rewarded":0', b'"rewarded":1'), (b'"k":"trial"', b'"k":"train"')])
def test_a_table_is_refused_of_which_a_row_is_damaged_or_missing(tmp_path: Path, spoil: tuple[bytes, bytes]) -> None:
    path = write_session(tmp_path, 1, "blocks", rewarded_rows(1, 0, 1)) / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(*spoil, 1))
    past = next(past_sessions(tmp_path))
    assert past.advances_state
    with pytest.raises(RecordError, match=r"cannot be trusted|has 2 rows of its table, and its end says 3"):
        trial_rows(past)


def test_a_column_that_looks_like_a_trial_makes_none(tmp_path: Path) -> None:
    row = {"rewarded": 1, "note": '"k":"trial"'}
    write_session(tmp_path, 1, "blocks", [row])
    assert trial_rows(next(past_sessions(tmp_path))) == [row]
