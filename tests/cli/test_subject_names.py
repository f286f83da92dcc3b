"""Names that a mistyped one may mean."""

from rig.session.subject_names import is_near
from tests.tables import rows


@rows("one", "other", "near")
def test_names_are_near_that_differ_by_one_slip(one: str, other: str, near: bool) -> None:
    assert is_near(one, other) is is_near(other, one) is near
