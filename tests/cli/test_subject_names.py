"""Names that a mistyped one may mean."""

import pytest

from rig.session.subject_names import is_near


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("M12", "M13", True),
        ("M12", "M1", True),
        ("M12", "M112", True),
        ("M12", "M21", True),
        ("Anna", "Ana", True),
        ("M12", "M12", False),
        ("M12", "M34", False),
        ("M12", "X21", False),
        ("abcd", "badc", False),
        ("", "M", True),
        ("M1", "M123", False),
    ],
)
def test_names_are_near_that_differ_by_one_slip(one: str, other: str, near: bool) -> None:
    assert is_near(one, other) is is_near(other, one) is near
