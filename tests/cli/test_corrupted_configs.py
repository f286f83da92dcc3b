"""Whatever a file has become, it checks or is told what is wrong: `file:line: key`, status 2, never a traceback."""

import contextlib
import io
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rig.cli.main import main
from tests.cli.corrupted_configs import CONFIGS, DEEP, HUGE, CorruptedConfig, corrupted_configs

LONGEST_S = 2.0
"""No file may keep a person waiting longer."""

PLACE = re.compile(r"(?s).*\.yaml:\d+: ")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a copy of the shipped files, in which one at a time is spoilt."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(CONFIGS, folder / "configs")
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def checked(lab: Path, mutant: CorruptedConfig) -> float:
    """Check a spoilt file; return the seconds of processor time that it took."""
    path = lab / "configs" / mutant.name
    whole = path.read_bytes()
    path.write_bytes(mutant.contents)
    out, err = io.StringIO(), io.StringIO()
    began = time.process_time()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(["check", str(path.relative_to(lab)), "--start", "2026-11-05"])
    finally:
        took = time.process_time() - began
        path.write_bytes(whole)
    said = err.getvalue()
    assert "Traceback" not in said
    assert "rig has failed" not in said
    if status == 0:
        assert said == ""
        assert ": ok: " in out.getvalue()
    else:
        assert status == 2
        wrong = [line for line in said.splitlines() if not PLACE.match(line)]
        assert not wrong, wrong
    return took


QUICK = settings(
    max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
THOROUGH = settings(QUICK, max_examples=1_000, database=None)


@pytest.mark.parametrize("part", range(1))
def test_spoilt_files_are_reported_at_their_lines(lab: Path, part: int) -> None:
    @QUICK
    @given(corrupted_configs(), st.just(part))
    def run(mutant: CorruptedConfig, part: int) -> None:
        checked(lab, mutant)

    run()


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_spoilt_files_are_reported_at_their_lines_in_two_seconds_each(lab: Path, part: int) -> None:
    slowest = 0.0

    @THOROUGH
    @given(corrupted_configs(), st.just(part))
    def run(mutant: CorruptedConfig, part: int) -> None:
        nonlocal slowest
        slowest = max(slowest, checked(lab, mutant))

    run()
    sys.stdout.write(f"the slowest of part {part} took {slowest:.2f} s of processor time\n")
    assert slowest <= LONGEST_S


@pytest.mark.parametrize("kind", sorted(HUGE))
@pytest.mark.parametrize("times", [1, 12])
def test_ten_megabytes_are_reported_or_checked_at_once(lab: Path, times: int, kind: str) -> None:
    name = Path("calibrations/sim_left.yaml")
    text = (CONFIGS / name).read_text(encoding="utf-8")
    assert checked(lab, CorruptedConfig(name, (HUGE[kind](text) * times).encode())) <= LONGEST_S


@pytest.mark.parametrize("kind", sorted(DEEP))
@pytest.mark.parametrize("levels", [1_000, 100_000])
def test_a_thousand_levels_are_reported_at_once(lab: Path, kind: str, levels: int) -> None:
    if kind == "blocks" and levels > 1_000:
        levels = 3_000  # its size grows with the square
    text = "protocol: free_water\nstop: " + DEEP[kind](levels) + "\n"
    assert checked(lab, CorruptedConfig(Path("protocols/free_water.yaml"), text.encode())) <= LONGEST_S
