"""A page that follows something through the code: its steps, and the calls that a session makes of them."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from tests.docs.pages import ROOT, page_named

Call = tuple[str, str]
"""The file, from the root of the repository, and the last parts of the function's name."""

STEP = re.compile(r"^\| (?:the board \()?`([\w/]+\.py)`, `([\w.]+)`")


class Way:
    """The steps of one page of ``docs/``."""

    def __init__(self, page: str) -> None:
        self._text = page_named(page).read_text("utf-8")

    @property
    def steps(self) -> list[Call]:
        found = [match.groups() for line in self._text.splitlines() if (match := STEP.match(line))]
        return [(file, name) for file, name in found]

    @property
    def missing_files(self) -> list[str]:
        """The files that the page names and that are not there."""
        named = sorted(set(re.findall(r"`([\w/]+\.py)`", self._text)))
        return [path for path in named if not (ROOT / path).is_file()]

    def calls(self, run: Callable[[], object]) -> list[Call]:
        """Every call of a step that is made while something runs, in order."""
        wanted = {(str(ROOT / file), name.rpartition(".")[2]): (file, name) for file, name in self.steps}
        made: list[Call] = []

        def note(frame: FrameType, event: str, arg: Any) -> None:
            code = frame.f_code
            call = wanted.get((code.co_filename, code.co_name)) if event == "call" else None
            if call is not None and code.co_qualname.endswith(call[1]):
                made.append(call)

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            run()
        finally:
            sys.setprofile(before)
        return made

    def not_in_order(self, made: Iterable[Call]) -> list[Call]:
        """The steps that are not among the calls, each looked for after the one before."""
        calls: Iterator[Call] = iter(made)
        return [step for step in self.steps if not any(call == step for call in calls)]
