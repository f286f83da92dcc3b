"""The built site: no dead link, nothing from other hosts, and a browser shows it as it should from a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

import rig
from scripts.website.repository import ROOT, page_paths
from tests.browsers import headless_browser
from tests.docs.pages import ROOMS

pytestmark = pytest.mark.slow
pytest.importorskip("zensical")
from scripts.website.build import SiteError, build  # noqa: E402

HOST = re.compile(r"https?:|//")
PHONE = {"width": 400, "height": 800}
DESK = {"width": 1300, "height": 900}
WINDOW = "docs/how-to/watching.html"
WIDE = ["index.html", WINDOW, "docs/reference/yaml.html", "docs/reference/vocabulary-api.html"]
"""Pages with wide pictures, wide tables and long names."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the site's HTML, built once for all workers; another test runs the notebooks."""
    folder = tmp_path_factory.getbasetemp().resolve()
    work = (folder if worker_id == "master" else folder.parent) / "site"
    finished = work.with_suffix(".finished")
    with FileLock(work.with_suffix(".lock")):
        if not finished.exists():
            build(ROOT, work, run_notebooks=False)
            finished.touch()
    return work / "html"


@pytest.fixture(scope="module")
def browser(site: Path) -> Iterator[Any]:
    """A headless Chromium, once the site is built."""
    with headless_browser() as opened:
        yield opened


class Visit:
    """One page of the site in the browser, with what it asked other hosts for and the errors that it reported."""

    def __init__(self, browser: Any, address: Path, viewport: dict[str, int], scheme: str = "light") -> None:
        self.page = browser.new_page(color_scheme=scheme, viewport=viewport)
        self.errors: list[str] = []
        self.foreign: list[str] = []
        for event in ("console", "pageerror"):
            self.page.on(event, lambda what: self.errors.append(str(getattr(what, "text", what))))
        self.page.on("request", self._notice)
        self.page.goto(address.as_uri())

    def _notice(self, request: Any) -> None:
        if urlsplit(request.url).scheme not in ("file", "data", "blob"):
            self.foreign.append(request.url)

    def shown_pictures(self) -> list[str]:
        """Return the names of the pictures of the text that are visible and loaded."""
        return self.page.evaluate(
            "[...document.querySelectorAll('article img')].filter(i => i.offsetWidth > 0 && i.naturalWidth > 0)"
            ".map(i => i.src.split('/').pop().split('#')[0])"
        )

    def brightness(self, of: str) -> float:
        """Return the mean brightness, 0 to 255, of the letters (``color``) or of the background."""
        color = self.page.evaluate(f"getComputedStyle(document.body).{of}")
        return sum(map(int, re.findall(r"\d+", color)[:3])) / 3


class Links(HTMLParser):
    """The links of a page of HTML, what it loads, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            elif (value and name == "src") or (value and name == "href" and tag == "link"):
                self.loads.append(value)
            elif value and name == "href":
                self.links.append(value)


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_another_host(site: Path) -> None:
    pages = {path: Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > len(page_paths(ROOT))
    dead = []
    for path, page in pages.items():
        assert [link for link in page.loads if HOST.match(link)] == [], path
        for link in page.links + page.loads:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment) if target in pages else ""
            if not parts.scheme and not (target.is_file() and (not anchor or anchor in pages[target].anchors)):
                dead.append(f"{path.name}: {link}")
    assert dead == []


def test_every_page_is_in_the_navigation(site: Path) -> None:
    listed = {
        (site / link.partition("#")[0]).resolve() for link in Links(site / "index.html").links if not HOST.match(link)
    }
    pages = {site / Path(path).with_suffix(".html") for path in page_paths(ROOT)}
    pages = {path.with_name("index.html") if path.name == "README.html" else path for path in pages}
    assert {path.resolve() for path in pages} - listed == set()


def test_a_dead_link_and_a_page_without_a_way_to_it_stop_the_build(tmp_path: Path) -> None:
    pages = {
        "README.md": "# rig\n\n[All](docs/README.md)\n",
        "docs/README.md": "# All\n\n## People\n\n- [vocabulary](reference/vocabulary.md)\n",
        "docs/reference/vocabulary.md": "# Words\n\n[gone](gone.md)\n",
    }
    for path, text in pages.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    with pytest.raises(SiteError, match=r"page does not exist\n.*docs/reference/vocabulary\.md:3:8"):
        build(tmp_path, tmp_path / "build")
    (tmp_path / "docs" / "lost.md").write_text("# Lost\n")
    with pytest.raises(SiteError, match=r"no page leads to docs/lost\.md"):
        build(tmp_path, tmp_path / "build")


def test_the_vocabulary_has_its_signatures(site: Path) -> None:
    anchors = Links(site / "docs" / "reference" / "vocabulary-api.html").anchors
    assert [name for name in rig.__all__ if f"rig.vocabulary.{name}" not in anchors] == []
    assert {"rig.vocabulary.Port.drop", "rig.vocabulary.Task.react"} <= anchors


def test_each_experiment_has_a_page(site: Path) -> None:
    rooms = [site / room.relative_to(ROOT).with_name("index.html") for room in ROOMS]
    assert all(room.is_file() for room in rooms)


def test_the_search_finds_top_up_without_a_server(browser: Any, site: Path) -> None:
    visit = Visit(browser, site / "index.html", DESK)
    visit.page.wait_for_function("[...document.body.children].some(element => element.shadowRoot)")
    visit.page.keyboard.press("Control+k")
    visit.page.locator("input:focus").fill("top-up")
    visit.page.get_by_text("What each animal is due").first.wait_for(timeout=60_000)
    assert visit.errors == visit.foreign == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_of_the_window_follows_the_colors_of_the_system(browser: Any, site: Path, scheme: str) -> None:
    visit = Visit(browser, site / WINDOW, DESK, scheme)
    assert visit.shown_pictures() == [f"two_armed_bandit_{scheme}.png", f"wall_{scheme}.png"]
    assert (visit.brightness("backgroundColor") > 128) is (scheme == "light")
    assert visit.errors == visit.foreign == []


def test_the_printer_gets_dark_letters_and_the_light_pictures_also_in_the_dark(browser: Any, site: Path) -> None:
    visit = Visit(browser, site / WINDOW, DESK, "dark")
    visit.page.emulate_media(media="print", color_scheme="dark")
    assert visit.shown_pictures() == ["two_armed_bandit_light.png", "wall_light.png"]
    assert visit.brightness("color") < 60


def test_the_first_page_shows_the_film_of_a_session(browser: Any, site: Path) -> None:
    assert Visit(browser, site / "index.html", DESK).shown_pictures() == ["session.gif"]


@pytest.mark.parametrize("path", WIDE)
def test_a_page_fits_a_telephone(browser: Any, site: Path, path: str) -> None:
    visit = Visit(browser, site / path, PHONE)
    assert visit.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_emergencies_are_printed_on_one_page_of_a4(browser: Any, site: Path) -> None:
    visit = Visit(browser, site / "docs" / "tutorials" / "trouble.html", DESK)
    whole = visit.page.pdf(prefer_css_page_size=True)
    visit.page.evaluate(
        "const end = document.querySelector('article [style*=break-after]');"
        "while (end.nextSibling) end.nextSibling.remove(); end.remove()"
    )
    first = visit.page.pdf(prefer_css_page_size=True)
    assert (sheets(first), sheets(whole) > 1) == (1, True)
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", first)
    assert [round(float(length)) for length in box] == [595, 842]
    assert "Emergencies" in visit.page.inner_text("article")


def sheets(printed: bytes) -> int:
    """Return the number of pages of a PDF."""
    return len(re.findall(rb"/Type /Page\b", printed))
