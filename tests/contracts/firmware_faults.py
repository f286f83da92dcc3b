"""Faults to build into copies of the firmware, each with the name of the judge that must notice it."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.firmware.tools import FIRMWARE, make


class Fault(NamedTuple):
    """A function of the firmware, a pattern that matches in it, the wrong text for each match, and the judge."""

    where: str
    """A file and a function of it, or an interrupt. Without a function, the whole file."""

    pattern: str
    wrong: str
    judge: str
    places: int = 1
    """The number of matches in it."""


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


def built(fault: Fault, folder: Path) -> Path:
    """Build the firmware of an Uno with a fault in it; return the program."""
    sources = folder / "firmware"
    shutil.copytree(FIRMWARE, sources, ignore=shutil.ignore_patterns("build"))
    file, text = with_fault(sources, fault)
    file.write_text(text, encoding="utf-8")
    makefile = sources / "Makefile"
    makefile.write_text(makefile.read_text(encoding="utf-8").replace("-Werror", ""), encoding="utf-8")
    make("uno", folder / "build", sources)
    return folder / "build" / "uno.elf"


def _read_faults() -> dict[str, Fault]:
    written = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {name: Fault(**{"judge": "scripts", **fields}) for name, fields in written.items()}


FAULTS = _read_faults()
