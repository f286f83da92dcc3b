"""What this computer lacks: each part says what it gives, and how to get it."""

from __future__ import annotations

import datetime
import importlib.metadata
import tomllib
from pathlib import Path

import pytest

from rig.boards.driver_lookup import Tool
from rig.core.errors import ConfigError
from rig.diagnostics import computer_checks
from rig.diagnostics.computer_checks import (
    EXTRAS,
    Part,
    check_clock,
    check_disk,
    check_extras,
    check_ports,
    check_screens,
    check_tools,
)
from rig.diagnostics.host_system import HostSystem
from tests.repository import ROOT

NOW = datetime.datetime(2026, 11, 21, 9, 30)


def test_every_extra_of_the_project_has_a_row_or_is_no_laboratorys() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*EXTRAS, "chip", "site", "dev"} == set(project["optional-dependencies"])


def test_an_extra_whose_packages_are_absent_is_missing_and_says_how_to_get_it() -> None:
    stated = [
        "pydantic<3,>=2.10",
        "no-such-package>=1; extra == 'camera'",
        "pydantic>=2; sys_platform == 'linux' and extra == 'screen'",
        "behavior-rig[screen]; extra == 'gui'",
        "another_absent-one; extra == 'gui'",
    ]
    rows = {part.what.removeprefix("extra "): part for part in check_extras(stated)}
    assert set(rows) == set(EXTRAS)
    camera = rows["camera"]
    assert (camera.verdict, camera.text) == ("missing", "without no-such-package")
    assert (camera.gives, camera.get) == (EXTRAS["camera"], "pip install 'behavior-rig[camera]'")
    assert rows["screen"] == Part("extra screen", "ok", f"pydantic {importlib.metadata.version('pydantic')}")
    assert rows["gui"].text == "without another_absent-one"
    assert rows["nwb"].verdict == "warning"


def test_the_installed_program_names_the_packages_of_each_extra() -> None:
    assert "warning" not in {part.verdict for part in check_extras()}


class _Driver:
    def __init__(self, *tools: Tool) -> None:
        self._tools = tools

    def tools(self) -> tuple[Tool, ...]:
        return self._tools


def test_a_tool_that_a_driver_lacks_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = (Tool("node", "node is not installed: pip", "a chip", "pip"), Tool("gcc", "", "a faster chip", "apt"))
    monkeypatch.setattr(computer_checks, "installed_plugins", lambda group: {"avr": None})
    monkeypatch.setattr(computer_checks, "find_driver", lambda name: _Driver(*tools))
    assert list(check_tools()) == [
        Part("node", "missing", "node is not installed", "a chip", "pip"),
        Part("gcc", "ok", "a faster chip"),
    ]


def test_a_driver_that_cannot_be_loaded_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> _Driver:
        raise ConfigError("driver 'ours' cannot be loaded: ours.py:3: NameError", "more")

    monkeypatch.setattr(computer_checks, "installed_plugins", lambda group: {"ours": None})
    monkeypatch.setattr(computer_checks, "find_driver", fail)
    (part,) = check_tools()
    assert (part.what, part.verdict, part.text) == (
        "driver ours",
        "warning",
        "driver 'ours' cannot be loaded: ours.py:3: NameError",
    )


@pytest.mark.parametrize(
    ("is_root", "member", "verdict"), [(True, False, "ok"), (False, True, "ok"), (False, False, "missing")]
)
def test_without_a_port_the_group_of_ports_decides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_root: bool, member: bool, verdict: str
) -> None:
    monkeypatch.setattr(computer_checks, "ports_here", list)
    monkeypatch.setattr(computer_checks, "opens_everything", lambda: is_root)
    monkeypatch.setattr(HostSystem, "is_member", lambda self, group: member)
    rows = {part.what: part for part in check_ports(HostSystem(tmp_path, "linux"))}
    assert rows["serial ports"].verdict == verdict
    assert rows["udev rule"].verdict == "warning"
    assert rows["udev rule"].get.startswith("sudo cp ")


def test_another_system_has_no_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(computer_checks, "ports_here", list)
    assert [part.verdict for part in check_ports(HostSystem(tmp_path, "win32"))] == ["ok"]


def test_a_terminal_without_a_display_is_told_where_windows_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_browser() -> None:
        raise computer_checks.webbrowser.Error

    monkeypatch.setattr(computer_checks, "has_display", lambda: False)
    monkeypatch.setattr(computer_checks.webbrowser, "get", no_browser)
    assert [(part.what, part.verdict) for part in check_screens()] == [("display", "missing"), ("browser", "missing")]


@pytest.mark.parametrize(("needed", "room", "verdict"), [(1, 1, "ok"), (1, 10**18, "warning"), (10**18, 1, "error")])
def test_the_disk_is_that_of_the_folder_also_before_it_exists(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, needed: int, room: int, verdict: str
) -> None:
    monkeypatch.setattr(computer_checks, "ROOM_BYTES", room)
    assert check_disk(tmp_path / "not" / "yet", needed).verdict == verdict
    assert not (tmp_path / "not").exists()


def test_a_clock_before_the_newest_session_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_checks, "is_clock_synchronized", lambda: True)
    assert check_clock(NOW, "2026-11-22").verdict == "error"
    assert check_clock(NOW, "2026-11-21").text == "2026-11-21 09:30, set by a time service"
    assert check_clock(NOW, "").verdict == "ok"


def test_a_clock_that_no_service_sets_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_checks, "is_clock_synchronized", lambda: False)
    assert check_clock(NOW, "").verdict == "warning"
    monkeypatch.setattr(computer_checks, "is_clock_synchronized", lambda: None)
    assert check_clock(NOW, "").text == "2026-11-21 09:30"
