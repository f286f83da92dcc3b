"""Compiles the shim around libsimavr when it is first needed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from rig.core.errors import ConfigError
from rig.platform.files import move_path
from sim_hardware.checkout import checkout_folder


class NoSimulatorError(ConfigError):
    """This computer lacks what a simulator of a chip needs; the text says what, and how to install it."""


PACKAGES = "gcc libc6-dev make libsimavr-dev gcc-avr binutils-avr avr-libc arduino-core-avr"
"""Packages that ``--board avr`` needs on Debian and Ubuntu."""

APT = f"sudo apt-get install -y --no-install-recommends {PACKAGES}"

SHIM = checkout_folder("sim_hardware/avr/shim")


@cache
def shim() -> Path:
    """Return the compiled shim, compiled if necessary. Raises ``ConfigError`` with what to install."""
    sources = sorted(SHIM.glob("*.[ch]"))
    if not sources:
        # It links a library under the GPL, so the wheel has not even its sources.
        raise NoSimulatorError("--board avr: libsimavr's shim is not part of the wheel; run it in a checkout")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise missing("a C compiler")
    library = _libsimavr(compiler)
    # Of the library too, whose structures are compiled into the shim.
    key = hashlib.sha256(b"".join(path.read_bytes() for path in (*sources, library))).hexdigest()[:16]
    compiled = _cache() / f"shim-{key}.so"
    if not compiled.exists():
        _compile(compiler, [path for path in sources if path.suffix == ".c"], compiled)
    return compiled


def missing(what: str) -> NoSimulatorError:
    """Return which package is missing, and the command that installs it."""
    return NoSimulatorError(f"--board avr: {what} is not installed. On Debian and Ubuntu: {APT}")


def _libsimavr(compiler: str) -> Path:
    asked = subprocess.run([compiler, "-print-file-name=libsimavr.so"], capture_output=True, text=True, check=True)
    library = Path(asked.stdout.strip())
    if not library.is_absolute():  # a compiler that does not find it repeats the bare name
        raise missing("libsimavr-dev")
    return library


def _compile(compiler: str, sources: list[Path], compiled: Path) -> None:
    compiled.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=compiled.parent) as folder:  # two processes may do this at once
        made = Path(folder) / compiled.name
        command = [
            compiler,
            "-O2",
            "-shared",
            "-fPIC",
            "-Wl,-Bsymbolic",
            "-o",
            str(made),
            *map(str, sources),
            "-lsimavr",
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode:
            why = "the shim around libsimavr cannot be compiled; is all of this installed?"
            raise NoSimulatorError(f"--board avr: {why} {APT}\n{ran.stderr}")
        move_path(made, compiled)


def _cache() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path("~/.cache").expanduser()) / "behavior-rig"
