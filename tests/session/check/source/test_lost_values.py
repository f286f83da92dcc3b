"""What a protocol makes and throws away is named with its line, as a missing await is."""

from tests.session.check.source.conftest import LINE, Lab
from tests.tables import rows

THROWN = "only makes an action, and it is thrown away: write self.do("


@rows("line", "said")
def test_what_is_thrown_away_is_named_with_its_line_and_the_remedy(lab: Lab, line: str, said: str) -> None:
    (mistake,) = lab(line).mistakes
    assert said in mistake
    assert mistake.location.line == LINE
    assert mistake.location.file.endswith("lab.py")


@rows("line")
def test_what_is_used_is_no_mistake(lab: Lab, line: str) -> None:
    assert lab(line.replace("\\n", "\n")).mistakes == ()


def test_an_action_that_is_made_to_see_whether_it_may_be_is_no_mistake(lab: Lab) -> None:
    tried = "try:\n    box.hopper.food(30)\nexcept TaskError as error:\n    raise ConfigError(str(error)) from None"
    assert lab(tried).mistakes == ()
    (mistake,) = lab("try:\n    box.hopper.food(3)\nfinally:\n    pass").mistakes
    assert THROWN in mistake


def test_a_method_of_the_protocols_own_may_have_the_name_of_an_action(lab: Lab) -> None:
    (mistake,) = lab("eval('self.own').drop(1)").mistakes
    assert THROWN in mistake
    own = "def drop(ul): ...\n"
    assert lab(f"{own}eval('self.own').drop(1)").mistakes == ()
    (mistake,) = lab(f"{own}self.box.left.drop(1)").mistakes
    assert THROWN in mistake
