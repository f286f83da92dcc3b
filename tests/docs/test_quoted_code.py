"""Code that a page shows as a part of a file is in that file, and what it shows of the program works."""

import re
import runpy
from pathlib import Path
from textwrap import dedent

import pytest

from rig.core.model.actions import Pulse
from tests.docs.pages import PAGES, ROOT, Block, blocks_of, page_named

QUOTES = re.compile(r"\bheart of \[`([^`]+)`\]")


def quotes() -> list[tuple[str, Block]]:
    """The files of which a page shows a part, and the first block after the line that says so."""
    found = []
    for page in PAGES:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
            if match := QUOTES.search(line):
                found.append((match.group(1), next(block for block in blocks_of(page) if block.line > number)))
    return found


def test_the_readme_shows_a_protocol() -> None:
    assert [file for file, _ in quotes()] == ["protocols/two_armed_bandit/task.py"]


@pytest.mark.parametrize(("file", "block"), quotes(), ids=lambda each: str(getattr(each, "where", each)))
def test_a_quoted_part_is_in_its_file(file: str, block: Block) -> None:
    code = (ROOT / file).read_text(encoding="utf-8")
    source = "\n".join(line.removeprefix("    ") for line in code.splitlines())
    parts = [part.strip("\n") for part in re.split(r"^ *\.\.\.$", block.text, flags=re.MULTILINE)]
    at = 0
    for part in filter(None, parts):
        found = source.find(part, at)
        assert found >= 0, f"{block.where}: not in {file}, or not in this order:\n{dedent(part)}"
        at = found + len(part)


def test_the_device_of_the_page_makes_its_action(tmp_path: Path) -> None:
    (block,) = (block for block in blocks_of(page_named("new-device.md")) if "class Puffer(" in block.text)
    file = tmp_path / "puffer.py"
    file.write_text(block.text, encoding="utf-8")
    made = runpy.run_path(str(file))
    puffer = made["Puffer"]("puff", made["PufferConfig"](kind="puffer", pin=5))
    (channel,) = puffer.channels
    assert (channel.name, channel.pin, channel.max_on_us) == ("puff", 5, 50_000)
    assert puffer.puff() == Pulse("puff", 50_000)
