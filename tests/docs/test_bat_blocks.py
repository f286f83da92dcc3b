"""Lines for Windows, typed as they stand: in the world of its stand-ins, as near as another system can go."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, Block, blocks_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="takes away what Linux has")

BLOCKS = [block for page in PAGES for block in blocks_of(page) if block.language == "bat"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSTALLED = re.compile(r"\.(?:\[([\w,]+)\])?")
_WORD = re.compile(r'"[^"]*"|[^\s"]+')
RUN = """
import os
from rig.cli.main import main
os.chdir({folder!r})
print("status", [main(words) for words in {commands!r}])
"""


def words_of(line: str) -> list[str]:
    """Return the words of a line as cmd.exe hands them over; a path is read as this system writes it."""
    return [word.strip('"').replace("\\", "/") for word in _WORD.findall(line)]


def lines_of(block: Block) -> Iterator[list[str]]:
    for line in block.text.replace("^\n", " ").splitlines():
        if line.strip() and not line.lower().startswith("rem ") and block.is_run(line):
            yield words_of(line)


def is_setup(words: list[str], folder: Path) -> bool:
    """Whether a line prepares the computer, as the pages want it; what it makes must be there for those after it."""
    program, *rest = words
    if program == "py":
        assert rest[:2] == ["-m", "venv"]
        subprocess.run([sys.executable, *rest, "--without-pip"], cwd=folder, check=True, timeout=120)
        return True
    if program.endswith(("/python", "/python.exe")):
        assert rest[:4] == ["-m", "pip", "install", "-e"]
        extras = INSTALLED.fullmatch(rest[4])
        assert extras is not None
        assert set((extras[1] or "").split(",")) <= {"", *PROJECT["optional-dependencies"]}
        return True
    return program.endswith("/activate")


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.where)
def test_the_lines_of_a_page_for_windows_do_what_they_say(block: Block, tmp_path: Path) -> None:
    commands = []
    for words in lines_of(block):
        if not is_setup(words, tmp_path):
            name = Path(words[0]).stem
            assert name in PROJECT["scripts"], f"{block.where}: no test knows what {words[0]} is"
            commands.append(words[1:])
        if words[0].startswith(".venv"):
            assert (tmp_path / ".venv").is_dir()
    if not commands:
        return
    code = RUN.format(folder=str(tmp_path), commands=commands)
    command = [sys.executable, "-m", "tests.platform.on_windows", "every module", code]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert f"status {[block.status] * len(commands)}" in ended.stdout, ended.stdout + ended.stderr


def test_words_are_those_that_the_shell_of_windows_hands_over() -> None:
    assert words_of(r'rig analyze "my data\sim" data\sim\s*') == ["rig", "analyze", "my data/sim", "data/sim/s*"]


def test_pages_have_lines_for_windows() -> None:
    assert {block.page for block in BLOCKS} >= {"README.md", "docs/tutorials/install.md"}
