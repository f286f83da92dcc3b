"""A real browser opens the reports: it finds no error, asks for nothing else, and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rig.cli.main import main
from rig.report.page_report import page_report
from rig.report.session_page import session_page
from tests.browsers import headless_browser
from tests.report.conftest import SESSIONS, Recorded
from tests.report.test_session_page import hostile_session

pytestmark = pytest.mark.slow
A4_PT = (595, 842)
ENEMY = [
    "<script>alert(1)</script>",
    "</style><img src=//evil.example/x onerror=alert(1)>",
    '" onload="alert(1)',
    "'><svg/onload=alert(1)>",
    "</title><script>document.title = 1</script>",
    "<iframe src=//evil.example>",
    "<a href=javascript:alert(1)>x</a>",
    "]]><base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<style>@import url(//evil.example)</style>",
    "$\\frac{<b>}$",
    "<!--",
]


@pytest.fixture(scope="module")
def pages(recorded: Recorded, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages to open; all are made before the browser starts, whose event loop would be in the way of sessions."""
    folder = tmp_path_factory.mktemp("pages")
    sessions = {protocol: recorded(protocol) for protocol in SESSIONS}
    data = str(sessions["delay_discounting"].parents[3])
    lines: dict[str, list[str]] = {
        **{protocol: [str(session)] for protocol, session in sessions.items()},
        "subject": ["--subject", "delay_discounting", "--sim", "--data", data],
        "day": ["--day", "2026-11-20", "--data", data],
    }
    places = {name: folder / f"{name}.html" for name in (*lines, "enemy")}
    for name, words in lines.items():
        assert main(["report", *words, "--to", str(places[name])]) == 0
    places["enemy"].write_text(session_page(page_report(hostile_session(folder, ENEMY))), encoding="utf-8")
    return places


@pytest.fixture(scope="module")
def browser(pages: dict[str, Path]) -> Iterator[Any]:
    """A headless Chromium."""
    with headless_browser() as opened:
        yield opened


class Visit:
    """One page in the browser, with all that it said and asked for."""

    def __init__(self, browser: Any, path: Path, scheme: str, width: int) -> None:
        self.page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
        self.said: list[str] = []
        self.asked: list[str] = []
        for event in ("console", "pageerror", "dialog", "download", "popup"):
            self.page.on(event, lambda what, event=event: self.said.append(f"{event}: {getattr(what, 'text', what)}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.address = path.absolute().as_uri()
        self.page.goto(self.address)

    def check(self) -> None:
        """Check that the page is as quiet as it must be, and fits its window."""
        assert self.said == []
        assert [url for url in self.asked if not url.startswith("data:image/png;base64,")] == [self.address]
        assert self.page.evaluate("document.scripts.length") == 0
        assert self.page.evaluate("document.querySelectorAll('img, iframe, object, embed, base, form').length") == 0
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert self.page.evaluate("[...document.querySelectorAll('svg')].every(each => each.ariaLabel)")
        levels = self.page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(each => +each.tagName[1])")
        assert levels[0] == 1
        assert all(later - earlier <= 1 for earlier, later in pairwise(levels))

    def brightness(self) -> float:
        """Return the mean brightness of the page's background, 0 to 255."""
        color = self.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", color)[:3])) / 3


@pytest.mark.parametrize("protocol", SESSIONS)
def test_the_report_of_every_protocol_opens_without_an_error(
    browser: Any, pages: dict[str, Path], protocol: str
) -> None:
    visit = Visit(browser, pages[protocol], "light", 1200)
    visit.check()
    assert visit.brightness() > 200
    assert protocol in visit.page.title()


@pytest.mark.parametrize("name", ["delay_discounting", "subject", "day"])
def test_a_report_is_dark_in_the_dark_and_fits_a_telephone(browser: Any, pages: dict[str, Path], name: str) -> None:
    visit = Visit(browser, pages[name], "dark", 400)
    visit.check()
    assert visit.brightness() < 60


def test_an_enemy_s_journal_runs_and_loads_nothing(browser: Any, pages: dict[str, Path]) -> None:
    visit = Visit(browser, pages["enemy"], "light", 1200)
    visit.page.wait_for_load_state("networkidle")
    visit.check()
    assert "alert(1)" in visit.page.inner_text("body")


@pytest.mark.parametrize("name", ["delay_discounting", "subject", "day"])
def test_reports_are_printed_on_a4(browser: Any, pages: dict[str, Path], name: str) -> None:
    visit = Visit(browser, pages[name], "light", 1200)
    visit.check()
    printed = visit.page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    sizes = {tuple(sorted((round(float(width)), round(float(height))))) for width, height in boxes}
    assert sizes == {A4_PT}
