"""Questions at the terminal."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from rig.cli.terminal.prompt import ask
from rig.terminal.output import SafeOutput
from rig.terminal.questions import parse_question


def test_a_question_of_two_lines_is_printed_on_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = io.StringIO()
    monkeypatch.setattr(sys, "stderr", SafeOutput(printed))
    monkeypatch.setattr(sys, "stdin", io.StringIO("166 mg\n"))

    assert ask("'160mg' is 47 % less: type it again\nweight of the drops: ") == "166 mg"
    assert printed.getvalue() == "'160mg' is 47 % less: type it again\nweight of the drops: "


def test_a_program_that_asks_reads_records_and_its_answers_are_lines(
    tmp_path: Path,
) -> None:
    """A weight that does not suit the animal is asked about, as at a terminal; no name makes a record."""
    words = ["subject", "weigh", "M1", "5", "--by", "anna\x1e"]
    (tmp_path / "M1").mkdir()
    (tmp_path / "M1" / "subject.yaml").write_text("baseline_g: 25\n")
    command = [sys.executable, "-m", "rig.cli.asked", *words, "--data", str(tmp_path)]
    done = subprocess.run(command, input="5\n", capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "M1"), done.stderr
    (question,) = filter(None, map(parse_question, done.stderr.split("\n")))
    assert question.startswith("Is 5 g right for M1 (its baseline is 25 g)?")
    assert (question.answers, question.is_number) == ((("", "leave it"),), True)


def test_a_program_that_asks_and_goes_leaves_the_question_unanswered(tmp_path: Path) -> None:
    (tmp_path / "M1").mkdir()
    (tmp_path / "M1" / "subject.yaml").write_text("baseline_g: 25\n")
    command = [
        sys.executable,
        "-m",
        "rig.cli.asked",
        "subject",
        "weigh",
        "M1",
        "5",
        "--by",
        "a",
        "--data",
        str(tmp_path),
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "Left: nothing was recorded." in done.stderr
