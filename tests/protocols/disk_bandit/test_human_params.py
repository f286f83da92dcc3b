"""What may be written in the file of the eight disks with people."""

from typing import Any

import pytest
from pydantic import ValidationError

from protocols.disk_bandit.human_params import HumanParams
from tests.session_specs import protocol_spec


def params(**values: Any) -> HumanParams:
    """The parameters of the shipped file, with changes."""
    shipped = protocol_spec("disk_bandit_human").params.model_dump()
    return HumanParams.model_validate({**shipped, **values})


def test_a_language_without_texts_is_a_mistake() -> None:
    with pytest.raises(ValidationError, match="language is 'fr': there are texts in en, de"):
        params(language="fr")


def test_a_brace_that_cannot_be_filled_in_is_a_mistake() -> None:
    texts = params().model_dump()["texts"]
    texts["en"]["between"] = "Session {number}"
    with pytest.raises(ValidationError, match=r"between: {number} cannot be filled in: wanted {session}, {sessions}"):
        params(texts=texts)


@pytest.mark.parametrize("word", ["{payment:.2f}", "{points.few}", "{payment[0][x]}"])
def test_what_could_not_be_filled_in_before_a_participant_is_a_mistake_too(word: str) -> None:
    texts = params().model_dump()["texts"]
    texts["en"]["debriefing"] = f"You get {word}"
    with pytest.raises(ValidationError, match=r"debriefing: .* cannot be filled in: wanted \{points\}, \{payment\}"):
        params(texts=texts)


def test_all_languages_have_the_same_pages_and_questions() -> None:
    texts = params().texts.values()
    assert {len(words.questions) for words in texts} == {4}
    assert len({len(words.instructions) for words in texts}) == 1


def test_eight_disks_want_eight_intervals() -> None:
    with pytest.raises(ValidationError, match="vi_s has 3 values for 8 disks: wanted 8"):
        params(vi_s=[3, 9, 27])


def test_questions_after_a_session_that_never_comes_are_a_mistake() -> None:
    with pytest.raises(
        ValidationError, match="questionnaire_after is 5, and there are 4 sessions: it would never be asked"
    ):
        params(sessions=4)
    assert params(sessions=4, questionnaire_after=0).questionnaire_after == 0


def test_where_nobody_is_paid_nothing_is_said_of_a_payment() -> None:
    assert "You earned 3 points. This was" in params().debriefing(3)
    assert "You earned 3 points. Your payment is 5.00. This was" in params(show_up_pay=5).debriefing(3)
    assert "Your payment is 0.00." in params(pay_per_point=1).debriefing(0)
