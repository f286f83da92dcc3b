"""A session is called by the name of its protocol's file wherever people look: a variant is no other task."""

import io
import json
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


def test_the_header_keeps_the_task_and_the_variant(said: Said, data: Path) -> None:
    header = header_of(session_of(data))
    assert (header.protocol, header.variant) == ("two_armed_bandit", VARIANT)


def test_a_file_with_the_name_of_its_task_is_no_variant(rig: Rig, data: Path) -> None:
    rig("sim", *BANDIT, "--subject", "W1")
    assert header_of(session_of(data)).variant == ""
    assert header_of(session_of(data)).protocol_name == "two_armed_bandit"


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


@pytest.mark.parametrize(
    "words",
    [("report", "--day", "2026-11-21"), ("report", "--subject", "W1", "--sim"), ("report",)],
    ids=["day", "subject", "session"],
)
def test_pages_have_the_variant(rig: Rig, said: Said, words: tuple[str, ...]) -> None:
    (page,) = json.loads(rig(*words, "--json").out)
    assert VARIANT in Path(page["file"]).read_text(encoding="utf-8")


def test_the_catalog_has_the_variant(rig: Rig, said: Said) -> None:
    assert VARIANT in rig("catalog", "--sim").out


def test_a_subject_s_sessions_have_the_variant(rig: Rig, real: Rig) -> None:
    assert real("2026-11-21T09:00", "--set", "stop.session_s=5", protocol=VARIANT).status == 0
    assert VARIANT in rig("subject", "show", "M1").out


def test_the_screens_of_a_session_have_the_variant(rig: Rig, said: Said) -> None:
    assert f"session       {VARIANT}, W1" in said.out
    again = rig("run", *WORDS[1:], "--start", "2026-11-22T09:00", "--set", "stop.session_s=1")
    assert f"protocol      {VARIANT}, at most" in again.err


@pytest.mark.parametrize(("name", "count"), [(VARIANT, 1), ("two_armed_bandit", 2), ("two_armed_bandit_70-30", 0)])
def test_the_catalog_finds_a_variant_and_all_variants_of_a_task(rig: Rig, said: Said, name: str, count: int) -> None:
    rig("sim", *BANDIT, "--subject", "W2")
    assert len(json.loads(rig("catalog", "--sim", "--protocol", name, "--json").out)) == count
