"""Faults to build into copies of the firmware, each with the name of the judge that must notice it."""

import re
import shutil
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import yaml

from sim_hardware.avr.firmware import firmware, firmware_image
from tests.firmware.tools import FIRMWARE, make

Kind: TypeAlias = Literal["uno", "pico"]


class Program(NamedTuple):
    """A program for a kind of chip; without a file, that of this repository."""

    kind: Kind
    file: Path | None = None


class Fault(NamedTuple):
    """A function of the firmware, a pattern that matches in it, the wrong text for each match, and the judge."""

    where: str
    """A file and a function of it, or an interrupt. Without a function, the whole file."""

    pattern: str
    wrong: str
    judge: str
    places: int = 1
    """The number of matches in it."""

    only: Kind | None = None
    """The only chip on which a fault of the core does harm that its judge can see."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the chips whose program has it."""
        if self.where.startswith("targets/"):
            return ("pico",) if self.where.startswith("targets/rp2040/") else ("uno",)
        return (self.only,) if self.only else ("uno", "pico")


_FUNCTION = r"^[^\n#/;{{}}]*\b{}\([^;{{}}]*\) "
_INTERRUPT = r"^ISR\({}\b[^)]*\) "
_BODY = r"\{(?:[^\n]*\}$|.*?^\}$)"


def with_fault(sources: Path, fault: Fault) -> tuple[Path, str]:
    """Return the file of a fault, and its text with the fault in it."""
    name, _, function = fault.where.partition(":")
    file = sources / name
    text = file.read_text(encoding="utf-8")
    head = (_INTERRUPT if function.endswith("_vect") else _FUNCTION).format(function)
    definitions = re.findall(head + _BODY, text, re.M | re.S) if function else [text]
    assert len(definitions) == 1, f"{name} has {len(definitions)} functions called {function}"
    changed, matches = re.subn(fault.pattern, fault.wrong, definitions[0])
    assert matches == fault.places, f"{fault.where} has {matches} places like {fault.pattern}, not {fault.places}"
    return file, text.replace(definitions[0], changed)


def built(fault: Fault, folder: Path, kind: Kind = "uno") -> Program:
    """Build the firmware with a fault in it."""
    sources = folder / "firmware"
    shutil.copytree(FIRMWARE, sources, ignore=shutil.ignore_patterns("build"))
    scripts = Path("rig", "boards")  # the Makefile runs one of them
    shutil.copytree(FIRMWARE.parent / scripts, folder / scripts, ignore=lambda _, names: {*names} - {"boot2.py"})
    file, text = with_fault(sources, fault)
    file.write_text(text, encoding="utf-8")
    right = firmware_image("pico-uart") if kind == "pico" else firmware(kind)
    # Only what is newer than its object is compiled again.
    shutil.copytree(right.parent / kind, folder / "build" / kind)
    program = folder / "build" / right.name
    make(str(program), program.parent, sources, "WARNINGS=")
    return Program(kind, program)


def _read_faults() -> dict[str, Fault]:
    written = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {name: Fault(**{"judge": "scripts", **fields}) for name, fields in written.items()}


FAULTS = _read_faults()
