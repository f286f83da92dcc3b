"""Check the wheel as a laboratory gets it: on every Python, without a checkout, a compiler or a node of the system.

    make release-check                              every Python in PYTHONS that this computer has
    .venv/bin/python -m scripts.release_check 3.13  these only

It builds the wheel, installs it with the extra `chip` in an empty environment, and runs the demonstration, the
self-test, and a session on a board that the wheel serves. Exit status: 0 if all did what they should within LIMIT_S.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.determinism import find_python, say

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LIMIT_S = 60.0
"""The longest time of the demonstration, and of the self-test."""
SESSION_S = 20
PROGRAMS = ("sh", "env")
"""The only programs of the system that the wheel's programs find: no compiler, no node."""
RIG = """
calibration_max_days: null
boards: {{uno: {{driver: serial, chip: uno, reference: true, lease_s: 8, port: {port}}}}}
devices:
  left:   {{kind: port, beam: 6, light: 10, valve: 3, calibration: sim_left}}
  center: {{kind: port, beam: 5, light: 8}}
  right:  {{kind: port, beam: 7, light: 9, valve: 4, calibration: sim_right}}
"""


class FailedError(Exception):
    """A step that failed, with what it printed."""


class Laboratory:
    """A folder with an environment of one Python, in which the wheel is installed."""

    def __init__(self, folder: Path, base: Path, wheel: Path) -> None:
        self.folder = folder
        tools = folder / "bin"
        tools.mkdir(parents=True)
        for program in PROGRAMS:
            (tools / program).symlink_to(shutil.which(program) or program)
        foreign = ("PYTHON", "COVERAGE", "RIG_", "VIRTUAL_ENV")
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        self.run(base, "-m", "venv", folder / "env")
        self.run(folder / "env" / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-input", f"{wheel}[chip]")
        self._environment["PATH"] = str(tools)
        self.rig = folder / "env" / "bin" / "rig"

    def run(self, *command: str | Path) -> float:
        """Run a program to its end; return its seconds. Raises ``FailedError``."""
        begun = time.monotonic()
        words = [str(word) for word in command]
        ran = subprocess.run(
            words, cwd=self.folder, env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if ran.returncode != 0:
            raise FailedError(f"{' '.join(words)}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
        return time.monotonic() - begun

    def served_session(self) -> float:
        """Run a session of a virtual mouse on the firmware, at a port that the wheel serves; return its seconds."""
        port, rig_file = self.folder / "ttyAVR", self.folder / "served.yaml"
        rig_file.write_text(RIG.format(port=port))
        words = ("board", "serve", rig_file, "--link", port, "--model", "rflr", "--protocol", "two_armed_bandit")
        with subprocess.Popen(
            [self.rig, *words], cwd=self.folder, env=self._environment, stdout=subprocess.DEVNULL
        ) as server:
            try:
                while not port.exists() and server.poll() is None:
                    time.sleep(0.1)
                limits = ("--set", f"stop.session_s={SESSION_S}", "--override", "weight=rehearsal")
                subject = ("--subject", "M1", "--new", "--yes", "--data", self.folder / "data")
                return self.run(self.rig, "run", "two_armed_bandit", "--rig", rig_file, *subject, *limits)
            finally:
                server.send_signal(signal.SIGINT)


def steps(lab: Laboratory) -> Iterator[tuple[str, float, float]]:
    """Run the steps of one Python; yield the name of each, its seconds, and the longest time that is right."""
    data = lab.folder / "data"
    yield "demo", lab.run(lab.rig, "demo", "--data", data), LIMIT_S
    yield "self-test", lab.run(lab.rig, "self-test", "--data", data), LIMIT_S
    yield f"served session of {SESSION_S} s", lab.served_session(), LIMIT_S + SESSION_S


def main(versions: Sequence[str] = ()) -> int:
    """Check the wheel on the Pythons of these versions, or all; return the exit status."""
    failures = 0
    with tempfile.TemporaryDirectory(prefix="release-check-") as folder:
        build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT))
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = Path(folder).glob("*.whl")
        say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        for version in versions or PYTHONS:
            base = find_python(version)
            if base is None:
                say(f"{version:<6}not on this computer")
                continue
            try:
                for name, seconds, limit_s in steps(Laboratory(Path(folder, version), base, wheel)):
                    failures += seconds > limit_s
                    say(f"{version:<6}{name:<24}{seconds:6.1f} s{'' if seconds <= limit_s else '  TOO LONG'}")
            except FailedError as error:
                failures += 1
                say(f"{version:<6}FAILED: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
