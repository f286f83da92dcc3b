"""Run the commands of docs/tutorials/a-day.md, and write the page again with what they print.

python -m scripts.a_day                    run the day, which takes six minutes, and write the page
python -m scripts.a_day --files FOLDER     only write the files of the page into a new folder, to type the day there

The page is the script. A comment above a block says at which terminal it is typed, and what is waited for:

    <!-- terminal 1 -->                            each command is run to its end
    <!-- terminal 1: shown until "Ctrl-C" -->      the last command goes on after it has printed this
    <!-- terminal 1: goes on to its end -->        the rest of what that command prints; the block has no command
    <!-- terminal 3: typed until "2 trials" -->    the command is typed again until it prints this
    <!-- status 2: the valve is too old -->        the exit status of the last command, if it is not 0

A block of YAML or TOML that begins with the name of a file becomes that file.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import select
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tutorials" / "a-day.md"
SHOWN_FOLDER = "/srv/lab"
"""What the page shows in place of the folder in which it was run."""
SHOWN_PROGRAM = "/opt/rig"
DEADLINE_S = 900.0
"""A calibration of two valves takes four minutes; on a busy computer everything takes longer."""
ENDS_WITHIN_S = 60.0
MEASURED_DAYS_AGO = 8
"""A calibration is refused after 7 days."""
VALVES = {"a_left": "sim_left", "a_right": "sim_right", "b_left": "sim_left", "b_right": "sim_right"}
"""The valves of the boxes, and the shipped calibrations that say what they give."""

_BLOCK = re.compile(
    r"(?P<comments>(?:<!-- [^\n]* -->\n)*)```(?P<language>console|yaml|toml)\n(?P<text>.*?)```\n", re.DOTALL
)
_TERMINAL = re.compile(
    r'terminal (?P<number>\d+)(?:: (?P<what>shown until|typed until|goes on to its end)(?: "(?P<text>.+)")?)?'
)
_COMMENT = re.compile(r"<!-- (.*?) -->")
_STATUS = re.compile(r"status (\d+): .+")
_FILE = re.compile(r"# ([\w./-]+\.(?:yaml|toml))")


class DayError(RuntimeError):
    """A command that did not do what the page says."""


class Program(NamedTuple):
    """The program that is typed as ``rig``, the folder of its packages, and that of its YAML files."""

    words: tuple[str, ...]
    packages: Path
    configs: Path
    columns: int = 100
    """The width of its terminals: the paths of its files must fit into a line, to be shown shorter."""


CHECKOUT = Program((sys.executable, "-m", "rig.cli.main"), ROOT, ROOT / "configs")


class Running:
    """A command that runs at a terminal; ``text`` is all that it has printed and that was not shown yet."""

    def __init__(self, program: Program, command: str, folder: Path, environment: dict[str, str]) -> None:
        self.command = command
        self.text = ""
        words = [
            match for word in shlex.split(command)[1:] for match in (sorted(map(str, _found(folder, word))) or [word])
        ]
        self.process = subprocess.Popen(
            [*program.words, *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def shown_until(self, wanted: str) -> str:
        """Return what is printed up to the end of the line with a text."""
        deadline = time.monotonic() + DEADLINE_S
        while not (match := re.search(re.escape(wanted) + r"[^\n]*\n", self.text)):
            if not self._read(deadline):
                raise DayError(f"{self.command}: never printed {wanted!r}:\n{self.text}")
        shown, self.text = self.text[: match.end()], self.text[match.end() :]
        return shown

    def to_its_end(self, status: int) -> str:
        """Return the rest of what is printed. Raises ``DayError`` for another exit status."""
        deadline = time.monotonic() + DEADLINE_S
        while self._read(deadline):
            pass
        ended = self.process.wait(ENDS_WITHIN_S)
        self._close()
        if ended != status:
            raise DayError(f"{self.command}: exit status {ended}, not {status}:\n{self.text}")
        shown, self.text = self.text, ""
        return shown

    def stop(self) -> None:
        """Stop it, if it still runs."""
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDS_WITHIN_S)
        self.process.kill()
        self.process.wait()
        self._close()

    def _close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _read(self, deadline: float) -> bool:
        """Wait for more; return False at the end of the output. Raises ``DayError`` after the deadline."""
        pipe = self.process.stdout
        if pipe is None:
            return False
        if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise DayError(f"{self.command}: still runs after {DEADLINE_S:g} s:\n{self.text}")
        more = os.read(pipe.fileno(), 1 << 16)
        self.text += more.decode("utf-8", "replace")
        return bool(more)


@dataclass
class Day:
    """The folder of a laboratory, and its terminals."""

    folder: Path
    program: Program = CHECKOUT
    _environment: dict[str, str] = field(default_factory=dict)
    _terminals: dict[str, Running] = field(default_factory=dict)
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Day:
        runtime = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="rig"))  # a socket needs a short path
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("RIG_", "COVERAGE"))}
        self._environment = {
            **kept,
            "PYTHONPATH": str(self.program.packages),
            # In the order in which it is printed, whether to standard output or to standard error.
            "PYTHONUNBUFFERED": "1",
            "COLUMNS": str(self.program.columns),
            "NO_COLOR": "1",
            "RIG_RUNTIME_DIR": runtime,
            "XDG_CONFIG_HOME": str(self.folder / ".config"),
        }
        write_files(self.folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for running in self._terminals.values():
            running.stop()
        self._stack.close()

    def block(self, match: re.Match[str]) -> str:
        """Run a block; return it with what was printed."""
        comments, language, text = match["comments"], match["language"], match["text"]
        if language != "console":
            return match[0]
        notes = _COMMENT.findall(comments)
        terminal = next((found for note in notes if (found := _TERMINAL.fullmatch(note))), None)
        if terminal is None:
            raise DayError(f"a block without a terminal:\n{match[0]}")
        status = next((int(found[1]) for note in notes if (found := _STATUS.fullmatch(note))), 0)
        commands = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
        shown = "".join(self._run(terminal, commands, status))
        return f"{comments}```console\n{self._plain(shown)}```\n"

    def _run(self, terminal: re.Match[str], commands: list[str], status: int) -> list[str]:
        number, what, wanted = terminal["number"], terminal["what"], terminal["text"]
        if what == "goes on to its end":
            return [self._terminals.pop(number).to_its_end(status)]
        shown = []
        for command in commands:
            last = command is commands[-1]
            shown.append(f"$ {command}\n")
            if command.startswith("export "):
                name, _, value = command.removeprefix("export ").partition("=")
                self._environment[name] = value
            elif last and what == "shown until":
                self._terminals[number] = Running(self.program, command, self.folder, self._environment)
                shown.append(self._terminals[number].shown_until(wanted))
            else:
                shown.append(self._printed(command, status if last else 0, wanted if last else None))
        return shown

    def _printed(self, command: str, status: int, wanted: str | None) -> str:
        deadline = time.monotonic() + DEADLINE_S
        while True:
            running = Running(self.program, command, self.folder, self._environment)
            try:
                shown = running.to_its_end(status)
            except DayError:
                if wanted is None or time.monotonic() > deadline:
                    raise
                continue
            finally:
                running.stop()
            if wanted is None or re.search(wanted, shown):
                return shown
            if time.monotonic() > deadline:
                raise DayError(f"{command}: never printed {wanted!r}:\n{shown}")

    def _plain(self, text: str) -> str:
        shown = text
        program = self.program
        for here, there in (
            (self.folder, SHOWN_FOLDER),
            (program.configs, "configs"),
            (program.packages, SHOWN_PROGRAM),
        ):
            shown = shown.replace(str(here), there)
        return "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


def page(folder: Path, program: Program = CHECKOUT) -> str:
    """Run the day in an empty folder, and return the page. Raises ``DayError``."""
    with Day(folder, program) as day:
        return _BLOCK.sub(day.block, PAGE.read_text("utf-8"))


def difference(printed: str, shown: str) -> str:
    """Return where two pages differ, but for what varies; an empty text if they are alike."""
    plain, expected = comparable(printed), comparable(shown)
    if plain == expected:
        return ""
    pairs = enumerate(zip(plain, expected, strict=False))
    where = next((index for index, (left, right) in pairs if left != right), min(len(plain), len(expected)))
    near = slice(max(0, where - 200), where + 100)
    return f"printed: {plain[near]}\n\nshown: {expected[near]}"


def comparable(text: str) -> str:
    """Return a page without what varies.

    This is numbers, ids of boards, line breaks, curves, how far a session happens to be, and what is said about the
    computer and its load.
    """
    lines = [line for line in text.splitlines() if not re.match(_CURVE + "|" + _COMPUTER, line)]
    plain = " ".join(" ".join(lines).split())
    for pattern, common in _VARYING:
        plain = re.sub(pattern, common, plain)
    return plain


_CURVE = r" +[\d.]* \|| +ul \+-+"
_COMPUTER = r"(?:ok|warning|error) +(?:udev rule|ModemManager)| +sudo "
_VARYING = (
    (r"\bsetting .*? (?=(?:ok|warning|error) )", ""),
    (r"the pause begins between two trials;", "paused;"),
    (r"(?<= on box_[ab], )[^,;]+,", "STATE,"),
    (r"(?<=trials )\d+: [^.]*? given ", "OUTCOMES given "),
    (r"board [0-9A-F]{4,8} ", "board ID "),  # it follows from the firmware
    (r"board (?:\w+\.beam never changed) ", "board OK "),
    # A busy computer is late.
    (r"(?:[\d:.]+ )?warning:? (?:(?!warning).){0,200}load of the computer(?: and the (?:serial cable|monitor))? ?", ""),
    (r"[+-]?\d[\d.,:]*", "#"),
    (r"\b(trial|reward|time|minute|second)s\b", r"\1"),
)


def _found(folder: Path, word: str) -> list[Path]:
    """Return the files that a word with a star means, relative to the folder."""
    return [path.relative_to(folder) for path in folder.glob(word)] if "*" in word else []


def write_files(folder: Path) -> None:
    """Write the files of the page into a folder, and the calibrations of the valves."""
    for match in _BLOCK.finditer(PAGE.read_text("utf-8")):
        if match["language"] != "console" and (file := _FILE.match(match["text"])):
            path = folder / file[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match["text"], encoding="utf-8")
    _write_calibrations(folder / "calibrations")


def _write_calibrations(folder: Path) -> None:
    """Write the calibrations of the valves, measured before the day."""
    folder.mkdir(parents=True)
    date = (datetime.date.today() - datetime.timedelta(days=MEASURED_DAYS_AGO)).isoformat()
    for valve, shipped in VALVES.items():
        text = (ROOT / "configs" / "calibrations" / f"{shipped}.yaml").read_text("utf-8")
        text = re.sub(r"^date: .*", f"date: {date}", text, flags=re.MULTILINE)
        text = re.sub(r"^valve: .*", f"valve: {valve}", text, flags=re.MULTILINE)
        (folder / f"{valve}_{date}.yaml").write_text(text, encoding="utf-8")


def main() -> None:
    """Write the page, or its files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="only write the files of the page into a new folder"
    )
    new: Path | None = parser.parse_args().files
    if new is not None:
        if new.exists():
            parser.error(f"{new}: is there already: name a new folder")
        write_files(new)
        return
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(page(Path(folder).resolve()), encoding="utf-8")


if __name__ == "__main__":
    main()
