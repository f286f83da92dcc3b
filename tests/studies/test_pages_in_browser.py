"""The pages of studies in a real browser: quiet, complete in one file, and fit for a narrow window."""

from pathlib import Path
from typing import Any

import pytest

from rig.cli.main import main
from tests.report.test_browser import Visit, browser  # noqa: F401
from tests.studies.test_power_run import QUESTION
from tests.studies.test_run import MICE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages to open; all are made before the browser starts."""
    folder = tmp_path_factory.mktemp("pages")
    places = {}
    for what, text in (("run", MICE), ("power", QUESTION)):
        (folder / f"{what}.yaml").write_text(text, encoding="utf-8")
        places[what] = folder / f"{what}.html"
        words = ["study", what, str(folder / f"{what}.yaml"), "--data", str(folder), "--to", str(places[what])]
        assert main(words) in (0, 1)
    return places


@pytest.mark.parametrize("what", ["run", "power"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 400)])
def test_a_page_opens_without_an_error(
    browser: Any,  # noqa: F811
    pages: dict[str, Path],
    what: str,
    scheme: str,
    width: int,
) -> None:
    visit = Visit(browser, pages[what], scheme, width)
    visit.check()
    assert (visit.brightness() > 200) == (scheme == "light")
