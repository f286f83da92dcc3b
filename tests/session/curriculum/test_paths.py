"""Where the rules of a curriculum lead: stages that nothing reaches, and circles that leave them out."""

from rig.config.models.curriculum import CurriculumFile
from rig.session.curriculum.paths import circles, skipped, unreached
from tests.tables import rows


def curriculum(**leads: str) -> CurriculumFile:
    """Return a curriculum of stages, each with the stage to which its rule leads; empty: it has none."""
    return CurriculumFile.model_validate(
        {
            "stages": {
                name: {"protocol": "p", "rules": [{"to": to, "when": [{"sessions": 1}]}] if to else []}
                for name, to in leads.items()
            }
        }
    )


def test_a_stage_behind_one_that_nothing_reaches_is_not_reached_itself() -> None:
    assert unreached(curriculum(a="b", b="a", c="d", d="")) == ["c", "d"]


def test_a_rule_that_leads_back_instead_of_on_is_named() -> None:
    assert list(circles(curriculum(a="b", b="a", c="d", d=""))) == [
        (("stages", "b", "rules", 0, "to"), "leads back to a, and no rule leads to c or d: did you mean 'c'?")
    ]


@rows("leads")
def test_a_training_that_comes_to_its_end_is_right(leads: dict[str, str]) -> None:
    assert list(circles(curriculum(**leads))) == []


def test_a_stage_that_a_rule_leads_past_is_named() -> None:
    assert list(skipped(curriculum(a="c", b="c", c=""))) == [
        (("stages", "b"), "no rule leads to b: that of a leads past it, to c; write to: b there")
    ]


@rows("leads")
def test_a_stage_that_is_chosen_by_hand_is_not_skipped(leads: dict[str, str]) -> None:
    assert list(skipped(curriculum(**leads))) == []
