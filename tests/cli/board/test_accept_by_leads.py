"""`rig board accept` at a simulated port: leads of `rig board serve` do what a person would do at the rig."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rig.cli.board.arguments import STEPS
from tests.avr_tools import need_avr_tools
from tests.cli.board.leads_player import LeadsPlayer
from tests.cli.board.test_serve import Child, link, rig_file  # noqa: F401
from tests.cli.pseudo_terminal import terminal

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX"),
    pytest.mark.real_time,
    pytest.mark.campaign,
]

EXTENDED = (
    "extends: {shipped}\nboards:\n  uno: {{driver: serial, chip: uno, reference: true, port: {port}, lease_s: 8}}\n"
)


@contextmanager
def serving(child: Child, rig_file: Path, link: Path) -> Iterator["subprocess.Popen[str]"]:  # noqa: F811
    with child("board", "serve", rig_file, "--link", link, "--leads", stderr=subprocess.STDOUT) as server:
        try:
            assert server.stdout is not None
            for _ in range(4):
                server.stdout.readline()
            yield server
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=20)


def accept(child: Child, rig_file: Path, link: Path, *words: object) -> tuple[int, LeadsPlayer, str]:  # noqa: F811
    need_avr_tools()
    into = rig_file.parent / "acceptance"
    with (
        serving(child, rig_file, link) as server,
        terminal("board", "accept", rig_file, "--by", "anna", "--into", into, *words) as shown,
    ):
        player = LeadsPlayer(shown, server, rig_file)
        status = player.play()
    return status, player, shown.text


@pytest.mark.parametrize(
    "shipped",
    [
        "nose_ports",
        pytest.param("t_maze_uno", marks=pytest.mark.campaign),
        pytest.param("pigeon_chamber_uno", marks=pytest.mark.campaign),
    ],
)
def test_every_step_passes_on_each_shipped_rig(child: Child, rig_file: Path, link: Path, shipped: str) -> None:  # noqa: F811
    if shipped != "nose_ports":
        rig_file.write_text(EXTENDED.format(shipped=f"{shipped}.yaml", port=link))
    status, player, text = accept(child, rig_file, link)
    assert status == 0, text + "\n".join(player.moves)
    found = json.loads((rig_file.parent / "acceptance" / "here.json").read_text())
    assert list(found["steps"]) == list(STEPS)
    assert "skipped" not in {row["verdict"] for step in found["steps"].values() for row in step["rows"]}


def test_a_jumper_that_is_taken_away_is_noticed(child: Child, rig_file: Path, link: Path) -> None:  # noqa: F811
    need_avr_tools()
    into = rig_file.parent / "acceptance"
    words = ("board", "accept", rig_file, "--by", "anna", "--into", into, "--step")
    with serving(child, rig_file, link) as server:
        with terminal(*words, "lease") as shown:
            player = LeadsPlayer(shown, server, rig_file)
            player.move("jumper 18 19")
            assert player.play() == 3
        assert "off after 0.5" in shown.text, shown.text
        with terminal(*words, "lease") as shown:
            player = LeadsPlayer(shown, server, rig_file)
            player.move("jumper off")
            assert player.play() == 3
        assert "did not come on and go off: is the jumper in?" in shown.text


def test_a_board_that_loses_its_power_with_the_cable_passes_and_the_page_says_so(
    child: Child,
    rig_file: Path,  # noqa: F811
    link: Path,  # noqa: F811
) -> None:
    need_avr_tools()
    words = ("board", "accept", rig_file, "--by", "anna", "--into", rig_file.parent, "--step", "cable")
    with serving(child, rig_file, link) as server, terminal(*words) as shown:
        LeadsPlayer(shown, server, rig_file, "unplug power").play()
    assert "pass     cable pulled with an output on: the board lost its power with the cable" in shown.text, shown.text
    assert "FAIL" not in shown.text
