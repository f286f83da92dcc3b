"""What the start screen says of the parameters and the limits."""

import pytest
from pydantic import BaseModel, Field

from rig.cli.terminal.start_screen import LONGEST_VALUE, differences, limits_text
from rig.config import SessionLimits


class Params(BaseModel):
    """Parameters with texts, as a task for people has them."""

    texts: dict[str, str]
    rounds: int = 8
    colors: list[str] = Field(default_factory=lambda: ["#ffffff"] * 9)


def test_only_the_beginning_of_a_long_value_is_shown_so_that_the_others_are_seen() -> None:
    shown = list(differences(Params(texts={"en": "read me " * 100}, rounds=12)))
    assert [name for name, _, _ in shown] == ["texts", "rounds"]
    assert shown[0][1].startswith("{'en': 'read me")
    assert all(len(value) <= LONGEST_VALUE + len(" …") for _, value, _ in shown)
    assert shown[1][1:] == ("12", "(default 8)")


def test_the_default_of_a_long_list_is_shortened_too() -> None:
    (colors,) = [row for row in differences(Params(texts={}, colors=["#000000"])) if row[0] == "colors"]
    assert colors[1] == "['#000000']"
    assert colors[2].endswith(" …)")


@pytest.mark.parametrize(
    ("limits", "gives", "said"),
    [
        ({"max_rewards": 300, "max_ul": 750}, {"ul"}, "300 rewards, 750 ul"),
        ({"max_rewards": 300}, {"ul"}, "300 rewards (ul: limited by the rewards alone)"),
        (
            {"max_rewards": 300, "max_ul": 750},
            {"ul", "pellets"},
            "300 rewards, 750 ul (pellets: limited by the rewards alone)",
        ),
        ({"max_rewards": 300}, set(), "300 rewards"),
        ({"max_access_s": 960}, {"access_s"}, "960 s of grain"),
    ],
)
def test_every_unit_that_can_be_given_is_among_the_limits(limits: dict[str, int], gives: set[str], said: str) -> None:
    assert limits_text(SessionLimits(session_s=60, **limits), gives) == said
