"""Records of an animal while its session runs."""

from pathlib import Path

import pytest

from rig.session.subject_folder import SubjectFolder
from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "24", "--baseline-date", "2026-11-01", "--restriction", "water")
pytestmark = pytest.mark.usefixtures("morning")


def test_what_is_due_to_an_animal_whose_session_runs_says_so(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig("subject", "add", "A", *MOUSE)
    folder = (data / "A" / "2026-11-21" / "001").resolve()
    monkeypatch.setattr("rig.cli.subject.due.running_folders", lambda: frozenset({folder}))
    row = rig("subject", "due").out.splitlines()[1]
    assert " ".join(row.split()) == "A 1200 ul today no entry on this day; in a session now"


def test_by_hand_something_may_be_given_while_a_session_runs(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    words = ("subject", "give", "M1", "5ul", "--reason", "bait")
    with SubjectFolder(data, "M1"):
        assert rig(*words).status == 0
        assert rig(*words, "--session", "2026-11-21/001").status == 2
