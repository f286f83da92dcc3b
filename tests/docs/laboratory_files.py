"""The files of a laboratory in which the commands of a page are typed: its rig file, and valves measured today."""

import datetime
import re
import shutil
from pathlib import Path

from tests.docs.pages import ROOT, blocks_of, page_named


def write(folder: Path) -> None:
    """Write the rig file of the page `install.md`, and the shipped calibrations with the date of today."""
    calibrations = folder / "configs" / "calibrations"
    shutil.copytree(ROOT / "configs" / "calibrations", calibrations, dirs_exist_ok=True)
    for path in calibrations.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        today = re.sub(r"^date: .*", f"date: {datetime.date.today()}", text, flags=re.MULTILINE)
        path.write_text(today, encoding="utf-8")
    (rig,) = (block for block in blocks_of(page_named("install.md")) if block.file)
    path = folder / str(rig.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(rig.text, encoding="utf-8")
