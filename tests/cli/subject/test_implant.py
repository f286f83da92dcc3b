"""The implant of an animal: its weight is shown, and is no part of the percentage."""

from collections.abc import Callable

import pytest

from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")


pytestmark = pytest.mark.usefixtures("morning")


def test_an_implant_that_no_animal_carries_is_asked_about(rig: Rig, typed: Callable[..., list[str]]) -> None:
    rig("subject", "add", "M1", *MOUSE)
    answer = rig("subject", "set", "M1", "--implant-g", "25")
    assert (answer.status, "Is an implant of 25 g right for M1 (its baseline is 25 g)?" in answer.err) == (2, True)
    typed("2.5")
    assert "implant_g 2.5" in rig("subject", "set", "M1", "--implant-g", "25").out
