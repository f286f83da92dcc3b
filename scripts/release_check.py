"""Check the wheel as a laboratory gets it: on every Python, without a checkout, a compiler or a node of the system.

    make release-check                              every Python in PYTHONS that this computer has
    .venv/bin/python -m scripts.release_check 3.13  these only; with --day also the day of a-day.md, seven minutes

It builds the wheel, installs it with the extra `chip` in an empty environment, and runs the demonstration, the
self-test, and a session on a board that the wheel serves. Then it installs the wheel with the extras that the README
and the tutorials name, and runs every command of these pages. No board may be plugged in.
Exit status: 0 if all did what they should within their longest times.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts import a_day
from scripts.determinism import find_python, say
from scripts.installed_wheel import SESSION_S, FailedError, InstalledWheel
from scripts.wheel_pages import run_pages
from tests.docs.installs import extras_of
from tests.docs.pages import path_of

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LIMIT_S = 60.0
"""The longest time of the demonstration, and of the self-test."""
PAGES_LIMIT_S = 300.0
"""The longest time of the pages with their installations."""
DAY_LIMIT_S = 900.0
COLUMNS = 250
"""The paths of an environment in a temporary folder are long."""


Step = tuple[str, float, float]
"""Its name, its seconds, and the longest time that is right."""


def steps(folder: Path, base: Path, wheel: Path) -> Iterator[Step]:
    """Run the steps of one Python, without a figure or a window. Raises ``FailedError``."""
    installed = InstalledWheel(folder, base, wheel)
    installed.install(frozenset({"chip"}))
    data = installed.folder / "data"
    yield "demo", installed.run(installed.rig, "demo", "--data", data), LIMIT_S
    yield "self-test", installed.run(installed.rig, "self-test", "--data", data), LIMIT_S
    yield f"served session of {SESSION_S} s", installed.served_session(), LIMIT_S + SESSION_S


def page_steps(folder: Path, base: Path, wheel: Path) -> Iterator[Step]:
    """Run the pages, then say how long all took. Raises ``FailedError`` after the last page if one is wrong."""
    begun, problems = time.monotonic(), list[str]()
    for run in run_pages(folder, base, wheel):
        problems += run.problems
        yield f"{run.page}, commands: {run.commands}", run.seconds, PAGES_LIMIT_S
    yield "all pages, installed and run", time.monotonic() - begun, PAGES_LIMIT_S
    if problems:
        raise FailedError("\n\n".join(problems))


def day_step(folder: Path, base: Path, wheel: Path) -> Iterator[Step]:
    """Run the day of `a-day.md` at simulated boards that the wheel serves. Raises ``FailedError``."""
    installed = InstalledWheel(folder, base, wheel)
    installed.install(frozenset({*extras_of(a_day.PAGE), "chip"}))
    laboratory, begun = folder.resolve() / "lab", time.monotonic()
    laboratory.mkdir()
    program = a_day.Program((str(installed.rig),), installed.configs.parents[1], installed.configs, COLUMNS)
    try:
        printed = a_day.page(laboratory, program)
    except a_day.DayError as error:
        raise FailedError(str(error)) from error
    if difference := a_day.difference(printed, a_day.PAGE.read_text("utf-8")):
        raise FailedError(difference)
    yield path_of(a_day.PAGE), time.monotonic() - begun, DAY_LIMIT_S


def report(version: str, done: Iterator[Step]) -> int:
    """Print a line for each step of a Python; return the number of failures."""
    failures = 0
    try:
        for name, seconds, limit_s in done:
            failures += seconds > limit_s
            say(f"{version:<6}{name:<56}{seconds:6.1f} s{'' if seconds <= limit_s else '  TOO LONG'}")
    except FailedError as error:
        failures += 1
        say(f"{version:<6}FAILED: {error}")
    return failures


def main(argv: Sequence[str] | None = None) -> int:
    """Check the wheel on the Pythons of these versions, or all; return the exit status."""
    parser = argparse.ArgumentParser(description="Check the wheel as a laboratory gets it.")
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"Pythons ({' '.join(PYTHONS)})")
    parser.add_argument("--day", action="store_true", help="run a-day.md too, in seven minutes of real time")
    arguments = parser.parse_args(argv)
    checks = {"chip": steps, "pages": page_steps, **({"day": day_step} if arguments.day else {})}
    failures = 0
    with tempfile.TemporaryDirectory(prefix="release-check-") as folder:
        build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT))
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = Path(folder).glob("*.whl")
        say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        for version in arguments.versions or PYTHONS:
            base = find_python(version)
            if base is None:
                say(f"{version:<6}not on this computer")
                continue
            for name, check in checks.items():
                failures += report(version, check(Path(folder, version, name), base, wheel))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
