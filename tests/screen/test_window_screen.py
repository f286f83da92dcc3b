"""A real window in a process of its own: what it shows, what it hears, and every way in which it may be missing."""

import asyncio
import itertools
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocols.disk_bandit.disk_layout import DiskLayout
from protocols.disk_bandit.params import Params
from rig.core.errors import ScreenError
from rig.core.model.plot_area import PlotArea
from rig.core.model.scene import Image, Scene
from rig.core.model.screen import Contact, PointerMove, ScreenInfo, ScreenSpec
from rig.screen import window_screen
from rig.screen.window_screen import WindowScreen
from tests.peck_helpers import COLORS, RING
from tests.screen_tools import PECKING_WINDOW

pytestmark = pytest.mark.real_time

PX_PER_CM = 26.2
SPEC = ScreenSpec(px_per_cm=PX_PER_CM, pointer="any", full_screen=False, patch_cm=1.0)
SOON_S = 10.0


class Listener:
    """Remembers what a screen says."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self._changed = asyncio.Event()

    def _take(self, what: Any) -> None:
        self.said.append(what)
        self._changed.set()

    def shown(self, frame: int, raw_us: int) -> None:
        self._take(("shown", frame))

    def touched(self, contact: Contact) -> None:
        self._take(contact)

    def hovered(self, move: PointerMove) -> None:
        self._take(move)

    def typed(self, key: str, raw_us: int) -> None:
        self._take(("typed", key))

    def lost(self, why: str) -> None:
        self._take(("lost", why))

    @property
    def contacts(self) -> list[Contact]:
        return [what for what in self.said if isinstance(what, Contact)]

    @property
    def hovers(self) -> list[PointerMove]:
        return [what for what in self.said if isinstance(what, PointerMove)]

    @property
    def why(self) -> str | None:
        return next((what[1] for what in self.said if what[0] == "lost"), None)

    async def until(self, there: Callable[[], Any]) -> Any:
        async with asyncio.timeout(SOON_S):
            while not there():
                self._changed.clear()
                await self._changed.wait()
        return there()


def with_finger(*moves: list[Any]) -> tuple[str, ...]:
    return sys.executable, str(PECKING_WINDOW), json.dumps(moves)


def on_screen(
    play: Callable[[WindowScreen, Listener, ScreenInfo], Any],
    *moves: list[Any],
    spec: ScreenSpec = SPEC,
    command: tuple[str, ...] | None = None,
) -> dict[str, int]:
    """Open a window, do something with it, close it; its counters."""

    async def main() -> dict[str, int]:
        listener = Listener()
        screen = WindowScreen(spec, asyncio.get_running_loop(), command or with_finger(*moves))
        opened = await screen.open(listener)
        try:
            await play(screen, listener, opened)
        finally:
            counters = dict(await screen.close())
        return counters

    return asyncio.run(main())


# --- what it shows --------------------------------------------------------------------------------------------


def pixels(file: Path) -> Any:
    """Read a picture as an array: y, x, red-green-blue."""
    import numpy as np
    from PySide6.QtGui import QImage

    image = QImage(str(file)).convertToFormat(QImage.Format.Format_RGBX8888)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8).copy()
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3]


def grabbed(file: Path, scene: Scene, spec: ScreenSpec = SPEC) -> Any:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, scene)
        await listener.until(lambda: listener.contacts)

    on_screen(play, [30, "grab", str(file)], [1, "click", 1, 1], spec=spec)
    return pixels(file)


def disk_of(picture: Any, color: str) -> tuple[float, float, float, float]:
    """Measure a disk from its pixels: its middle from the lower left corner, its width and height, in cm."""
    import numpy as np

    wanted = [int(color[place : place + 2], 16) for place in (1, 3, 5)]
    rows, columns = np.nonzero(np.abs(picture.astype(int) - wanted).max(axis=2) < 8)
    width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
    x, y = columns.min() + width / 2, picture.shape[0] - (rows.min() + height / 2)
    return tuple(float(value) / PX_PER_CM for value in (x, y, width, height))  # type: ignore[return-value]


def test_the_eight_disks_are_as_large_as_they_should_be_in_the_pixels_of_the_running_window(
    xvfb: None, tmp_path: Path
) -> None:
    ring = DiskLayout(Params(), 800 / PX_PER_CM).scene(range(8))
    picture = grabbed(tmp_path / "ring.png", ring)
    assert picture.shape == (600, 800, 3)
    named = ("red", "yellow", "pink", "green", "dark blue", "orange", "gray", "light blue")  # clockwise from the top
    disks = [disk_of(picture, Params().colors[name]) for name in named]
    px = 1 / PX_PER_CM
    for _, _, width, height in disks:
        assert (width, height) == pytest.approx((2.0, 2.0), abs=1.5 * px)
    for (x, y, _, _), (other_x, other_y, _, _) in zip(disks[:4], disks[4:], strict=True):
        assert ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5 == pytest.approx(8.0, abs=px)
    lowest = disks[4]
    assert lowest[1] - lowest[3] / 2 == pytest.approx(3.0, abs=px)
    for place, (x, y, _, _) in enumerate(disks):
        angle = math.radians(45 * place)
        there = 400 * px + 4 * math.sin(angle), 8 + 4 * math.cos(angle)
        assert (x, y) == pytest.approx(there, abs=px)
    assert picture[300, 100].tolist() == [0, 0, 0]


def test_a_picture_on_a_larger_monitor_is_in_its_middle(xvfb: None, tmp_path: Path) -> None:
    spec = ScreenSpec(px_per_cm=PX_PER_CM, pointer="any", full_screen=True)
    picture = grabbed(tmp_path / "full.png", RING, spec)
    assert picture.shape == (768, 1024, 3)
    x, y, _, _ = disk_of(picture, COLORS[0])
    top = RING.items[0]
    beside, below = (1024 - 800) / 2 / PX_PER_CM, (768 - 600) / 2 / PX_PER_CM
    assert (x, y) == pytest.approx((top.x_cm + beside, top.y_cm + below), abs=1 / PX_PER_CM)


def test_the_patch_under_the_photodiode_changes_with_every_frame(offscreen: None, tmp_path: Path) -> None:
    files = [tmp_path / f"{frame}.png" for frame in (1, 2, 3)]

    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        for frame in (1, 2, 3):
            screen.show(frame, RING)
            await listener.until(lambda frame=frame: len(listener.contacts) >= 2 * frame)
        assert [what[1] for what in listener.said if what[0] == "shown"] == [1, 2, 3]

    moves = [move for file in files for move in ([40, "grab", str(file)], [1, "click", 1, 1])]
    counters = on_screen(play, *moves)
    corners = [pixels(file)[590, 790].tolist() for file in files]
    assert corners == [[255] * 3, [0] * 3, [255] * 3]
    assert [pixels(file)[560, 790].tolist() for file in files] == [[0] * 3] * 3
    assert counters["screen_frames"] == 3
    assert 0 < counters["screen_longest_show_us"] < 1_000_000


# --- what it hears --------------------------------------------------------------------------------------------


def test_touches_and_clicks_arrive_in_every_phase_with_their_place_and_what_was_on_the_glass(platform: str) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: len(listener.contacts) == 9)
        now_us = round(asyncio.get_running_loop().time() * 1e6)
        assert [(c.phase, c.contact, c.x_px, c.y_px, c.frame) for c in listener.contacts] == [
            ("down", 1, 400, 300, 1),
            ("up", 1, 400, 300, 1),
            ("down", 2, 10, 10, 1),
            ("down", 3, 500, 500, 1),
            ("move", 3, 510, 500, 1),
            ("up", 2, 10, 10, 1),
            ("up", 3, 510, 500, 1),
            ("down", 0, 20, 30, 1),
            ("up", 0, 20, 30, 1),
        ]
        stamps = [contact.raw_us for contact in listener.contacts]
        assert stamps == sorted(stamps)
        assert 0 <= now_us - stamps[-1] < 1_000_000

    assert (
        on_screen(
            play,
            [5, "tap", 400, 300],
            [5, "press", 1, 10, 10],
            [5, "press", 2, 500, 500],
            [5, "move", 2, 510, 500],
            [5, "release", 1, 10, 10],
            [5, "release", 2, 510, 500],
            [5, "click", 20, 30],
        )["screen_contacts"]
        == 9
    )


def test_keys_arrive_as_characters_and_the_two_that_write_none_by_their_names(offscreen: None) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: ("typed", "enter") in listener.said)
        typed = [what[1] for what in listener.said if what[0] == "typed"]
        assert typed == ["A", "b", " ", "?", "backspace", "enter"]

    on_screen(play, [5, "type", "Ab ?"])


def test_letters_of_every_language_arrive_also_those_that_several_keys_compose(platform: str) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: ("typed", "語") in listener.said)
        assert [what[1] for what in listener.said if what[0] == "typed"] == ["ü", "ß", "é", "日", "本", "語"]

    on_screen(play, [5, "key", "ü"], [5, "key", "ß"], [5, "compose", "é"], [5, "compose", "日本語"])


def test_a_line_and_a_dot_have_their_places_widths_and_text_in_the_pixels_of_a_scene_of_changes(
    offscreen: None, tmp_path: Path
) -> None:
    area = PlotArea(x_cm=15, y_cm=11, width_cm=20, height_cm=10, x_min=0, x_max=10, y_min=0, y_max=10)
    axes = area.axes([0, 5, 10], [0, 5, 10], color="#ffffff")
    dot = area.dot(5, 5, color="#0000ff", diameter_cm=1, text="57", text_color="#00ffff", text_cm=1)
    threshold = area.level(2, color="#ff0000", width_cm=0.4)

    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, Scene(items=axes))
        screen.show(2, Scene(items=(*axes, threshold, dot)))
        await listener.until(lambda: listener.contacts)

    file = tmp_path / "plot.png"
    on_screen(play, [200, "grab", str(file)], [1, "click", 1, 1])
    shown = pixels(file)
    assert disk_of(shown, "#0000ff") == pytest.approx((15, 11, 1, 1), abs=0.05)
    assert disk_of(shown, "#ff0000") == pytest.approx((15, 8, 20, 0.4), abs=0.06)  # its edges are blended
    x_cm, y_cm, width_cm, height_cm = disk_of(shown, "#00ffff")
    assert x_cm == pytest.approx(15, abs=0.1)
    assert 11.5 < y_cm - height_cm / 2 < y_cm + height_cm / 2 < 13
    assert 0.6 < width_cm < 1.6


def test_the_pointer_is_reported_over_another_item_of_a_scene_that_asks_and_when_it_leaves_the_window(
    platform: str,
) -> None:
    asking = RING.model_copy(update={"hover": True})
    # Pixels: disk 0 twice, disk 2, beside all, disk 4. Each stays for longer than the interval of reports.
    places = [(400, 285), (405, 290), (505, 390), (10, 10), (400, 495)]
    over = [[70, "hover", *place] for place in places]

    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: len(listener.contacts) == 2)
        assert listener.hovers == []
        screen.show(2, asking)  # the pointer rests on disk 4 when it appears
        await listener.until(lambda: len(listener.contacts) == 4)
        assert [(move.on, move.frame) for move in listener.hovers] == [
            *(("disk4", 2), ("disk0", 2), ("disk2", 2), ("", 2), ("disk4", 2), ("", 2))
        ]
        stamps = [move.raw_us for move in listener.hovers]
        assert all(later - sooner >= 50_000 for sooner, later in itertools.pairwise(stamps))
        at_disk2 = listener.hovers[2]
        assert (at_disk2.x_px, at_disk2.y_px) == (505, 390)

    on_screen(play, *over, [1, "tap", 5, 5], [500, "hover", 400, 285], *over[1:], [70, "leave"], [70, "tap", 5, 5])


@pytest.mark.parametrize(("pointer", "told"), [("mouse", ["disk0"]), ("touch", [])])
def test_a_touch_screen_has_no_pointer(offscreen: None, pointer: str, told: list[str]) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING.model_copy(update={"hover": True}))
        await listener.until(lambda: ("typed", "x") in listener.said)
        assert [move.on for move in listener.hovers] == told

    spec = ScreenSpec(px_per_cm=PX_PER_CM, pointer=pointer, full_screen=False)
    on_screen(play, [5, "hover", 400, 285], [5, "type", "x"], spec=spec)


def test_the_left_button_of_a_mouse_clicks_and_no_other(offscreen: None) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: len(listener.contacts) >= 2)
        assert [(contact.phase, contact.x_px) for contact in listener.contacts] == [("down", 20), ("up", 20)]

    on_screen(play, [5, "right click", 500, 30], [5, "click", 20, 30])


@pytest.mark.parametrize(("pointer", "contacts"), [("mouse", [0, 0]), ("touch", [1, 1])])
def test_what_it_is_not_touched_with_is_not_heard(offscreen: None, pointer: str, contacts: list[int]) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: listener.why)
        assert [contact.contact for contact in listener.contacts] == contacts

    spec = ScreenSpec(pointer=pointer, full_screen=False)
    on_screen(play, [5, "tap", 400, 300], [5, "click", 20, 30], [5, "close"], spec=spec)


# --- how it is lost -------------------------------------------------------------------------------------------


def lost(*moves: list[Any], scene: Scene = RING) -> str:
    """Show a scene, let things go wrong, and say what the screen says of it."""
    said: list[str] = []

    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, scene)
        said.append(await listener.until(lambda: listener.why))
        await asyncio.sleep(0.1)
        assert [what for what in listener.said if what[0] == "lost"] == [("lost", said[0])]

    on_screen(play, *moves)
    return said[0]


def test_a_window_that_is_closed_says_so(offscreen: None) -> None:
    assert lost([5, "close"]) == "the stimulus window was closed"


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("unplug", "monitor  was unplugged or switched off"),
        ("unplug touch screen", "there is no touch screen"),
    ],
)
def test_what_is_unplugged_during_a_session_is_missed(offscreen: None, move: str, said: str) -> None:
    assert lost([5, move]) == said


def test_a_window_goes_when_its_session_is_gone(offscreen: None) -> None:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        assert screen._started is not None
        assert screen._transport is not None
        process = screen._started[0]
        screen._leaving = True  # nothing is left that would end the process
        screen._transport.abort()
        await asyncio.to_thread(process.wait, SOON_S)
        assert process.returncode == 0

    on_screen(play)


def test_a_window_that_hangs_is_missed(offscreen: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_screen, "ANSWER_S", 0.2)

    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await asyncio.sleep(0.1)
        screen.show(2, RING)
        why = await listener.until(lambda: listener.why)
        assert why == "the stimulus window has painted nothing for 0.2 s: it hangs"

    monkeypatch.setattr(window_screen, "LEAVE_S", 0.05)
    on_screen(play, [5, "hang", 3])


def test_an_image_that_cannot_be_read_is_named(offscreen: None) -> None:
    scene = Scene(items=(Image(x_cm=5, y_cm=5, width_cm=2, height_cm=2, file="no_such.png"),))
    assert f"the image {Path('no_such.png').absolute()} cannot be read" in lost(scene=scene)


def test_a_scene_that_could_not_be_painted_is_not_reported_as_shown(offscreen: None) -> None:
    scene = Scene(items=(Image(x_cm=5, y_cm=5, width_cm=2, height_cm=2, file="no_such.png"),))

    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        screen.show(1, RING)
        await listener.until(lambda: ("shown", 1) in listener.said)
        screen.show(2, scene)
        await listener.until(lambda: listener.why)
        await asyncio.sleep(0.1)
        assert [what for what in listener.said if what[0] == "shown"] == [("shown", 1)]

    assert on_screen(play)["screen_frames"] == 1


# --- how it is not there --------------------------------------------------------------------------------------


def refused(spec: ScreenSpec = SPEC, command: tuple[str, ...] = window_screen.PROCESS) -> str:
    async def play(screen: WindowScreen, listener: Listener, opened: ScreenInfo) -> None:
        pytest.fail("it was opened")

    with pytest.raises(ScreenError) as caught:
        on_screen(play, spec=spec, command=command)
    return str(caught.value)


def test_a_monitor_that_is_not_there_is_named_beside_those_that_are(xvfb: None) -> None:
    said = refused(ScreenSpec(monitor="HDMI-7", pointer="any"))
    assert said == ("screen: there is no monitor HDMI-7: is it on, and plugged in? Monitors here: screen (1024 by 768)")


def test_a_touch_screen_that_is_not_there_is_missed_with_what_is(xvfb: None) -> None:
    said = refused(ScreenSpec())
    assert said.startswith("screen: there is no touch screen: is it plugged in?")
    assert "`pointer: mouse`" in said
    assert "Xvfb mouse (Mouse)" in said


def test_a_picture_that_is_larger_than_the_monitor_is_refused(offscreen: None) -> None:
    said = refused(ScreenSpec(width_px=1920, height_px=1080, pointer="any"))
    assert "a picture of 1920 by 1080 pixels does not fit on monitor" in said


def test_without_qt_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_screen, "find_spec", lambda name: None)
    assert 'pip install "behavior-rig[screen]"' in refused()


def test_without_a_display_it_is_said_where_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_screen, "find_spec", lambda name: object())
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert "there is no display here" in refused()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit('no libEGL here')", "the stimulus process has ended (status 1): no libEGL here"),
        ("import time; time.sleep(30)", "no window was there after 0.3 s"),
    ],
)
def test_a_process_that_does_not_come_up_is_given_up(monkeypatch: pytest.MonkeyPatch, program: str, said: str) -> None:
    monkeypatch.setattr(window_screen, "OPEN_S", 0.3 if "sleep" in program else 20)
    monkeypatch.setattr(window_screen, "find_spec", lambda name: object())
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert refused(command=(sys.executable, "-c", program)) == f"screen: {said}"
