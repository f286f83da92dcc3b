"""What cannot be printed never ends a session, is never a traceback, and is said where it can be."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.cli.main import COMMANDS, main
from rig.terminal.output import SafeOutput, SafeStreams
from tests.cli.conftest import BANDIT

full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
PACED = ("sim", *BANDIT, "--set", "stop.session_s=600", "--subject", "M1", "--speed", "100000")


class Broken:
    """A stream on a terminal that is gone."""

    encoding = "ascii"
    errors = "strict"

    def __init__(self, error: OSError) -> None:
        self.error = error
        self.tries = 0

    def write(self, text: str) -> int:
        self.tries += 1
        raise self.error

    def flush(self) -> None:
        self.write("")

    def fileno(self) -> int:
        raise OSError("no descriptor")

    def isatty(self) -> bool:
        return True


@full_device
@pytest.mark.parametrize("words", [("show", "graph", "free_water"), ("sim", *BANDIT, "--subject", "M1")])
def test_a_full_output_is_said_and_is_status_1(data: Path, child: Callable[..., Any], words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full, child(*words, stdout=full) as it:
        _, err = it.communicate(timeout=30)
    assert (it.returncode, err) == (1, "rig: the output could not be printed: No space left on device\n")
    if words[0] == "sim":
        assert (
            json.loads((data / "sim" / "M1" / "2026-11-21" / "001" / "summary.json").read_text())["reason"]
            == "time_limit"
        )


@full_device
def test_a_display_that_cannot_be_shown_does_not_end_the_session(data: Path, child: Callable[..., Any]) -> None:
    with open("/dev/full", "w") as full, child(*PACED, "--json", stderr=full) as it:
        out, _ = it.communicate(timeout=30)
    assert it.returncode == 0
    assert json.loads(out)["sessions"][0]["reason"] == "time_limit"


@pytest.mark.skipif(os.name == "nt", reason="closes descriptors with a shell of POSIX")
def test_a_closed_error_stream_does_not_mix_the_display_with_the_result(data: Path, child: Callable[..., Any]) -> None:
    with child("sim", *PACED[1:], "--json", preexec_fn=lambda: os.close(2), stderr=None) as it:
        out, _ = it.communicate(timeout=30)
    assert it.returncode == 0
    assert json.loads(out)["sessions"][0]["reason"] == "time_limit"


def test_a_failure_of_the_command_is_not_hidden_by_one_of_its_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(OSError(28, "No space left on device")))
    assert main(["replay", "nowhere"]) == 2


def test_after_its_first_failure_a_stream_is_left_alone() -> None:
    stream: Any = Broken(OSError(5, "Input/output error"))
    output = SafeOutput(stream)
    for _ in range(3):
        assert output.write("text") == 4
        output.flush()
    assert stream.tries == 1
    assert output.failure is stream.error
    assert not output.isatty()


def test_a_stream_that_was_never_there_takes_everything() -> None:
    output = SafeOutput(None)
    print("text", file=output, flush=True)
    assert (output.failure, output.isatty(), output.encoding, output.errors) == (None, False, "utf-8", None)
    with pytest.raises(OSError, match="closed before"):
        output.fileno()


def test_the_streams_are_given_back() -> None:
    before = sys.stdout, sys.stderr
    with SafeStreams():
        assert sys.stdout is not before[0]
    assert (sys.stdout, sys.stderr) == before


def test_a_terminal_of_few_characters_shows_the_numbers_of_the_others(
    child: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    with child("replay", "/nowhere/é") as it:
        _, err = it.communicate(timeout=30)
    assert it.returncode == 2
    assert err.startswith("/nowhere/\\xe9: is no session")


@pytest.mark.parametrize("encoding", ["cp437", "cp1252"])
def test_a_console_or_a_file_of_an_old_code_page_shows_what_it_can(
    encoding: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    output = io.TextIOWrapper(written, encoding, write_through=True)  # strict, as Windows opens it
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, output)
    strange = tmp_path / "µ → 鼠.yaml"
    assert main(["check", str(strange)]) == 2
    assert main(["sim", *BANDIT, "--subject", "M1"]) == 0
    assert main(["show", "params", "two_armed_bandit"]) == 0
    for name in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main([name, "--help"])
        assert end.value.code == 0
    text = written.getvalue().decode(encoding)
    assert "µ \\u2192 \\u9f20.yaml: no such file" in text
