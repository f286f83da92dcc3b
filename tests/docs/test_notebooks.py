"""The notebooks run from the first cell to the last, and hold no results of a machine."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

RUN = """
import sys
from pathlib import Path
from scripts.website.notebooks import read, run, to_page

notebook = read(Path(sys.argv[1]))
run(notebook)
text, figures = to_page(notebook, "page")
assert figures and all(f"({name})" in text for name in figures), sorted(figures)
assert "<table>" in text and "<style" not in text
"""


def test_there_is_one() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_stores_no_results(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^):]+\.md)\)", path.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (path.parent / link).is_file()] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_the_page_of_the_site_shows_its_figures_and_tables(path: Path) -> None:
    # In a process of its own: a kernel's client starts tasks and warns of its own dependencies.
    command = [sys.executable, "-c", RUN, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3_000:]
