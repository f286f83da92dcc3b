"""The steps of docs/one-edge.md are calls that are made, in the order of the page."""

import datetime
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from rig.core.plan import Rehearsal
from rig.session.build import build_spec
from rig.session.request import SessionRequest
from tests.docs.pages import ROOT
from tests.session.stage import run_as

Call = tuple[str, str]
"""The file, from the root of the repository, and the last two parts of the function's name."""

STEP = re.compile(r"^\| (?:the board \()?`([\w/]+\.py)`, `([\w.]+)`")
PAGE = ROOT / "docs" / "one-edge.md"


def steps() -> list[Call]:
    found = [match.groups() for line in PAGE.read_text("utf-8").splitlines() if (match := STEP.match(line))]
    return [(file, name) for file, name in found]


def paths() -> set[str]:
    return set(re.findall(r"`([\w/]+\.py)`", PAGE.read_text("utf-8")))


@pytest.fixture
def calls(tmp_path: Path) -> list[Call]:
    """Every call of a step, in a session in which a drop was paid."""
    wanted = {(str(ROOT / file), name.rpartition(".")[2]): (file, name) for file, name in steps()}
    made: list[Call] = []

    def note(frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        call = wanted.get((code.co_filename, code.co_name)) if event == "call" else None
        if call is not None and code.co_qualname.endswith(call[1]):
            made.append(call)

    prepared = build_spec(SessionRequest("two_armed_bandit", sets=["stop.session_s=600", "stop.max_rewards=1"]))
    start = datetime.datetime(2026, 11, 21, 9)
    order = SessionRequest(data=tmp_path, subject="M1", seed=1, start=start, simulation=Rehearsal("rflr", seed=1))
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        performed = run_as(prepared, order)
    finally:
        sys.setprofile(before)
    assert performed.rows[-1]["delivered_by"] == "board"
    return made


def in_order(wanted: list[Call], made: Iterator[Call]) -> list[Call]:
    """Those that are not found, each looked for after the one before."""
    return [call for call in wanted if not any(other == call for other in made)]


def test_every_step_is_a_call_that_is_made_after_the_step_before(calls: list[Call]) -> None:
    assert len(steps()) >= 12
    assert in_order(steps(), iter(calls)) == []


def test_every_file_that_it_names_is_there() -> None:
    assert [path for path in sorted(paths()) if not (ROOT / path).is_file()] == []
