"""Commands of installed packages: entry points of the group `rig.commands`."""

import sys
from pathlib import Path

import pytest

from rig.cli.contributed import contributed_commands
from rig.cli.main import COMMANDS
from tests.cli.conftest import Rig

COUNT = '''"""Count the animals of a house."""

import pathlib

pathlib.Path("imported").touch()


def add_arguments(count):
    count.examples = ("attic",)
    count.add_argument("house")


def run(arguments):
    print(f"{arguments.house}: {len(arguments.house)} animals")
    return 0
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed package that contributes two commands, one of which has a shipped name."""
    (tmp_path / "house_1.py").write_text(COUNT)
    (tmp_path / "house-1.0.dist-info").mkdir()
    (tmp_path / "house-1.0.dist-info" / "entry_points.txt").write_text(
        "[console_scripts]\nother = house_1:run\n\n[rig.commands]\ncount = house_1\nrun = house_1\n\n[x]\ny = house_1\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "house_1", raising=False)
    return tmp_path


def test_the_help_lists_a_contributed_command_without_an_import_of_it(rig: Rig, package: Path) -> None:
    text = rig("--help").out
    assert "count" in text[text.index("\nof experiments:") :]
    assert "count the animals of a house\n" in text
    assert not (package / "imported").exists()


def test_a_line_runs_a_contributed_command(rig: Rig, package: Path) -> None:
    answer = rig("count", "attic")
    assert (answer.status, answer.out, answer.err) == (0, "attic: 5 animals\n", "")
    assert rig("count", "--help").out.endswith("\nexample:\n  rig count attic\n")


def test_a_shipped_command_keeps_its_name(rig: Rig, package: Path) -> None:
    assert "--subject" in rig("run", "--help").out
    assert not (package / "imported").exists()


def test_a_contributed_command_that_cannot_be_imported_says_where_it_fails(rig: Rig, package: Path) -> None:
    (package / "house_1.py").write_text("animals = 1\nanimals.count()\n")
    answer = rig("count", "attic")
    assert (answer.status, answer.out) == (2, "")
    assert "command 'count' cannot be loaded: " in answer.err
    assert "house_1.py:2: AttributeError: 'int' object has no attribute 'count'" in answer.err


def test_a_contributed_command_without_a_docstring_is_listed_by_its_module(rig: Rig, package: Path) -> None:
    (package / "house-1.0.dist-info" / "entry_points.txt").write_text("[rig.commands]\ncount = not_there\n")
    assert "from not_there\n" in rig("--help").out


def test_no_command_is_shipped_and_contributed() -> None:
    assert not COMMANDS.keys() & contributed_commands().keys()
