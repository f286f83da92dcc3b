"""Words that have no room where they are shown are refused before anybody sees them."""

import re
from typing import Any

import pytest

from protocols.disk_bandit.human_params import HumanParams
from protocols.disk_bandit.screen_layout_check import check_screen_layout
from rig.core.errors import ConfigError
from tests.session_specs import protocol_spec

GLASS_CM = (30.4, 22.8)


def mistakes(language: str = "en", **words: Any) -> tuple[str, ...]:
    """What is said of the shipped texts with other words."""
    shipped = protocol_spec("disk_bandit_human").params.model_dump()
    shipped["texts"][language].update(words)
    with pytest.raises(ConfigError) as caught:
        check_screen_layout(HumanParams.model_validate(shipped), *GLASS_CM)
    return caught.value.mistakes


@pytest.mark.parametrize("width_cm", [30.4, 24.0])
def test_the_shipped_texts_have_room(width_cm: float) -> None:
    params = protocol_spec("disk_bandit_human").params
    assert isinstance(params, HumanParams)
    check_screen_layout(params, width_cm, 0.75 * width_cm)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"consent": "word " * 900}, "consent: .* about 53 lines, where there is room for 27"),
        (
            {"instructions": ["short", "word\n" * 40]},
            r"instructions\[1\]: .* about 41 lines, where there is room for 27",
        ),
        ({"questions": ["short", "why " * 300]}, r"questions\[1\]: .* about 14 lines, where there is room for 6"),
        ({"sample": "click " * 200}, "sample: .* about .* lines, where there is room for 4"),
        ({"next_session": "the next session " * 5}, "next_session: .* where there is room for 2"),
        ({"stop": "I want to stop at once"}, "stop: .* about 2 lines, where there is room for 1"),
        ({"box": "x" * 30}, "box: .* a word of about 7.8 cm, where there are 6.0 cm"),
        ({"debriefing": "{points} points " * 500}, "debriefing: .* about"),
    ],
)
def test_a_text_without_room_is_named_with_how_much_there_is(words: dict[str, Any], said: str) -> None:
    (mistake,) = mistakes(**words)
    assert re.match(rf"params\.texts\.en\.{said}", mistake), mistake


def test_a_language_that_is_not_chosen_is_looked_at_too() -> None:
    assert mistakes("de", stop="Ich will jetzt aufhören")[0].startswith("params.texts.de.stop: ")


def test_lines_of_chinese_break_anywhere() -> None:
    (mistake,) = mistakes(consent="请点击圆盘" * 400)
    assert "about 46 lines" in mistake
