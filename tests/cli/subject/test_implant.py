"""The implant of an animal: its weight is shown, and is no part of the percentage."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.records.subject.known_subject import load_facts
from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")


pytestmark = pytest.mark.usefixtures("morning")


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_weight_is_shown_with_and_without_the_implant(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE, "--implant-g", "2,5")
    weighed = rig("subject", "weigh", "M1", "23.5").out
    assert "23.5 g, 21 g without its implant of 2.5 g, 84.0 % of the baseline (25 g of 2026-11-01)" in weighed
    assert "below warn_pct (85 %)" in weighed
    shown = flat(rig("subject", "show", "M1").out)
    assert "implant 2.5 g; the percentages are without it" in shown
    assert "2026-11-21 23.5 g 84.0" in shown
    facts = load_facts(data / "M1")
    assert (facts.implant_g, str(facts.implant_date)) == (2.5, "2026-11-21")


def test_an_animal_that_only_its_implant_makes_heavy_enough_does_not_run(rig: Rig, real: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "set", "M1", "--implant-g", "2.5", "--implant-date", "2026-11-10")
    refused = real("2026-11-21T09:00", "--weight-g", "22")
    assert (refused.status, "the weight is 78.0 % of the baseline, below refuse_pct" in flat(refused.err)) == (2, True)


def test_an_implant_is_removed_with_0(rig: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE, "--implant-g", "2.5")
    assert rig("subject", "set", "M1", "--implant-g", "0").status == 0
    assert "96.0 % of the baseline" in rig("subject", "weigh", "M1", "24").out
    assert "implant" not in flat(rig("subject", "show", "M1").out).partition("entries")[0]


def test_an_implant_that_no_animal_carries_is_asked_about(rig: Rig, typed: Callable[..., list[str]]) -> None:
    rig("subject", "add", "M1", *MOUSE)
    answer = rig("subject", "set", "M1", "--implant-g", "25")
    assert (answer.status, "Is an implant of 25 g right for M1 (its baseline is 25 g)?" in answer.err) == (2, True)
    typed("2.5")
    assert "implant_g 2.5" in rig("subject", "set", "M1", "--implant-g", "25").out


def test_an_implant_is_on_the_page_of_the_animal(rig: Rig, real: Rig, tmp_path: Path) -> None:
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    rig("subject", "set", "M1", *MOUSE, "--implant-g", "2.5")
    page = tmp_path / "M1.html"
    assert rig("report", "--subject", "M1", "--to", page).status == 0
    assert "2.5 g; the percentages are without it" in page.read_text(encoding="utf-8")
