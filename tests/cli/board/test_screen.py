"""`rig screen`: a screen is measured and touched."""

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from rig.cli.board import screen
from rig.screen.window_screen import WindowScreen
from tests.cli.conftest import Rig
from tests.screen_tools import PECKING_WINDOW, need_screen_tools

pytestmark = pytest.mark.real_time


@pytest.fixture
def chamber(tmp_path: Path) -> Path:
    file = tmp_path / "chamber.yaml"
    file.write_text(
        "boards:\n  uno: {driver: serial}\ndevices:\n  houselight: {kind: houselight, pin: 9}\n"
        "screen: {px_per_cm: 20, size_cm: [30, 20], full_screen: false, pointer: any}\n"
    )
    return file


def test_a_screen_is_measured_with_a_line_and_says_where_it_is_touched(
    rig: Rig, chamber: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_screen_tools()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    moves = [[5, "click", 42, 360], [5, "tap", 300, 210], [5, "close"]]
    command = (sys.executable, str(PECKING_WINDOW), json.dumps(moves))
    monkeypatch.setattr(screen, "WindowScreen", partial(WindowScreen, command=command))
    said = rig("screen", chamber)
    assert said.status == 0, said.err
    first, second, *_, mouse, finger = said.out.splitlines()
    assert first.startswith("600 by 400 pixels, 30.0 by 20.0 cm, on ")
    assert second == "measure the line, which is 450 pixels: px_per_cm is 450 / its length in cm"
    assert mouse == "contact 0: 2.10 2.00 cm (42 360 pixels), 0.10 cm from the nearest mark"
    assert finger == "contact 1: 15.00 9.50 cm (300 210 pixels), 0.50 cm from the nearest mark"


def test_a_screen_that_is_not_there_has_the_status_of_missing_hardware(
    rig: Rig, chamber: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_screen_tools()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    chamber.write_text(chamber.read_text().replace("pointer: any", "monitor: HDMI-7"))
    said = rig("screen", chamber)
    assert (said.status, "there is no monitor HDMI-7" in said.err) == (3, True)


def test_a_rig_without_a_screen_says_so(rig: Rig) -> None:
    said = rig("screen", "sim_nose_ports")
    assert (said.status, said.err.strip()) == (2, "rig sim_nose_ports has no screen: its file has no section `screen:`")
