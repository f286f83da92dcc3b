"""What may be written in the file of the eight disks with people."""

from typing import Any

from protocols.disk_bandit.human_params import HumanParams
from tests.session_specs import protocol_spec


def params(**values: Any) -> HumanParams:
    """The parameters of the shipped file, with changes."""
    shipped = protocol_spec("disk_bandit_human").params.model_dump()
    return HumanParams.model_validate({**shipped, **values})


def test_all_languages_have_the_same_pages_and_questions() -> None:
    texts = params().texts.values()
    assert {len(words.questions) for words in texts} == {4}
    assert len({len(words.instructions) for words in texts}) == 1


def test_a_visit_may_have_no_questions() -> None:
    assert params(sessions=4, questionnaire_after=0).questionnaire_after == 0


def test_where_nobody_is_paid_nothing_is_said_of_a_payment() -> None:
    assert "You earned 3 points. This was" in params().debriefing(3)
    assert "You earned 3 points. Your payment is 5.00. This was" in params(show_up_pay=5).debriefing(3)
    assert "Your payment is 0.00." in params(pay_per_point=1).debriefing(0)
