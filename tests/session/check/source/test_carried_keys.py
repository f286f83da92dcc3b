"""A key that is read from the former session, and that no session writes, is a warning with its line."""

from pathlib import Path

from rig.session.check.source.findings import check_source
from rig.session.spec.task_classes import find_task
from tests.session.check.source.conftest import LINE, PROTOCOL
from tests.tables import rows


@rows("read", "returned", "texts")
def test_a_key_is_read_that_is_never_written(tmp_path: Path, read: str, returned: str, texts: list[str]) -> None:
    writer = f"\n    def carry_over(self):\n        return {returned}\n"
    (tmp_path / "carried.py").write_text(PROTOCOL.replace("{body}", f"self.note(x={read})") + writer)
    warnings = check_source(find_task("./carried.py:Lab", tmp_path), ()).warnings
    assert all(text in warnings[0] for text in texts)
    assert [warning.location.line for warning in warnings] == [LINE] * bool(texts)
