"""Compiles the shim around libsimavr when it is first needed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import ConfigError
from rig.platform.files import move_path
from sim_hardware.checkout import checkout_folder


class NoSimulatorError(ConfigError):
    """This computer lacks what a simulator of a chip needs; the text says what, and how to install it."""


PACKAGES = "gcc libc6-dev make libsimavr-dev gcc-avr binutils-avr avr-libc arduino-core-avr"
"""Packages that ``--board avr`` needs on Debian and Ubuntu."""

APT = f"sudo apt-get install -y --no-install-recommends {PACKAGES}"

SHIM = checkout_folder("sim_hardware/avr/shim")


ASKED_S = 30.0
"""A compiler that has not answered by then does not run."""


class ShimParts(NamedTuple):
    """What the shim is compiled from, and by which compiler."""

    compiler: str
    sources: list[Path]
    library: Path


@cache
def shim() -> Path:
    """Return the compiled shim, compiled if necessary. Raises ``ConfigError`` with what to install."""
    parts = shim_parts()
    # Of the library too, whose structures are compiled into the shim.
    content = b"".join(path.read_bytes() for path in (*parts.sources, parts.library))
    compiled = _cache() / f"shim-{hashlib.sha256(content).hexdigest()[:16]}.so"
    if not compiled.exists():
        _compile(parts.compiler, [path for path in parts.sources if path.suffix == ".c"], compiled)
    return compiled


def shim_parts() -> ShimParts:
    """Return the parts of the shim; nothing is compiled. Raises ``NoSimulatorError`` with what to install."""
    sources = sorted(SHIM.glob("*.[ch]"))
    if not sources:
        # It links a library under the GPL, so the wheel has not even its sources.
        text = "libsimavr's shim is not part of the wheel; install this program from a checkout"
        raise NoSimulatorError(f"--board avr: {text}")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise missing("a C compiler")
    return ShimParts(compiler, sources, _libsimavr(compiler))


def missing(what: str) -> NoSimulatorError:
    """Return which package is missing, and the command that installs it."""
    return NoSimulatorError(f"--board avr: {what} is not installed. On Debian and Ubuntu: {APT}")


def _libsimavr(compiler: str) -> Path:
    command = [compiler, "-print-file-name=libsimavr.so"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, check=True, timeout=ASKED_S)
    except (OSError, subprocess.SubprocessError):  # such as the gcc of a Mac without its developer tools
        raise missing("a C compiler that runs") from None
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
