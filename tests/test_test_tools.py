"""What `make test` says about the programs that tests look for, where it may not install them."""

import os
import subprocess
from pathlib import Path

import pytest

from sim_hardware.avr.build import PACKAGES

pytestmark = pytest.mark.skipif(
    os.name == "nt" or os.path.realpath("/usr/sbin") == os.path.realpath("/usr/bin"),
    reason="the script is for POSIX shells, and looks into /usr/sbin in any case",
)

SCRIPT = Path(__file__).parent.parent / "scripts" / "test_tools.sh"
NEEDED = ("sh", "dirname", "grep", "fc-list")


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of an ordinary user on a system without any of the programs, nor apt-get."""
    for name in NEEDED:
        for folder in ("/usr/bin", "/bin"):
            if (program := Path(folder) / name).exists() and not (tmp_path / name).exists():
                (tmp_path / name).symlink_to(program)
    return {"PATH": str(tmp_path)}


@pytest.mark.parametrize("words", [(), ("missing",)])
def test_what_is_missing_is_named_in_one_line_and_is_no_error(bare: dict[str, str], words: tuple[str, ...]) -> None:
    ran = subprocess.run(["sh", str(SCRIPT), *words], env=bare, capture_output=True, text=True)
    (line,) = ran.stdout.splitlines()
    assert line.startswith("Tests are skipped for want of programs. On Debian and Ubuntu: sudo apt-get install -y ")
    assert f" {PACKAGES} " in line
    assert (ran.returncode, ran.stderr) == (0, "")


def test_in_ci_it_is_an_error(bare: dict[str, str]) -> None:
    assert subprocess.run(["sh", str(SCRIPT)], env={**bare, "CI": "true"}, capture_output=True).returncode == 1
