"""A session is called by the name of its protocol's file wherever people look: a variant is no other task."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.live.display_loop import SessionStatus
from rig.live.progress import Progress
from rig.live.rich_display import session_panel
from rig.supervisor.box import Box, BoxState
from rig.supervisor.table import boxes_table
from rig.terminal.console import SafeConsole
from tests.cli.conftest import BANDIT, Rig, Said
from tests.session_ends import header_of

VARIANT = "two_armed_bandit_90-10"
WORDS = ("sim", VARIANT, *BANDIT[1:], "--subject", "W1")


@pytest.fixture
def said(rig: Rig) -> Said:
    answer = rig(*WORDS)
    assert answer.status == 0
    return answer


def session_of(data: Path) -> Path:
    return data / "sim" / "W1" / "2026-11-21" / "001"


def drawn(picture: Any) -> str:
    paper = io.StringIO()
    SafeConsole(file=paper, width=120).print(picture)
    return paper.getvalue()


def panel(data: Path) -> str:
    progress = Progress()
    progress.take(header_of(session_of(data)))
    return drawn(session_panel(progress, SessionStatus(1.0, 1.0), 120))


def table(data: Path) -> str:
    box = Box("box a", "W1")
    box.progress.take(header_of(session_of(data)))
    box.state = BoxState.RUNNING
    return drawn(boxes_table([box], 0, 120))


@pytest.mark.parametrize("picture", [panel, table])
def test_pictures_of_a_running_session_have_the_variant(said: Said, data: Path, picture: Callable[[Path], str]) -> None:
    assert VARIANT in picture(data)
