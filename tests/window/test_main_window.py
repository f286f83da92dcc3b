"""The window: pages, wall, keys and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.records.sampled.samples import SamplesFile
from tests.window.journals import SESSION, JournalWriter

pytestmark = pytest.mark.usefixtures("qt")


class Nowhere:
    """No session runs on this computer."""

    has_looked = True

    def look(self) -> dict[Path, int]:
        return {}

    def close(self) -> None: ...


class Found:
    """The sessions that a test lets the window find."""

    def __init__(self) -> None:
        self.targets: list[Any] = []

    def find(self) -> list[Any]:
        return self.targets


class Desk:
    """A window with a few sessions."""

    def __init__(self, folder: Path, *names: str, with_wall: bool = False, **more: Any) -> None:
        from rig.window.main_window import MainWindow
        from rig.window.theme import LIGHT

        self.found = Found()
        self.folder = folder
        self.journals = {name: self.add(name) for name in names}
        self.window = MainWindow(self.found, Nowhere(), LIGHT, with_wall=with_wall, **more)
        self.turn()

    def add(self, name: str, number: int = 1, place: str = "", **header: Any) -> JournalWriter:
        from rig.window.targets import Target

        path = self.folder / name / "2026-11-21" / f"{number:03d}" / "journal.jsonl"
        journal = JournalWriter(path, {**SESSION, **header})
        self.found.targets = [each for each in self.found.targets if each.place != place]
        self.found.targets.append(Target(place or str(path), path, name))
        return journal

    def turn(self, times: int = 1) -> None:
        for _ in range(times):
            self.window._turn = 0 if times == 1 and not self.window.pages else 10
            self.window._take_turn()
            self.window._timer.stop()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.window.press(key)

    @property
    def shown(self) -> str:
        tabs = self.window._tabs
        return tabs.tabText(tabs.currentIndex()).split("  ")[0]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Any]:
    made: list[Desk] = []

    def make(*names: str, **more: Any) -> Desk:
        made.append(Desk(tmp_path, *names, **more))
        return made[-1]

    yield make
    for each in made:
        each.window.close()
        each.window.deleteLater()


def test_one_session_has_no_tabs_and_several_begin_at_the_wall(desk: Any) -> None:
    assert not desk("M1").window._tabs.tabBar().isVisibleTo(desk("M2").window)
    assert desk("M3", "M4").shown == "0"
    assert desk("M5", with_wall=True).shown == "0"


def test_digits_and_page_keys_open_pages(desk: Any) -> None:
    it = desk("M1", "M2")
    it.press("2")
    assert it.shown == "2"
    it.press("9")
    assert it.shown == "2", "there is no such session"
    it.press("page down")
    assert it.shown == "0"
    it.press("page up", "page up")
    assert it.shown == "1"


def test_the_wall_is_walked_by_arrows(desk: Any) -> None:
    it = desk("M1", "M2", "M3")
    it.press("right", "right", "right", "left", "enter")
    assert it.shown == "3"


def test_a_session_that_starts_later_gets_a_tab_and_the_next_one_of_a_box_takes_it_over(desk: Any) -> None:
    it = desk("M1")
    it.add("M2", place="box_2")
    it.turn()
    assert len(it.window.pages) == 2
    it.press("2")
    it.add("M2", number=2, place="box_2")
    it.turn()
    assert [page.watched.journal.parent.name for page in it.window.pages] == ["001", "002"]
    assert it.shown == "2"


def test_a_file_with_strange_times_does_not_stop_the_other_sessions(desk: Any) -> None:
    it = desk("M1", "M2")
    strange = it.journals["M1"]
    line = SamplesFile(strange.path.parent, "wheel").append([(0, 1), (1 << 47, 2)])
    strange.write("samples", 0, source="wheel", first=line.first, samples=line.samples, digest=line.digest)
    it.journals["M2"].end(1_000_000)
    it.turn(3)
    assert [page.watched.feed.progress.footer is not None for page in it.window.pages] == [False, True]
    (row,) = it.window.pages[0].watched.feed.values.rows()
    assert row.problem == "samples.wheel.bin: 1 value with a wrong time left out"


def test_the_page_shows_the_numbers_of_the_session(desk: Any) -> None:
    it = desk("M1")
    journal = it.journals["M1"]
    journal.write("state", 0, name="wait_center")
    journal.trial(1, 1_000_000)
    journal.warn(2_000_000)
    it.turn(2)
    strip = it.window.pages[0]._strip
    assert strip._state._value.text() == "wait center"
    assert strip._trials._value.text() == "1"
    assert "warning" in strip._lamp_words.text()
    assert "left.beam" in it.window.pages[0]._banner._newest.text()


def test_the_wall_has_the_box_and_the_variant(desk: Any) -> None:
    it = desk(with_wall=True, boxes={"nose_ports": "box a"})
    it.add("", variant="two_armed_bandit_90-10")
    it.turn(2)
    thumbnail = it.window._wall._thumbnails[0]
    thumbnail.refresh(1, is_chosen=False)
    assert thumbnail._name.text() == "1  box a: M1"
    assert thumbnail._title.text() == "two_armed_bandit_90-10 on nose_ports"


def test_a_subject_s_name_is_shown_and_is_no_markup(desk: Any) -> None:
    from PySide6.QtWidgets import QLabel

    subject = desk("M1").window.pages[0]._strip._subject
    assert "M1" in subject.text()
    assert QLabel.text(subject) == "", "only a label's own text can be markup"


def test_all_charts_stand_as_soon_as_the_journal_is_read(desk: Any) -> None:
    it = desk("M1")
    shares = {name: {"column": "outcome", "rule": "equals", "to": name} for name in ("rewarded", "omission")}
    views = [{"view": "running_share", "shares": [name]} for name in shares]
    it.add("M2", shares=shares, views=views)
    it.turn()
    it.press("2")
    it.turn()
    charts = it.window.pages[1]._charts
    assert len(charts) == 2
    assert all(chart._chart is not None for chart in charts)


def test_space_freezes_the_picture_and_the_journal_is_read_all_the_same(desk: Any) -> None:
    it = desk("M1")
    page = it.window.pages[0]
    it.press(" ")
    it.journals["M1"].write("state", 5_000_000, name="ready")
    it.turn(2)
    assert "ready" not in page._lanes._shown_names.values()
    assert page._strip._state._value.text() == "ready"
    assert "FROZEN" in page._hint.text()
    it.press(" ")
    assert "ready" in page._lanes._shown_names.values()


def test_lanes_zoom_move_and_follow_again(desk: Any) -> None:
    it = desk("M1")
    it.journals["M1"].write("state", 0, name="ready")
    it.journals["M1"].write("state", 300_000_000, name="choose")
    it.turn()
    lanes = it.window.pages[0]._lanes

    def span() -> tuple[float, float]:
        return tuple(lanes.view.viewRange()[0])  # type: ignore[return-value]

    first, last = span()
    assert last - first == pytest.approx(60)
    it.press("+")
    assert span()[1] - span()[0] < 60
    it.press("a")
    assert span()[0] <= 0
    assert span()[1] >= 300
    it.press("left")
    moved = span()
    it.turn()
    assert span() == moved, "it follows no more"
    it.press("f")
    assert span()[1] >= 300


def test_buttons_say_why_they_can_do_nothing(desk: Any) -> None:
    it = desk("M1")
    bar = it.window.pages[0]._bar
    assert not any(button.isEnabled() for button in bar._actions.buttons.values())
    assert "can be reached" in bar._words.text()
    it.journals["M1"].end(5)
    it.turn(2)
    assert bar._words.text() == "the session has ended"


def test_d_changes_the_colors_question_mark_lists_the_keys_and_q_closes(desk: Any) -> None:
    it = desk("M1", "M2")
    before = it.window.styleSheet()
    it.press("d")
    assert it.window.styleSheet() != before
    it.press("d")
    assert it.window.styleSheet() == before
    it.press("?")
    assert it.window._help.isVisible()
    it.press("?")
    assert not it.window._help.isVisible()
    it.window.show()
    it.press("q")
    assert not it.window.isVisible()


def test_keys_come_from_the_keyboard_whatever_has_the_focus(desk: Any) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    it = desk("M1", "M2")
    it.window.show()
    QTest.keyClick(it.window._wall, Qt.Key.Key_1)
    assert it.shown == "1"
    lanes = it.window.pages[0]._lanes
    QTest.keyClick(lanes, Qt.Key.Key_Equal)
    assert lanes._span_s < 60
    QTest.keyClick(lanes, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert it.shown == "1"


def test_a_journal_that_ends_in_nonsense_is_said_and_the_window_goes_on(desk: Any) -> None:
    it = desk("M1", "M2")
    it.journals["M1"].append(b'{"seq":\xff\n half a line')
    it.turn(2)
    it.press("1")
    assert "left out" in it.window.pages[0]._strip._lamp_words.text()
    it.journals["M2"].trial(1, 5)
    it.turn(2)
    assert it.window.pages[1].watched.feed.progress.trials == 1


def test_pictures_of_wall_and_pages_can_be_taken(desk: Any) -> None:
    it = desk("M1", "M2")
    for keys in ("0", "1", "d", "0", "2"):
        it.press(keys)
        it.turn()
        assert not it.window.grab().isNull()


@pytest.mark.parametrize(
    ("are_maps", "places"),
    [
        ([], []),
        ([False], [(0, 0, 1, 1)]),
        ([False, True, False], [(0, 0, 1, 1), (0, 2, 1, 1), (0, 1, 1, 1)]),
        (
            [False, False, True, False, False, False],
            [(0, 0, 1, 1), (0, 1, 1, 1), (0, 3, 2, 1), (0, 2, 1, 1), (1, 0, 1, 1), (1, 1, 1, 1)],
        ),
    ],
)
def test_charts_stand_in_rows_and_a_map_is_as_high_as_all_of_them(are_maps: list[bool], places: list[Any]) -> None:
    from rig.window.session_page import chart_places

    assert chart_places(are_maps) == places
