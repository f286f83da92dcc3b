"""Questions at the terminal."""

from __future__ import annotations

import io
import sys

import pytest

from rig.cli.terminal.prompt import ask
from rig.terminal.output import SafeOutput


def test_a_question_of_two_lines_is_printed_on_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = io.StringIO()
    monkeypatch.setattr(sys, "stderr", SafeOutput(printed))
    monkeypatch.setattr(sys, "stdin", io.StringIO("166 mg\n"))

    assert ask("'160mg' is 47 % less: type it again\nweight of the drops: ") == "166 mg"
    assert printed.getvalue() == "'160mg' is 47 % less: type it again\nweight of the drops: "
