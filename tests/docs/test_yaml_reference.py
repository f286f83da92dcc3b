"""docs/reference/yaml.md is what the models say today."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "yaml_reference.py"
spec = importlib.util.spec_from_file_location("yaml_reference", SCRIPT)
assert spec is not None
assert spec.loader is not None
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)


def test_the_page_is_what_the_script_would_write() -> None:
    assert reference.main(["--check"]) == 0, "run: python scripts/yaml_reference.py"


def test_a_stale_page_is_found_and_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "yaml.md"
    page.write_text("old", encoding="utf-8")
    monkeypatch.setattr(reference, "PAGE", page)
    assert reference.main(["--check"]) == 1
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0


def test_every_key_has_a_meaning() -> None:
    rows = [line.split(" | ") for line in reference.page().splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert [row[0] for row in rows if row[-1].strip(" |") == "" and row[0] != "| `kind`"] == []
