"""A session in a few numbers."""

import json
from typing import Any

from rig.records.read import rows_of
from rig.records.summary import choices, summarise
from tests.session.stage import play, poke, script_for, setting


def row(choice: str, outcome: str, high: str = "left") -> dict[str, Any]:
    return {"choice": choice, "outcome": outcome, "high_side": high}


def test_choices_are_rated_over_completed_trials_only() -> None:
    rows = [
        row("left", "rewarded"),
        row("", "omission"),
        row("left", "unrewarded"),
        row("right", "unrewarded"),
        row("left", "interrupted"),
        row("right", "rewarded", "right"),
    ]
    assert choices(rows) == {
        "completed": 4,
        "reward_rate": 0.5,
        "p_high": 0.75,
        "p_switch": 0.3333,
        "left_fraction": 0.5,
    }


def test_a_single_choice_has_no_switches() -> None:
    assert choices([row("left", "rewarded")])["p_switch"] == 0.0


def test_where_nothing_was_chosen_nothing_is_rated() -> None:
    assert choices([]) == {}
    assert choices([row("", "omission")]) == {}
    assert choices([{"outcome": "rewarded"}]) == {}
    assert choices([{"choice": "left", "outcome": "rewarded"}]) == {}, "no high side in this table"


def test_a_session_is_summed_up_from_its_journal_alone() -> None:
    pokes = [poke("centre", 2, 0.1), poke("left", 2.4, 0.2), poke("centre", 5, 0.1), poke("left", 5.4, 0.2)]
    stage = play(setting(p_high=1, start_high_side="left", stop_session_s=10), script_for(*pokes))
    summary = summarise(stage.journal[0], stage.footer, rows_of(stage.journal))
    assert json.loads(json.dumps(summary)) == summary
    assert {name: summary[name] for name in ("subject", "protocol", "seed", "reason", "duration_s", "trials")} == {
        "subject": "M1",
        "protocol": "two_armed_bandit",
        "seed": 1,
        "reason": "time_limit",
        "duration_s": 10.0,
        "trials": 2,
    }
    assert summary["outcomes"] == {"rewarded": 2}
    assert (summary["rewards"], summary["ul"], summary["unconfirmed"]) == (2, 5.0, 0)
    assert (summary["completed"], summary["p_high"], summary["reward_rate"]) == (2, 1.0, 1.0)
    assert summary["model"] is summary["start"] is None


def test_a_protocol_without_outcomes_is_summed_up_too() -> None:
    footer = {"reason": "operator", "detail": "", "t": 1_500_000, "rewards": 1, "ul": 2.5, "unconfirmed": 1}
    summary = summarise({"protocol": "free_water", "simulated": True, "seed": 3}, footer, [{"trial": 1}])
    assert (summary["outcomes"], summary["duration_s"], summary["unconfirmed"]) == ({}, 1.5, 1)
    assert "completed" not in summary


def test_notes_of_the_whole_session_are_in_its_summary_and_others_are_not() -> None:
    footer = {"reason": "trial_cap", "detail": "", "t": 1, "rewards": 0, "ul": 0.0, "unconfirmed": 0}
    notes = [
        {"seq": 3, "t": 5, "src": "host", "k": "note", "what": "assignment", "vi_s": [3.0], "crc": "00000000"},
        {"what": "idle", "channel": ""},
        {"what": "payment", "payment": 6.5},
    ]
    summary = summarise({"protocol": "disk_bandit_human", "simulated": True, "seed": 3}, footer, [], notes)
    assert summary["conditions"] == {"assignment": {"vi_s": [3.0]}, "payment": {"payment": 6.5}}
