"""What an acceptance keeps between two runs, and its page."""

from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.diagnostics.acceptance.page import html_page
from rig.diagnostics.acceptance.results import Acceptance, AcceptanceRow, StepResult, load_acceptance

FOUND = Acceptance("box", "hash").add(
    "wiring", StepResult("2026-11-21", (AcceptanceRow("<b>", "pass", "5 & 6", "7"),)), {"board id": "7F3A"}
)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    FOUND.write(tmp_path / "box.json")
    assert load_acceptance(tmp_path / "box.json") == FOUND
    assert load_acceptance(tmp_path / "other.json") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "steps": {"a": 3}, "facts": {}}'])
def test_another_file_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "box.json").write_text(text)
    with pytest.raises(RecordError, match="move it away"):
        load_acceptance(tmp_path / "box.json")


def test_a_rig_passes_when_every_step_was_done_and_no_row_failed_or_was_skipped() -> None:
    assert FOUND.passed(["wiring"])
    assert not FOUND.passed(["wiring", "cable"])
    for verdict in ("fail", "skipped"):
        row = AcceptanceRow("a", verdict, "b")  # type: ignore[arg-type]
        assert not FOUND.add("cable", StepResult("", (row,))).passed(["cable"])


def test_the_page_holds_texts_as_texts_and_names_what_was_not_done() -> None:
    page = html_page(FOUND, ["wiring", "cable"], "anna <x>", "2026-11-21")
    assert "<td>&lt;b&gt;</td>" in page
    assert "anna &lt;x&gt;" in page
    assert "NOT passed" in page
    assert "not done" in page
    assert "<script" not in page
    assert "src=" not in page
