"""Pictures of what was on a screen are painted from the journal."""

import os
import subprocess
import sys
from pathlib import Path

from sim_hardware.models.base import Model
from tests.harness import run_harness
from tests.peck_helpers import Pecking, screen_rig
from tests.repository import ROOT
from tests.screen_tools import need_screen_tools
from tests.session_specs import task_spec


class Onlooker(Model):
    """Does nothing."""

    async def live(self, body: object) -> None:
        """Look."""


def test_every_scene_of_a_session_is_painted_as_it_was(tmp_path: Path) -> None:
    need_screen_tools()
    session = tmp_path / "P1" / "2026-11-21" / "001"
    session.mkdir(parents=True)
    harness = run_harness(task_spec(Pecking, stop={"session_s": 2}, rig=screen_rig()), model=Onlooker())
    (session / "journal.jsonl").write_bytes(b"".join(harness.raw))
    words = [sys.executable, "-m", "scripts.scenes", str(tmp_path / "out"), str(session)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run(words, check=True, env=environment, cwd=ROOT)
    (file,) = (tmp_path / "out").iterdir()
    assert file.name == "P1_001_1.png"
    program = (
        f"from PySide6.QtGui import QImage; i = QImage({str(file)!r}); print(i.width(), i.pixelColor(400, 285).name())"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).split() == ["800", "#ff0000"]
