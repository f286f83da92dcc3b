"""A transcript: a console session as a text file, with a head that says where it takes place."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

LINKS = "rig-transcripts"
"""What the name of a folder begins with in which a link leads to the repository."""
VARYING = {
    "repository": re.escape(str(Path(__file__).parents[3])),
    "folder": r"\S*",
    "number": r"-?\d+(?:\.\d+)?",
}
"""What ``{name}`` stands for in an expected text; ``...`` and ``…`` stand for anything."""
NORMALIZERS = (
    (re.compile(rf"(?:/[^\s/]+)*/{LINKS}\w+/repository"), "{repository}"),
    (re.compile(VARYING["repository"]), "{repository}"),
    (re.compile(r"(?<=behavior-rig )\d+\.\d+\.\d+"), "{number}"),
)
"""What the recorder writes for a text that varies, in this order."""
SIMILAR = 0.7
"""From this ratio of equal characters a printed line replaces an expected one when it is recorded."""
_STATUS = re.compile(r"\s+\(exit status (\d+)\)$")
_WILD = re.compile(r"\.\.\.|…|\{(" + "|".join(VARYING) + r")\}")


@dataclass
class Step:
    """A command with the lines above it, its expected output and its expected exit status."""

    case: str
    command: str
    expected: list[str] = field(default_factory=list)
    status: int = 0

    def text(self) -> str:
        ending = f"  (exit status {self.status})" if self.status else ""
        first, *more = self.command.split("\n")
        return "\n".join([f"$ {first}{ending}", *more, *self.expected])


@dataclass(frozen=True)
class Transcript:
    head: dict[str, Any]
    head_text: str
    steps: list[Step]

    @classmethod
    def read(cls, path: Path) -> "Transcript":
        head, mark, body = path.read_text(encoding="utf-8").partition("\n---\n")
        if not mark:
            head, body = "", head
        return cls(yaml.safe_load(head) or {}, head + mark, list(_steps(body.splitlines())))

    def text(self) -> str:
        blocks, case = [self.head_text.strip("\n")], ""
        for step in self.steps:
            if step.case != case:
                case = step.case
                blocks.append("\n" + "\n".join(f"# {line}" for line in case.splitlines()))
            blocks.append(step.text())
        return "\n".join(blocks).strip("\n") + "\n"


def _steps(lines: list[str]) -> Iterator[Step]:
    case, step, number = "", None, 0
    while number < len(lines):
        line = lines[number]
        number += 1
        heading = _heading(lines, number - 1)
        if heading:
            case = "\n".join(heading)
            number += len(heading) - 1
        elif line.startswith("$ "):
            if step:
                yield step
            end = _STATUS.search(line)
            command, status = (line[2 : end.start()], end[1]) if end else (line[2:], "0")
            if inline := re.search(r"<<(\w+)", command):
                closing = lines.index(inline[1], number)
                command = "\n".join([command, *lines[number : closing + 1]])
                number = closing + 1
            step = Step(case, command, [], int(status))
        elif step:
            step.expected.append(line.rstrip())
    if step:
        yield step


def _heading(lines: list[str], first: int) -> list[str]:
    """Return the sentence of a case that begins here: lines with ``#`` directly above a command."""
    sentence: list[str] = []
    for line in lines[first:]:
        if not line.startswith("# "):
            return sentence if line.startswith("$ ") else []
        sentence.append(line[2:])
    return []


def matches(expected: str, printed: str) -> bool:
    """Whether an expected text stands for what was printed."""
    pattern, end = "", 0
    for wild in _WILD.finditer(expected):
        name = wild[1]
        meaning = rf"(?:\{{{name}\}}|{VARYING[name]})" if name else ".*?"
        pattern += re.escape(expected[end : wild.start()]) + meaning
        end = wild.end()
    return re.fullmatch(pattern + re.escape(expected[end:]), printed, re.DOTALL) is not None


def normalized(text: str, folder: Path) -> list[str]:
    """Return the lines of an output as the recorder writes them; ``folder`` is where the command ran."""
    for path in (folder, folder.parent):
        text = text.replace(str(path), "{folder}")
    for pattern, name in NORMALIZERS:
        text = pattern.sub(name, text)
    return [line.rstrip() for line in text.strip("\n").split("\n")] if text.strip() else []


def recorded(expected: list[str], printed: list[str]) -> list[str]:
    """Return the printed lines, with the expected ones that still stand for them and their ``...``."""
    kept, done = list[str](), 0
    gap = False
    for line in expected:
        if line.strip() in ("...", "…"):
            gap = True
            continue
        match = next((n for n in range(done, len(printed)) if matches(line, printed[n])), None)
        if match is None:  # a line that reads otherwise now stays, also between two gaps
            similar = difflib.get_close_matches(line, printed[done:], 1, SIMILAR)
            if not similar:
                continue
            line = similar[0]
            match = printed.index(line, done)
        kept += ["..."] if gap and match > done else printed[done:match]
        kept.append(line)
        done, gap = match + 1, False
    return kept + (["..."] if gap and done < len(printed) else printed[done:])
