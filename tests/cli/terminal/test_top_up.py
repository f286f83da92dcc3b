"""What is asked of a top-up after a session."""

import datetime
from collections.abc import Callable
from pathlib import Path

from rig.cli.terminal.top_up import ask_top_up
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.top_up import top_up_of
from tests.cli.conftest import Rig

MIDNIGHT = datetime.datetime(2026, 11, 22)


def test_a_top_up_after_midnight_is_compared_with_what_was_given_on_the_day_of_the_session(
    rig: Rig, data: Path, morning: None, typed: Callable[..., list[str]]
) -> None:
    rig("subject", "add", "M18", "--species", "mouse", "--baseline-g", "25", "--restriction", "water")
    rig("subject", "give", "M18", "700ul")
    known = load_known_subject(data / "M18")
    asked = typed("2000ul", "")
    top_up = top_up_of(data / "M18", known, datetime.date(2026, 11, 21))
    ask_top_up(data / "M18", top_up, "Ada", MIDNIGHT + datetime.timedelta(minutes=30))
    assert "its daily target is 1.2 ml; with it" in asked[1]
