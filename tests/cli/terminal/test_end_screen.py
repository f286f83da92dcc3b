"""What the end screen says of a session whose records are not whole."""

from __future__ import annotations

import io
from pathlib import Path

from rig.cli.terminal.end_screen import print_end, remarks
from rig.records.session.summary import Summary
from tests.past_sessions import write_session

SUMMARY = Summary(
    subject="M1",
    protocol="two_armed_bandit",
    seed=1,
    model=None,
    start="2026-11-22T10:00:00",
    reason="fault",
    detail="the disk is full",
    duration_s=1.0,
    trials=0,
    outcomes={},
    rewards=1,
    ul=2.5,
    pellets=0,
    access_s=0.0,
    unconfirmed_rewards=1,
    refused_orders=0,
    completed=0,
    simulated=False,
)


def test_a_panic_is_the_reason_of_the_end_with_its_button(tmp_path: Path) -> None:
    screen = io.StringIO()
    detail = "the panic button of board uno (pin 12) was pressed"
    folder = str(write_session(tmp_path, 22, reason="panic"))
    print_end(SUMMARY.model_copy(update={"reason": "panic", "detail": detail, "folder": folder}), screen)
    assert f"panic: {detail}" in " ".join(screen.getvalue().split())


def test_an_unconfirmed_drop_of_a_journal_without_an_end_counts_with_its_amount(tmp_path: Path) -> None:
    screen = io.StringIO()
    print_end(SUMMARY.model_copy(update={"folder": str(write_session(tmp_path, 22, reason=None))}), screen)
    assert "2.5 ul, 1 rewards" in screen.getvalue()


def test_what_a_person_has_earned_is_said_to_the_one_who_pays(tmp_path: Path) -> None:
    screen = io.StringIO()
    folder = str(write_session(tmp_path, 22, reason="task_finished"))
    earned = {"payment": {"bonus": 0.886, "payment": 1.4}}
    print_end(
        SUMMARY.model_copy(update={"reason": "task_finished", "detail": "", "folder": folder, "conditions": earned}),
        screen,
    )
    assert "payment 1.40" in " ".join(screen.getvalue().split())


def test_a_payment_may_be_a_text(tmp_path: Path) -> None:
    screen = io.StringIO()
    folder = str(write_session(tmp_path, 22, reason="task_finished"))
    print_end(SUMMARY.model_copy(update={"folder": folder, "conditions": {"payment": {"payment": "5 EUR"}}}), screen)
    assert "payment 5 EUR" in " ".join(screen.getvalue().split())


def test_a_task_that_pays_nothing_has_no_payment(tmp_path: Path) -> None:
    screen = io.StringIO()
    folder = str(write_session(tmp_path, 22, reason="task_finished"))
    print_end(SUMMARY.model_copy(update={"folder": folder, "conditions": {"payment": {"payment": 0}}}), screen)
    assert "payment" not in screen.getvalue()


def test_a_session_that_gave_rewards_in_no_trial_asks_for_the_protocol_and_not_for_the_subject() -> None:
    summary = Summary.model_construct(
        model="random_explorer", protocol="mine", trials=0, rewards=5, reason="time_limit"
    )
    assert list(remarks(summary)) == ["not one trial, though 5 rewards given: does mine begin trials?"]
