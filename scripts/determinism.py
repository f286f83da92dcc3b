"""Check that the journal of a simulated session has the same bytes under every Python and every hash seed.

    make determinism                                  every Python in PYTHONS, each in a venv of its own
    .venv/bin/python scripts/determinism.py --present this Python only, nothing installed

Exit status: 0 if all journals are equal; 1 if some differ, a Python is missing, or a session failed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / "build" / "determinism"

PYTHONS = ("3.11", "3.12", "3.13")
# 0 turns hash randomization off. A set or dict order that leaks into a journal shows as a difference to the other seed.
HASH_SEEDS = (0, 4242)
SEEDS = (1, 2)
SESSION_S = "600"
# The header has the start time, so it must be fixed for equal bytes.
START = "2026-11-21T09:00"

_WHO = "import sys; print('%d.%d' % sys.version_info[:2]); print(getattr(sys, '_base_executable', sys.executable))"


class FailedError(Exception):
    """Failure of a session or an installation."""


@dataclass(frozen=True)
class Run:
    """One session: Python version, hash seed, session seed, and SHA-256 of its journal."""

    python: str
    hash_seed: int
    seed: int
    sha256: str


def environment(hash_seed: int) -> dict[str, str]:
    """Return the environment of a run: with the hash seed, without variables of Python, coverage, pip and ``rig``."""
    prefixes = ("PYTHON", "COVERAGE", "RIG_", "PIP_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    return kept | {"PYTHONHASHSEED": str(hash_seed)}


def _done(command: Sequence[str | Path], env: Mapping[str, str]) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FailedError(f"{' '.join(words)}\nended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def session(python: Path, seed: int, hash_seed: int, session_s: str = SESSION_S) -> str:
    """Run one session in a new process; return the SHA-256 of its journal."""
    with tempfile.TemporaryDirectory(prefix="determinism-") as data:
        what = ["sim", "two_armed_bandit", "--model", "rflr", "--seed", str(seed), "--start", START]
        where = ["--data", data, "--set", f"stop.session_s={session_s}"]
        _done([python, "-m", "rig.cli.main", *what, *where], environment(hash_seed))
        journals = sorted(Path(data).glob("sim/*/*/*/journal.jsonl"))
        if len(journals) != 1:
            raise FailedError(f"{python}: seed {seed} left {len(journals)} journals, wanted 1")
        return hashlib.sha256(journals[0].read_bytes()).hexdigest()


def _candidates(version: str) -> Iterator[Path]:
    yield Path(sys.executable)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = [path for path in (pyenv / "versions").glob(f"{version}.*") if path.name.rpartition(".")[2].isdigit()]
    for folder in sorted(folders, key=lambda path: int(path.name.rpartition(".")[2]), reverse=True):
        yield folder / "bin" / "python"
    for name in os.get_exec_path():
        yield Path(name) / f"python{version}"


def find_python(version: str) -> Path | None:
    """Return an interpreter of a version that can make a venv; None if there is none. Runs each candidate."""
    for path in _candidates(version):
        if not os.access(path, os.X_OK):
            continue
        try:
            found, real = _done([path, "-c", _WHO], environment(0)).splitlines()
            if found == version:
                _done([real, "-c", "import venv; from ensurepip import bootstrap"], environment(0))
                return Path(real)
        except (
            FailedError,
            OSError,
            ValueError,
        ):  # a version manager's shim, a broken interpreter, or one without venv
            continue
    return None


def installed(version: str, base: Path) -> Path:
    """Build the venv of a version if missing, install the project into it, and return its Python."""
    venv = VENVS / version
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    env = environment(0)
    try:
        _done([python, "-m", "pip", "--version"], env)
    except (FailedError, OSError):
        # Missing, or left over from a Python that is gone: make it again.
        shutil.rmtree(venv, ignore_errors=True)
        _done([base, "-m", "venv", venv], env)
    _done([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "-e", ROOT], env)
    return python


def runs(pythons: Mapping[str, Path], session_s: str) -> Iterator[Run]:
    """Yield one run for every Python, hash seed and seed."""
    for version, python in pythons.items():
        for hash_seed in HASH_SEEDS:
            for seed in SEEDS:
                yield Run(version, hash_seed, seed, session(python, seed, hash_seed, session_s))


def report(found: Sequence[Run]) -> bool:
    """Print the table; return whether all journals of each seed are equal."""
    say(f"{'python':<8}{'hash seed':>9}{'seed':>6}  sha256 of journal.jsonl")
    for run in found:
        say(f"{run.python:<8}{run.hash_seed:>9}{run.seed:>6}  {run.sha256}")
    same = True
    for seed in dict.fromkeys(run.seed for run in found):
        journals = {run.sha256 for run in found if run.seed == seed}
        if len(journals) > 1:
            same = False
            say(f"seed {seed}: {len(journals)} different journals")
    say(f"{len(found)} sessions: " + ("identical" if same else "NOT identical"))
    return same


def say(text: str) -> None:
    """Print a line and flush."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _all_pythons() -> dict[str, Path]:
    bases = {version: find_python(version) for version in PYTHONS}
    missing = [version for version, base in bases.items() if base is None]
    if missing:
        raise FailedError(f"missing: Python {', '.join(missing)} (looked in ~/.pyenv/versions and on PATH)")
    return {version: installed(version, base) for version, base in bases.items() if base is not None}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit status."""
    parser = argparse.ArgumentParser(description="Check that simulated sessions are equal byte for byte.")
    parser.add_argument("--present", action="store_true", help="this Python only, nothing installed")
    parser.add_argument(
        "--session-s", default=SESSION_S, metavar="S", help=f"length of the sessions in seconds ({SESSION_S})"
    )
    arguments = parser.parse_args(argv)
    try:
        present = {f"{sys.version_info.major}.{sys.version_info.minor}": Path(sys.executable)}
        found = list(runs(present if arguments.present else _all_pythons(), arguments.session_s))
    except FailedError as error:
        say(str(error))
        return 1
    return 0 if report(found) else 1


if __name__ == "__main__":
    sys.exit(main())
