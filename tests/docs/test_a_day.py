"""docs/tutorials/a-day.md: a whole day on two boxes at ports, with nothing but the commands of the page."""

import os
from pathlib import Path

import pytest

from scripts import a_day
from tests.avr_tools import need_avr_tools


@pytest.mark.slow
@pytest.mark.real_time
@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are a thing of POSIX")
def test_a_whole_day_prints_what_its_page_shows(tmp_path: Path) -> None:
    need_avr_tools()
    pytest.importorskip("matplotlib")
    difference = a_day.difference(a_day.page(tmp_path.resolve()), a_day.PAGE.read_text("utf-8"))
    assert not difference, f"{difference}\n\nrun python -m scripts.a_day"


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("M20: 12 trials, 8 rewards", "M20: 13 trials, 1 reward", True),
        ("port_a: board B455624F (uno)", "port_a: board CA7F9E0 (uno)", True),
        ("M20 on box_a, paused in iti, 0:03 of 40:00", "M20 on box_a, opening the board, 0:00 of 40:00", True),
        ("left: 2.5 ul given", "left: not given, because a limit is reached", False),
        ("  3.80 |        ...o\nend", "  3.83 |   o...\nend", True),
        ("ended  by the operator", "ended  by a fault", False),
        ("ok        ModemManager: does not run\nok", "ok", True),
    ],
)
def test_only_what_varies_may_differ(shown: str, printed: str, same: bool) -> None:
    assert (a_day.comparable(shown) == a_day.comparable(printed)) is same


@pytest.mark.parametrize(
    ("block", "why"),
    [
        ("```console\n$ rig show boards\n```\n", "a block without a terminal"),
        ("<!-- terminal 1 -->\n```console\n$ rig show nothing\n```\n", "exit status 2, not 0"),
        ('<!-- terminal 1: shown until "never" -->\n```console\n$ rig show boards\n```\n', "never printed 'never'"),
    ],
)
def test_a_command_that_does_something_else_is_an_error(
    block: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text(block)
    monkeypatch.setattr(a_day, "PAGE", tmp_path / "page.md")
    with pytest.raises(a_day.DayError, match=why):
        a_day.page(tmp_path)
