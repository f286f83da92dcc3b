"""Code that a page shows as a part of a file is in that file, and what it shows of the program works."""

import re
from textwrap import dedent

import pytest

from tests.docs.pages import PAGES, ROOT, Block, blocks_of

QUOTES = re.compile(r"\bheart of \[`([^`]+)`\]")


def quotes() -> list[tuple[str, Block]]:
    """The files of which a page shows a part, and the first block after the line that says so."""
    found = []
    for page in PAGES:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
            if match := QUOTES.search(line):
                found.append((match.group(1), next(block for block in blocks_of(page) if block.line > number)))
    return found


def test_pages_show_a_protocol_and_a_device() -> None:
    assert [file for file, _ in quotes()] == ["protocols/free_water/task.py", "docs/recipes/devices/puffer.py"]


@pytest.mark.parametrize(("file", "block"), quotes(), ids=lambda each: str(getattr(each, "where", each)))
def test_a_quoted_part_is_in_its_file(file: str, block: Block) -> None:
    code = (ROOT / file).read_text(encoding="utf-8")
    # A part of a class may be quoted without its indentation.
    sources = (code, "\n".join(line.removeprefix("    ") for line in code.splitlines()))
    parts = [part.strip("\n") for part in re.split(r"^ *\.\.\.$", block.text, flags=re.MULTILINE)]
    missing = [first_missing(parts, source) for source in sources]
    assert not all(missing), f"{block.where}: not in {file}, or not in this order:\n{dedent(missing[0])}"


def first_missing(parts: list[str], source: str) -> str:
    """Return the first part that is not in the source behind the parts before it, or an empty text."""
    end = 0
    for part in filter(None, parts):
        begin = source.find(part, end)
        if begin < 0:
            return part
        end = begin + len(part)
    return ""
