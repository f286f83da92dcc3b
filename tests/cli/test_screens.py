"""docs/reference/screens.md is what the screens are now."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    spec = importlib.util.spec_from_file_location("screens", ROOT / "scripts" / "screens.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "screens", module)
        patch.chdir(ROOT)
        spec.loader.exec_module(module)
        text: str = module.page(tmp_path_factory.mktemp("data"))
    return text


def test_the_page_is_up_to_date(page: str) -> None:
    assert (ROOT / "docs" / "reference" / "screens.md").read_text(encoding="utf-8") == page, "run scripts/screens.py"


def test_no_line_of_a_screen_is_longer_than_its_terminal(page: str) -> None:
    narrow, wide = (
        part.split("## Where")[0] for part in page.split("\n## 80 columns\n")[1].split("\n## 200 columns\n")
    )
    assert 70 < max(len(line.expandtabs()) for line in narrow.splitlines()) <= 80
    assert 80 < max(len(line.expandtabs()) for line in wide.splitlines()) <= 200
