"""A folder that looks like a clone to the commands of a page, and running them there."""

import contextlib
import errno
import glob
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import pytest

from protocols.two_armed_bandit.tables.decisions import COLUMNS
from rig.cli.main import main
from tests.docs import laboratory_files
from tests.docs.pages import ROOT
from tests.protocols.delay_discounting.analysis.made import rat, write_csv
from tests.protocols.delay_discounting.analysis.made import rows as maze_rows

SHORT_S = 60
"""Sessions of virtual subjects are this short unless the page says how long they are."""
SHORT_SEARCH_S = 240
"""Sessions that begin with minutes of instructions."""


def make(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the folder, go there, and let no command meet a real board or a terminal."""
    for root, name in product((ROOT, ROOT / "docs" / "recipes"), ("configs", "protocols")):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    shutil.copytree(ROOT / "docs" / "recipes" / "devices", folder / "devices")
    laboratory_files.write(folder)
    (folder / "mice").mkdir()
    for rest, name in enumerate(("baby_80-20", "wine_80-20", "wine_90-10"), start=2):
        (folder / "mice" / f"{name}.csv").write_text(_decisions(rest), encoding="utf-8")
    (folder / "rats").mkdir()
    for seed, large in enumerate((3, 3, 5, 5)):
        history = rat(seed, large, 12)
        write_csv(folder / "rats" / f"R{seed % 2}_{seed:02}.csv", maze_rows(history, 12, large))
    shutil.copy(folder / "mice" / "wine_80-20.csv", folder / "mouse.csv")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RIG_DATA", str(folder / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setattr("rig.boards.serial.driver.list_ports.comports", list)
    monkeypatch.setattr("rig.boards.serial.driver.open_transport", _no_port)
    monkeypatch.setattr(sys, "stdin", io.StringIO())


def _no_port(path: str, baud: int) -> NoReturn:
    raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def _decisions(rest: int) -> str:
    """A session of a real mouse, or nearly: long stays at the high port, and a swap in the middle."""
    rows, t_s = [",".join(COLUMNS)], 0.4
    for trial in range(60):
        high = 1 if trial < 30 else 2
        port = high if trial % 5 != rest else 3 - high
        odds = "0.8,0.2" if high == 1 else "0.2,0.8"
        rows.append(f"{t_s:.5g},{2.2 if trial else 0},0.4,{port},{odds},{int(port == high and trial % 4 > 0)}")
        t_s += 2.6
    return "\n".join(rows) + "\n"


def run(command: str) -> tuple[int, str]:
    """Run a command here; return its status and all that it printed."""
    words = shlex.split(command, comments=True)
    if words[0] == "rig" and not re.search(r"[|<>;&`]", re.sub(r"\s#.*", "", command)):
        return _run_rig([found for word in words[1:] for found in _meant(word)])
    done = subprocess.run(
        ["sh", "-c", command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode, done.stdout


def _meant(word: str) -> list[str]:
    word = os.path.expandvars(word)
    return sorted(glob.glob(word)) or [word]


def _run_rig(words: list[str]) -> tuple[int, str]:
    if words[0] == "sim" and not any(word.startswith("stop.session_s=") for word in words):
        short_s = SHORT_SEARCH_S if {"grid_bandit", "risky_bandit"} & set(words) else SHORT_S
        words = [*words, "--set", f"stop.session_s={short_s}"]
    out = io.StringIO()
    status: Any
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code
    return int(status or 0), out.getvalue()
