"""The picture of a report: the upper part of its page in Chromium."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from rig.cli.main import main as rig

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "report.png"
SUBJECT = ("--subject", "M1", "--seed", "1", "--start", "2026-11-20T09:00")
SIZE = "1100,1560"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def pages() -> Mapping[Path, bytes]:
    """Draw the picture. Raises ``LookupError`` without a browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise LookupError("no Chromium")
    with TemporaryDirectory() as data:
        session, shot = Path(data, "sim", "M1", "2026-11-20", "001"), Path(data, "report.png")
        rig(["sim", "two_armed_bandit", "--model", "rflr", *SUBJECT, "--data", data])
        rig(["report", str(session)])
        words = ("--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}", f"--screenshot={shot}")
        page = (session / "report.html").as_uri()
        subprocess.run([browser, *words, f"--user-data-dir={data}/browser", page], check=True, capture_output=True)
        return {PICTURE: shot.read_bytes()}
