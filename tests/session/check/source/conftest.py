"""A protocol with a device of every kind, of which each test gives the lines of one state."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.session.check.source.findings import SourceFindings, check_source
from rig.session.spec.task_classes import find_task

PROTOCOL = Path(__file__).with_name("lab_protocol.txt").read_text(encoding="utf-8")
LINE = next(number for number, line in enumerate(PROTOCOL.splitlines(), 1) if "{body}" in line)

DEVICES = ("left", "right", "tray", "hopper", "speaker", "lamp", "laser", "camera")

Lab = Callable[[str], SourceFindings]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Return a function that checks the source of the protocol with these lines in a state."""

    def made(body: str) -> SourceFindings:
        lines = body.strip().replace("\n", "\n" + " " * 8)
        (tmp_path / "lab.py").write_text(PROTOCOL.replace("{body}", lines))
        return check_source(find_task("./lab.py:Lab", tmp_path), DEVICES)

    return made
