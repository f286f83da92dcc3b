"""The wheel in an environment with nothing else: far from the checkout, without a compiler or a node of the system."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

PROGRAMS = ("sh", "env")
"""The only programs of the system that the wheel's programs find: no compiler, no node."""
LONGEST_S = 600.0
SESSION_S = 20
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


class InstalledWheel:
    """A folder with an environment of one Python, in which the wheel is installed with some extras."""

    def __init__(self, folder: Path, base: Path, wheel: Path) -> None:
        self.folder = folder
        self.extras: frozenset[str] = frozenset()
        self._wheel = wheel
        self._programs = folder / "env" / "bin"
        self._python = self._programs / "python"
        self.rig = self._programs / "rig"
        tools, runtime = folder / "bin", folder / "run"
        for path in (tools, runtime):
            path.mkdir(parents=True)
        for program in PROGRAMS:
            (tools / program).symlink_to(shutil.which(program) or program)
        foreign = ("PYTHON", "COVERAGE", "RIG_", "VIRTUAL_ENV")
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        self.run(base, "-m", "venv", folder / "env")
        self._environment |= {
            "PATH": str(tools),
            # No settings of this user, and no sessions that run on this computer.
            "XDG_CONFIG_HOME": str(folder / "config"),
            "RIG_RUNTIME_DIR": str(runtime),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }

    def install(self, extras: frozenset[str]) -> None:
        """Run pip for the wheel with these extras, beside those that it has. Raises ``FailedError``."""
        wanted = f"{self._wheel}[{','.join(sorted(extras))}]"
        self.run(self._python, "-m", "pip", "install", "--quiet", "--no-input", "--no-compile", wanted)
        self.extras |= extras

    @property
    def configs(self) -> Path:
        """Return the folder of the YAML files that the wheel ships."""
        (folder,) = self.folder.glob("env/lib/python*/site-packages/rig/_configs")
        return folder

    def run(self, *command: str | Path) -> float:
        """Run a program to its end; return its seconds. Raises ``FailedError``."""
        begun = time.monotonic()
        words = [str(word) for word in command]
        status, printed = self._ended(words, self.folder)
        if status != 0:
            raise FailedError(f"{' '.join(words)}: status {status}\n{printed}")
        return time.monotonic() - begun

    def typed(self, line: str, folder: Path) -> tuple[int, str]:
        """Run a line in a shell; return the exit status and all that is printed. Raises ``FailedError``."""
        activated = f'PATH="$1{os.pathsep}$PATH"; {line}'
        return self._ended(["sh", "-c", activated, "sh", str(self._programs)], folder)

    def _ended(self, words: list[str], folder: Path) -> tuple[int, str]:
        try:
            ended = subprocess.run(
                words,
                cwd=folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=LONGEST_S,
            )
        except subprocess.TimeoutExpired as error:
            raise FailedError(f"{' '.join(words)}: still runs after {LONGEST_S:g} s") from error
        return ended.returncode, ended.stdout

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
