"""A test session that is voided: it stays, and counts nowhere but in what the animal was given."""

import datetime
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.records.session.void import void_text
from rig.records.subject.deliveries import delivered_between
from tests.cli.conftest import Rig

ONCE = ("--set", "stop.max_rewards=1")
DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)


@pytest.fixture
def tried(rig: Rig, real: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A session of M1 that was a test."""
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, 18))
    assert real("2026-11-21T09:00", *ONCE, "--weight-g", "31").status == 0
    rig("subject", "set", "M1", "--species", "mouse", "--baseline-g", "30")
    return rig


@pytest.mark.parametrize("content", ["", "[", "{}", '[{"voided": "yes"}]', "[1]"])
def test_a_damaged_file_is_told_and_not_guessed_at(tried: Rig, data: Path, content: str) -> None:
    session = data / "M1" / "2026-11-21" / "001"
    (session / "void.json").write_text(content)
    with pytest.raises(RecordError, match=r"void\.json: cannot be read"):
        void_text(session)
    assert delivered_between(data / "M1", *DAY).amount.ul == 2.5
