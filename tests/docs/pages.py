"""The pages of the documentation, and their fenced blocks.

What a block is expected to do is said in comments on the lines before its fence:

    <!-- status 3: no board is plugged in here -->     every command of it ends with this exit status
    <!-- not run: it installs from the network -->     nothing of it is run
    <!-- not run (rig run): it needs a person -->      the commands that begin so are not run
    <!-- pending -->                                   it is not looked at yet
    <!-- terminal 1: ... -->                           it is part of a day that scripts/a_day.py runs as a whole
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.docs import consoles

ROOT = Path(__file__).parents[2]
ROOMS = sorted((ROOT / "protocols").glob("*/README.md"))
"""The pages of the experiments; that of its analysis stands in the room's folder `analysis`."""
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs" / "README.md",
    *sorted((ROOT / "docs").glob("*/*.md")),
    *ROOMS,
    *sorted((ROOT / "protocols").glob("*/analysis/README.md")),
]

_FENCE = re.compile(r" *(```+)([\w-]*)\s*")
_COMMENT = re.compile(r"\s*<!--\s*(.*?)\s*-->\s*")
_NOT_RUN = re.compile(r"not run(?: \((.+?)\))?: (.+)")
_STATUS = re.compile(r"status (\d+): (.+)")
_FILE = re.compile(r"# ([\w./-]+\.(?:yaml|py))(?: .*)?")


@dataclass(frozen=True)
class Block:
    """A fenced block; ``line`` is that of its fence."""

    page: str
    line: int
    language: str
    text: str
    status: int = 0
    pending: bool = False
    not_run: dict[str, str] = field(default_factory=dict)
    """The commands that are not run, by how they begin (``""``: all of them), and why."""

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str | None:
        """The name of the file that it shows, when its first line is a comment that is one."""
        match = _FILE.fullmatch(self.text.partition("\n")[0])
        return match.group(1) if match else None

    def is_run(self, command: str) -> bool:
        return not any(command.startswith(begin) for begin in self.not_run)

    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield each command that is run, and what is shown below it."""
        for command, shown in consoles.commands(self.text, "$ " if self.language == "console" else ""):
            if self.is_run(command):
                yield command, shown


def page_named(name: str) -> Path:
    """Return the path of a page in one of the folders of ``docs/``."""
    (page,) = (ROOT / "docs").glob(f"*/{name}")
    return page


def path_of(page: Path) -> str:
    """Return the path from the root of the repository: many pages are called README."""
    return page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else page.name


def blocks_of(page: Path) -> list[Block]:
    return list(_blocks(path_of(page), page.read_text(encoding="utf-8").splitlines()))


def _blocks(page: str, lines: list[str]) -> Iterator[Block]:
    number = 0
    while number < len(lines):
        opened = _FENCE.fullmatch(lines[number])
        number += 1
        if opened is None:
            continue
        first = number
        while lines[number].strip() != opened.group(1):  # a fence that is never closed is an IndexError here
            number += 1
        text = "\n".join(lines[first:number]) + "\n"
        yield _expecting(Block(page, first, opened.group(2), text), _comments_before(lines, first - 1))
        number += 1


def _comments_before(lines: list[str], fence: int) -> Iterator[str]:
    for line in reversed(lines[:fence]):
        comment = _COMMENT.fullmatch(line)
        if comment is not None:
            yield comment.group(1)
        elif line.strip():
            return


def _expecting(block: Block, comments: Iterator[str]) -> Block:
    """Return a block with what the comments before it say."""
    status, pending, not_run = 0, False, dict[str, str]()
    for comment in comments:
        if comment.startswith("terminal "):
            continue
        if comment == "pending":
            pending = True
        elif match := _STATUS.fullmatch(comment):
            status = int(match.group(1))
        elif match := _NOT_RUN.fullmatch(comment):
            not_run[match.group(1) or ""] = match.group(2)
        else:
            raise ValueError(f"{block.where}: the comment before the fence is not understood: {comment}")
    return replace(block, status=status, pending=pending, not_run=not_run)
