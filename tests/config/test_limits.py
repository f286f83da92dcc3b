"""Daily limits: the animal's own, the laboratory's, or as shipped."""

from pathlib import Path

import pytest

from rig.config.limits import SHIPPED, DailyLimit, LimitOverride
from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from tests.tables import rows


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    (tmp_path / "M1").mkdir()
    return tmp_path / "M1"


def limit(subject: Path, key: str, allowed: LimitOverride | None = None) -> DailyLimit:
    return next(limit for limit in limits_of(subject, allowed) if limit.key == key)


def test_without_files_what_is_shipped_holds(subject: Path) -> None:
    assert {each.key: each.maximum for each in limits_of(subject)} == {
        "max_ul_day": 2000,
        "max_ul_24h": 3000,
        "max_pellets_day": 360,
        "max_pellets_24h": 540,
        "max_access_s_day": 960,
        "max_access_s_24h": 1440,
    }
    assert {each.source for each in limits_of(subject)} == {SHIPPED}


def test_the_animals_own_file_goes_before_the_laboratorys(subject: Path) -> None:
    (subject.parent / "lab.yaml").write_text("max_ul_day: 1500\nmax_pellets_day: 100\n")
    (subject / "subject.yaml").write_text("baseline_g: 25\nmax_ul_day: 1200\n")
    own, lab = limit(subject, "max_ul_day"), limit(subject, "max_pellets_day")
    assert (own.maximum, own.source) == (1200, f"{Path('M1/subject.yaml')}:2")
    assert lab.maximum == 100
    assert lab.source.endswith("lab.yaml:2")


@rows("text", "said")
def test_a_mistake_in_the_laboratorys_file_is_named_with_its_line(subject: Path, text: str, said: str) -> None:
    (subject.parent / "lab.yaml").write_text(text + "\n")
    with pytest.raises(ConfigError) as caught:
        limits_of(subject)
    assert "lab.yaml:" in str(caught.value)
    assert said in str(caught.value)


def test_a_named_person_may_allow_another_amount_of_one_kind(subject: Path) -> None:
    allowed = LimitOverride({"ul": 3500.0}, "AB", "it was ill")
    assert limit(subject, "max_ul_day", allowed) == DailyLimit("ul", "day", 3500, "by hand, AB: it was ill")
    assert limit(subject, "max_ul_24h", allowed).maximum == 3500
    assert limit(subject, "max_pellets_day", allowed).maximum == 360
    assert limit(subject, "max_ul_24h", LimitOverride({"ul": 2500.0}, "AB", "so")).maximum == 3000
