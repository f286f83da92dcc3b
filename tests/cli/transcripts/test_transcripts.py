"""The transcripts beside this file: each runs in a folder of its own, and prints what it says.

``pytest tests/cli/transcripts --record`` writes them again and prints what changed.
"""

import difflib
import sys
from pathlib import Path

import pytest

from tests.cli.transcripts.console import Console
from tests.cli.transcripts.transcript import Step, Transcript, matches, normalized, recorded

FOLDER = Path(__file__).parent
FILES = sorted(path.relative_to(FOLDER) for path in FOLDER.rglob("*.txt"))


def play(transcript: Transcript, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """Run the commands; return the steps as they would be recorded."""
    console, case, steps = None, None, []
    for number, step in enumerate(transcript.steps):
        if console is None:
            console = Console(folder / "0", transcript.head, monkeypatch)
        elif step.case != case and transcript.head.get("folder") == "each case":
            console.enter(folder / str(number))
        case = step.case
        status, printed = console.run(step.command)
        lines = normalized(printed, Path.cwd())
        while step.expected and not step.expected[-1]:
            step.expected.pop()
        same = matches("\n".join(step.expected), "\n".join(lines))
        steps.append(Step(step.case, step.command, step.expected if same else recorded(step.expected, lines), status))
    return steps


@pytest.mark.parametrize("name", FILES, ids=lambda name: name.with_suffix("").as_posix())
def test_a_transcript_is_what_its_commands_print(
    name: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    transcript = Transcript.read(FOLDER / name)
    now = Transcript(transcript.head, transcript.head_text, play(transcript, tmp_path, monkeypatch)).text()
    before = transcript.text()
    changes = "\n".join(
        difflib.unified_diff(before.splitlines(), now.splitlines(), name.as_posix(), "now", lineterm="")
    )
    assert "Traceback" not in now
    if request.config.getoption("--record"):
        (FOLDER / name).write_text(now, encoding="utf-8")
        with request.getfixturevalue("capsys").disabled():
            sys.stdout.write(f"{changes}\n" if changes else "")
    elif changes:
        pytest.fail(f"{changes}\nif this is right: pytest {FOLDER.name} --record", pytrace=False)
