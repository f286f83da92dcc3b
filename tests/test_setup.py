"""What `make demo` and `make test` do before anything else, with stand-ins for Python, apt-get and id."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the set-up script is for POSIX shells")

ROOT = Path(__file__).parent.parent
PYTHONS = ("python3", "python3.11", "python3.12", "python3.13")

# Answers `-c` as the real interpreter would after the lies; makes environments of copies of itself; logs `-m`.
FAKE_PYTHON = """#!/bin/sh
case "$1" in
-c) exec {real} {lies} "$2" ;;
-V) echo Python 3.x ;;
-m) shift
    echo "$@" >>{log}
    case "$1" in
    venv) mkdir -p "$2/bin" && cp "$0" "$2/bin/python" ;;
    pip | uv) test ! -e {offline} && mkdir -p {installed} && echo '"editable": true' >{installed}/direct_url.json ;;
    esac ;;
esac
"""
GOOD = "sys.bootstrap = None; sys.modules.update(pip=sys, ensurepip=sys)"
OLD = "sys.version_info = (3, 9, 2)"
DEV = ["pip install uv", "uv pip install .[dev]"]
INSTALLED = ".venv/lib/python3.11/site-packages/behavior_rig-0.dist-info"
NO_ENSUREPIP = "import os; sys.bootstrap = None; sys.modules.update(ensurepip=sys if os.path.exists({!r}) else None)"


@dataclass
class CoSimulator:
    """A scratch checkout, and a PATH on which the commands that matter are stand-ins."""

    root: Path
    bin: Path
    log: Path
    offline: Path

    def pretend(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(script)
        path.chmod(0o755)

    def pretend_python(self, name: str, lie: str = GOOD) -> None:
        lies = self.bin / f"{name}.lies"
        lies.write_text(f"import sys\nsys._base_executable = {str(self.bin / name)!r}\n{lie}\nexec(sys.argv[1])\n")
        paths = {"real": sys.executable, "lies": lies, "log": self.log, "offline": self.offline, "installed": INSTALLED}
        self.pretend(name, FAKE_PYTHON.format(**{key: shlex.quote(str(path)) for key, path in paths.items()}))

    def set_up(self, extras: str = "run") -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "PYTHON"))}
        return subprocess.run(
            ["sh", str(self.root / "scripts" / "setup.sh"), extras],
            env=kept | {"PATH": f"{self.bin}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=60,
        )

    def done(self) -> list[str]:
        """What was done since last asked."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [_without_options(line) if "pip" in line else line for line in lines]


def _without_options(line: str) -> str:
    return " ".join(word for word in line.split() if not word.startswith(("-", ".venv")))


@pytest.fixture
def machine(tmp_path: Path) -> CoSimulator:
    root = tmp_path / "a checkout"
    (root / "scripts").mkdir(parents=True)
    for name in ("setup.sh", "apt_install.sh"):
        shutil.copy(ROOT / "scripts" / name, root / "scripts")
    shutil.copy(ROOT / "pyproject.toml", root)
    (tmp_path / "bin").mkdir()
    made = CoSimulator(root, tmp_path / "bin", tmp_path / "log", tmp_path / "offline")
    for name in PYTHONS:
        made.pretend_python(name)
    made.pretend("id", "#!/bin/sh\necho 1000\n")
    made.pretend("sudo", "#!/bin/sh\nexit 1\n")
    made.pretend("apt-get", f'#!/bin/sh\necho apt-get "$@" >>{shlex.quote(str(made.log))}\n')
    return made


@pytest.fixture
def without_venv_module(machine: CoSimulator) -> Callable[[], None]:
    """Debian's Python before python3-venv; what is returned installs it."""
    installed = machine.bin / "installed"
    machine.pretend_python("python3", NO_ENSUREPIP.format(str(installed)))
    return installed.touch


def test_without_the_venv_module_and_without_root_the_apt_line_is_printed(
    machine: CoSimulator, without_venv_module: Callable[[], None]
) -> None:
    result = machine.set_up()
    assert result.returncode == 2
    assert [line.strip() for line in result.stderr.splitlines() if "apt" in line] == [
        "sudo apt-get install -y python3-venv"
    ]
    assert machine.done() == []
    assert not (machine.root / ".venv").exists()


@pytest.mark.parametrize(("user", "sudo"), [("0", "exit 1"), ("1000", 'shift; exec "$@"')], ids=["root", "sudo"])
def test_where_no_password_is_asked_for_the_venv_module_is_installed(
    machine: CoSimulator, without_venv_module: Callable[[], None], user: str, sudo: str
) -> None:
    machine.pretend("id", f"#!/bin/sh\necho {user}\n")
    machine.pretend("sudo", f"#!/bin/sh\n{sudo}\n")
    installed, log = shlex.quote(str(machine.bin / "installed")), shlex.quote(str(machine.log))
    machine.pretend(
        "apt-get", f'#!/bin/sh\nshift 3\necho apt-get "$@" >>{log}\n[ "$1" = update ] || touch {installed}\n'
    )
    said = machine.set_up().stdout
    assert machine.done()[:3] == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3-venv",
        "venv .venv",
    ]
    assert said.splitlines()[0] == "Installing once, for the system (minutes at most): python3-venv"


def test_where_apt_does_not_help_the_line_is_printed_to_root_too(
    machine: CoSimulator, without_venv_module: Callable[[], None]
) -> None:
    machine.pretend("id", "#!/bin/sh\necho 0\n")
    machine.pretend("apt-get", "#!/bin/sh\nexit 100\n")
    result = machine.set_up()
    assert result.returncode == 2
    assert "sudo apt-get install -y python3-venv" in result.stderr


def test_a_python_that_is_too_old_is_refused(machine: CoSimulator) -> None:
    for name in PYTHONS:
        machine.pretend_python(name, OLD)
    result = machine.set_up()
    assert result.returncode == 2
    assert "Python 3.11 or newer is needed" in result.stderr
    assert machine.done() == []


def test_a_newer_python_is_found_behind_one_that_is_too_old(machine: CoSimulator) -> None:
    machine.pretend_python("python3", OLD)
    machine.pretend("python3.13", "#!/bin/sh\nexit 127\n")  # a version manager's stand-in for nothing
    assert machine.set_up().returncode == 0
    assert machine.done() == ["venv .venv", "pip install ."]


def test_what_is_set_up_is_left_alone(machine: CoSimulator) -> None:
    assert machine.set_up("dev").returncode == 0
    assert machine.done() == ["venv .venv", *DEV]
    for extras in ("dev", "run"):
        again = machine.set_up(extras)
        assert (again.returncode, again.stdout, machine.done()) == (0, "", [])


def test_the_tools_are_added_to_what_is_there(machine: CoSimulator) -> None:
    machine.set_up("run")
    machine.done()
    machine.set_up("dev")
    assert machine.done() == DEV


def test_a_newer_project_file_brings_the_environment_up_to_date(machine: CoSimulator) -> None:
    machine.set_up("dev")
    machine.done()
    later = (machine.root / ".venv" / ".set-up").stat().st_mtime + 10
    os.utime(machine.root / "pyproject.toml", (later, later))
    machine.set_up("run")
    assert machine.done() == DEV


def test_a_copy_that_pip_has_put_in_the_place_of_the_checkout_is_replaced_by_it(machine: CoSimulator) -> None:
    machine.set_up("dev")
    machine.done()
    (machine.root / INSTALLED / "direct_url.json").write_text('{"dir_info": {}}')
    machine.set_up("run")
    assert machine.done() == DEV


def test_an_interrupted_set_up_begins_again(machine: CoSimulator) -> None:
    machine.offline.touch()
    assert machine.set_up().returncode != 0
    assert machine.done() == ["venv .venv", "pip install ."]
    machine.offline.unlink()
    assert machine.set_up().returncode == 0
    assert machine.done() == ["venv .venv", "pip install ."]


def test_an_environment_without_its_python_is_made_again(machine: CoSimulator) -> None:
    machine.set_up()
    machine.done()
    (machine.root / ".venv" / "bin" / "python").unlink()
    assert machine.set_up().returncode == 0
    assert machine.done() == ["venv .venv", "pip install ."]


def test_a_moved_checkout_is_set_up_again(machine: CoSimulator) -> None:
    machine.set_up()
    machine.done()
    machine.root = machine.root.rename(machine.root.with_name("elsewhere"))
    assert machine.set_up().returncode == 0
    assert machine.done() == ["venv .venv", "pip install ."]
