import pytest

from rig.studies.power.enough_simulated import advice, mistakes
from tests.studies.power.pools import question


def test_more_subjects_than_an_arm_has_are_a_mistake_at_their_line() -> None:
    power = question(subjects=[8, 24, 50])
    (found,) = mistakes(power, {"base": 40, "learn": 60})
    assert found == (
        ("power", "subjects", 2),
        "50: arm base has 40 subjects: wanted 50 or more there, or fewer here",
    )


def test_too_few_subjects_for_false_alarms_and_narrow_intervals_are_told() -> None:
    alarms, width = (text for _, text in advice(question(subjects=[8, 24]), {"base": 40, "learn": 60}))
    assert alarms == ("arm base has 40 subjects: designs of 24 in each group need at least 48 for the false-alarm rate")
    assert "23% to 99%" in width
    assert "3138 make it" in width


@pytest.mark.parametrize(("design", "subjects"), [("between", 3500), ("within", 3500)])
def test_enough_subjects_need_no_advice(design: str, subjects: int) -> None:
    assert list(advice(question(design=design, subjects=[8, 24]), {"base": subjects, "learn": subjects})) == []
