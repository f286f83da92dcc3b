"""A session in a few numbers."""

import json
from typing import Any

from msgspec import structs

from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import Note
from rig.core.model.shares import Share
from rig.records.journal.read import rows_of
from rig.records.session.summary import shares, summarize
from tests.harness import poke, run_harness, scripted_subject
from tests.journal_lines import FOOTER, HEADER, made
from tests.session_specs import protocol_spec


def row(choice: str, outcome: str, high: str = "left") -> dict[str, Any]:
    return {"choice": choice, "outcome": outcome, "high_side": high}


def header_of(**fields: Any) -> Header:
    line = made("header", **{**HEADER, **fields})
    assert isinstance(line, Header)
    return line


def footer_of(t_us: int, **fields: Any) -> Footer:
    line = made("footer", t_us, **{**FOOTER, **fields})
    assert isinstance(line, Footer)
    return line


SHARES = {
    "reward_rate": Share("outcome", "equals", "rewarded", "rewarded"),
    "p_high": Share("choice", "same_as", "high_side", "to the high port"),
    "p_switch": Share("choice", "changes", "", "switches"),
    "left_fraction": Share("choice", "equals", "left", "left"),
}
COUNTED = structs.replace(header_of(), shares=SHARES)


def test_the_header_of_a_bandit_says_what_is_counted_of_its_trials() -> None:
    harness = run_harness(protocol_spec(stop_session_s=1), scripted_subject())
    header = harness.journal[0]
    assert isinstance(header, Header)
    assert (header.shares, header.letter) == (SHARES, "choice")


def test_shares_are_of_completed_trials_only() -> None:
    rows = [
        row("left", "rewarded"),
        row("", "omission"),
        row("left", "unrewarded"),
        row("right", "unrewarded"),
        row("left", "interrupted"),
        row("right", "rewarded", "right"),
    ]
    assert shares(COUNTED, rows) == {
        "completed": 4,
        "shares": {"reward_rate": 0.5, "p_high": 0.75, "p_switch": 0.3333, "left_fraction": 0.5},
    }


def test_a_single_trial_has_no_changes() -> None:
    assert shares(COUNTED, [row("left", "rewarded")])["shares"]["p_switch"] == 0.0


def test_where_nothing_was_completed_or_is_wanted_nothing_is_counted() -> None:
    assert shares(COUNTED, []) == {}
    assert shares(COUNTED, [row("", "omission")]) == {}
    assert shares(header_of(), [row("left", "rewarded")]) == {}


def test_a_session_is_summed_up_from_its_journal_alone() -> None:
    pokes = [poke("center", 2, 0.1), poke("left", 2.4, 0.2), poke("center", 5, 0.1), poke("left", 5.4, 0.2)]
    harness = run_harness(protocol_spec(p_high=1, start_high_side="left", stop_session_s=10), scripted_subject(*pokes))
    header = harness.journal[0]
    assert isinstance(header, Header)
    summary = summarize(header, harness.footer, rows_of(harness.journal))
    assert json.loads(json.dumps(summary.document())) == summary.document()
    assert {
        name: getattr(summary, name) for name in ("subject", "protocol", "seed", "reason", "duration_s", "trials")
    } == {
        "subject": "M1",
        "protocol": "two_armed_bandit",
        "seed": 1,
        "reason": "time_limit",
        "duration_s": 10.0,
        "trials": 2,
    }
    assert summary.outcomes == {"rewarded": 2}
    assert (summary.rewards, summary.ul, summary.unconfirmed_rewards) == (2, 5.0, 0)
    assert (summary.completed, summary.shares["p_high"], summary.shares["reward_rate"]) == (2, 1.0, 1.0)
    assert summary.model is summary.start is None


def test_a_protocol_without_outcomes_is_summed_up_too() -> None:
    footer = footer_of(1_500_000, reason="operator", rewards=1, ul=2.5, unconfirmed_rewards=1)
    summary = summarize(header_of(), footer, [{"trial": 1}])
    assert (summary.outcomes, summary.duration_s, summary.unconfirmed_rewards) == ({}, 1.5, 1)
    assert "completed" not in summary.document()


def test_notes_of_the_whole_session_are_in_its_summary_and_others_are_not() -> None:
    notes = [
        Note(5, "assignment", {"vi_s": [3.0]}),
        Note(5, "idle", {"channel": ""}),
        Note(6, "payment", {"payment": 6.5}),
    ]
    summary = summarize(header_of(), footer_of(1, reason="trial_limit"), [], notes)
    assert summary.conditions == {"assignment": {"vi_s": [3.0]}, "payment": {"payment": 6.5}}
