"""The baseline weight of a young animal grows, or is to be taken again."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rig.config.subject import SubjectFile
from rig.records.subject.days import percent_of_baseline
from rig.records.subject.known_subject import KnownSubject, load_known_subject, record_facts, strain_g
from rig.records.subject.top_up import top_up_of

AT = datetime.datetime(2026, 11, 1, 9)
GROWTH = ((6.0, 20.0), (8.0, 23.0), (10.0, 25.0))


def known(folder: Path, species: str, birth: str, file: str = "", without: str = "") -> KnownSubject:
    facts = {"species": species, "birth": birth, "baseline_g": 18.0, "baseline_date": "2026-11-01"}
    record_facts(folder, {name: None if name == without else value for name, value in facts.items()}, "Ada", AT)
    (folder / "subject.yaml").write_text(file or "{}\n")
    return load_known_subject(folder)


def on(day: str) -> datetime.date:
    return datetime.date.fromisoformat(day)


@pytest.mark.parametrize(("age_weeks", "grams"), [(0, 20), (6, 20), (7, 21.5), (8, 23), (9, 24), (10, 25), (40, 25)])
def test_the_weight_of_a_strain_lies_between_the_ages_of_its_table(age_weeks: float, grams: float) -> None:
    assert strain_g(GROWTH, age_weeks) == pytest.approx(grams)


@pytest.mark.parametrize("growth", [[[6, 20]], [[6, 20], [6, 21]], [[8, 20], [6, 21]], [[6, 0], [8, 1]], [[6], [8]]])
def test_a_table_that_is_no_growth_is_refused(growth: Any) -> None:
    with pytest.raises(ValidationError):
        SubjectFile(growth_g=growth)


def test_the_baseline_grows_as_the_strain_does(tmp_path: Path) -> None:
    mouse = known(tmp_path, "mouse", "2026-09-20", "growth_g: [[6, 20], [8, 23], [10, 25]]\n")  # 6 weeks on 1 November
    assert mouse.on(on("2026-11-01")).rules.baseline_g == 18.0
    assert mouse.on(on("2026-11-15")).rules.baseline_g == 20.7
    assert mouse.on(on("2027-03-01")).rules.baseline_g == 22.5
    assert percent_of_baseline(18.0, mouse.on(on("2026-11-15"))) == 87.0
    assert mouse.baseline_warning(on("2027-03-01")) == ""


@pytest.mark.parametrize("missing", ["birth", "baseline_date", "baseline_g"])
def test_without_birth_or_date_the_baseline_stays(tmp_path: Path, missing: str) -> None:
    mouse = known(tmp_path, "mouse", "2026-09-20", "growth_g: [[6, 20], [8, 23]]\n", without=missing)
    assert mouse.on(on("2026-11-15")) == mouse


@pytest.mark.parametrize(
    ("species", "birth", "day", "warned"),
    [
        ("mouse", "2026-09-20", "2026-11-29", False),
        ("mouse", "2026-09-20", "2026-11-30", True),
        ("mouse", "2026-08-01", "2027-11-30", False),  # grown on 1 November
        ("pigeon", "2020-01-01", "2027-11-01", False),
        ("pigeon", "2020-01-01", "2027-11-02", True),
        ("rat", "2026-09-20", "2027-11-02", False),
    ],
)
def test_a_baseline_that_is_too_old_is_told(
    tmp_path: Path, species: str, birth: str, day: str, *, warned: bool
) -> None:
    text = known(tmp_path, species, birth).baseline_warning(on(day))
    assert bool(text) == warned
    assert not warned or "take it again" in text


def test_an_implant_is_no_part_of_the_percentage(tmp_path: Path) -> None:
    mouse = known(tmp_path, "mouse", "2026-01-01")
    record_facts(tmp_path, {"implant_g": 2.0, "implant_date": "2026-11-10"}, "Ada", AT)
    mouse = load_known_subject(tmp_path)
    assert percent_of_baseline(18.2, mouse.on(on("2026-11-10"))) == 90.0
    assert percent_of_baseline(18.0, mouse.on(on("2026-11-09"))) == 100.0
    record_facts(tmp_path, {"implant_g": 0.0}, "Ada", AT)
    assert percent_of_baseline(18.0, load_known_subject(tmp_path).on(on("2026-11-10"))) == 100.0


def test_an_implant_of_the_animal_s_file_has_the_date_of_the_file(tmp_path: Path) -> None:
    mouse = known(tmp_path, "mouse", "2026-01-01", "implant_g: 2\n")
    assert percent_of_baseline(20.0, mouse.on(on("2026-11-01"))) == 100.0


def test_a_pigeon_is_fed_to_its_weight_and_that_of_its_implant(tmp_path: Path) -> None:
    facts = {"species": "pigeon", "baseline_g": 500.0, "implant_g": 10.0, "implant_date": "2026-11-01"}
    record_facts(tmp_path, facts, "Ada", AT)
    top_up = top_up_of(tmp_path, load_known_subject(tmp_path), on("2026-11-01"))
    assert top_up is not None
    assert top_up.target == 435
