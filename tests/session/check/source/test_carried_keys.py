"""A key that is read from the former session, and that no session writes, is a warning with its line."""

from pathlib import Path

import pytest

from rig.session.check.source.findings import check_source
from rig.session.spec.task_classes import find_task
from tests.session.check.source.conftest import LINE, PROTOCOL


@pytest.mark.parametrize(
    ("read", "returned", "texts"),
    [
        ('self.carried_over.get("better")', '{"better_side": 1}', ["never has 'better'", "did you mean 'better_side'"]),
        ('self.carried_over["x"]', '{"better": 1}', ["carry_over does not write it"]),
        ('self.carried_over.get("better")', '{"better": 1}', []),
        ('self.carried_over.get("better")', '{**self.carried_over, "better": 1}', []),
        ('self.carried_over.get("better")', "dict(better=1)", []),
        ('self.carried_over.get("better")', "{name: 1 for name in self.ports}", []),
    ],
)
def test_a_key_is_read_that_is_never_written(tmp_path: Path, read: str, returned: str, texts: list[str]) -> None:
    writer = f"\n    def carry_over(self):\n        return {returned}\n"
    (tmp_path / "carried.py").write_text(PROTOCOL.replace("{body}", f"self.note(x={read})") + writer)
    warnings = check_source(find_task("./carried.py:Lab", tmp_path), ()).warnings
    assert all(text in warnings[0] for text in texts)
    assert [warning.location.line for warning in warnings] == [LINE] * bool(texts)
