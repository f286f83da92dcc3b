"""What a laboratory gets: the wheel, in an environment of its own, far from the checkout."""

import os
import signal
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from rig.session.shipped_sessions import shipped_sessions
from sim_hardware.avr8js.node_process import find_node
from tests.avr_tools import need_node
from tests.cli.processes import until
from tests.installed_package import EXAMPLE

pytestmark = pytest.mark.wheel

ROOT = Path(__file__).parent.parent
WHEEL = "example_lab-1.0-py3-none-any.whl"
PLAYED = ("detection", "--subject", "M1", "--model", "whisker_mouse", "--seed", "1", "--data", "data")
SERVED_RIG = """
extends: buzz_box_sim.yaml
calibration_max_days: null
boards: {uno: {driver: serial, port: %s}}
"""
# The first links a library under the GPL, the second needs a package of npm.
NOT_IN_THE_WHEEL = ("sim_hardware/avr/shim", "sim_hardware/avr8js/node/rp2040", "sim_hardware/avr8js/node/node_modules")
# Nothing of the running environment may reach the new one.
FOREIGN_AWAIT = ("COVERAGE", "PYTEST", "PYTHON", "RIG_", "VIRTUAL_ENV")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN_AWAIT)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    ask(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("behavior_rig-*-py3-none-any.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a new environment with the wheel in it."""
    home = tmp_path_factory.mktemp("laboratory")
    ask(sys.executable, "-m", "venv", home / "env", cwd=home)
    commands = home / "env" / ("Scripts" if os.name == "nt" else "bin")
    how = "-m pip install --quiet --no-input --no-compile --retries=2 --timeout=60"
    pip = (commands / "python", *how.split())
    if run(*pip, wheel, "pytest", cwd=home).returncode != 0:  # no registry within reach: borrow what is installed here
        ask(*pip, "--no-deps", wheel, cwd=home)
        where = ask(commands / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home)
        Path(where.strip(), "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return commands


@pytest.fixture(scope="module")
def package(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of the environment, with the wheel of the example package in it as well."""
    folder = tmp_path_factory.mktemp("package")
    ask(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, EXAMPLE, cwd=folder)
    ask(installed / "python", "-m", "pip", "install", "--quiet", "--no-deps", folder / WHEEL, cwd=folder)
    return installed


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )


def ask(*command: str | Path, cwd: Path) -> str:
    """What a command answers; it must succeed."""
    result = run(*command, cwd=cwd)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def without_compilers(folder: Path) -> str:
    """A search path with node and no other program."""
    node = find_node()
    assert node is not None
    (folder / "bin").mkdir()
    (folder / "bin" / "node").symlink_to(node)
    return str(folder / "bin")


def test_the_wheel_holds_the_product_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {
        "rig/py.typed",
        "rig/_configs/protocols/two_armed_bandit.yaml",
        "rig/_configs/schemas/two_armed_bandit.schema.json",
        "rig/diagnostics/udev/60-behavior-rig.rules",
        *(f"rig/_firmware/{file.name}" for file in (ROOT / "rig" / "_firmware").iterdir()),
        "rig/cli/show/templates/my_task.py",
        "rig/cli/show/templates/my_task.yaml",
        "protocols/two_armed_bandit/task.py",
        "sim_hardware/__init__.py",
        "sim_hardware/avr8js/node/server.js",
        "sim_hardware/avr8js/node/avr8js/LICENSE",
    } <= set(names)
    assert "protocols/__init__.py" not in names
    assert [name for name in names if name.startswith(NOT_IN_THE_WHEEL)] == []
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "rig",
        "protocols",
        "sim_hardware",
        "behavior_rig",
    }
    assert [name for name in names if name.endswith((".csv", ".pyc")) or "/test_" in name] == []
    journals = [name for name in names if name.endswith(".jsonl")]
    assert journals == [name for name in names if "/recorded/" in name]
    assert len(journals) == len(shipped_sessions())


def test_the_wheel_works_far_from_the_checkout(wheel: Path, installed: Path, tmp_path: Path) -> None:
    where = "import protocols.free_water.task as p, rig, sim_hardware as s; print(rig.__file__, p.__file__, s.__file__)"
    assert str(ROOT) not in ask(installed / "python", "-c", where, cwd=tmp_path)
    rig = installed / "rig"
    assert wheel.name.split("-")[1] in ask(rig, "--version", cwd=tmp_path)
    assert "choose" in ask(rig, "show", "graph", "two_armed_bandit", cwd=tmp_path)
    ask(rig, "demo", "--data", tmp_path / "demo", "--speed", "max", cwd=tmp_path)
    assert "self-test: OK (0 errors" in ask(rig, "self-test", "--data", tmp_path / "demo", cwd=tmp_path)
    ask(rig, "sim", "two_armed_bandit", "--model", "rflr", "--seed", "1", "--data", tmp_path / "sim", cwd=tmp_path)
    ask(rig, "show", "protocols", "--template", "my_task", cwd=tmp_path)
    ask(rig, "check", "my_task.yaml", cwd=tmp_path)
    ask(rig, "sim", "my_task.yaml", "--model", "random", "--seed", "1", "--data", tmp_path / "mine", cwd=tmp_path)
    for data in ("demo", "sim", "mine"):
        (trials,) = (tmp_path / data).rglob("trials.csv")
        assert len(trials.read_text().splitlines()) > 1


def test_a_laboratorys_tests_run_sessions_with_the_wheel(installed: Path, tmp_path: Path) -> None:
    session = "run_session('free_water', [poke(1.0, 'left')], stop={'session_s': 5})"
    code = f"from rig.testing import poke, run_session; print({session}.row.choice)"
    assert ask(installed / "python", "-c", code, cwd=tmp_path) == "left\n"
    points = "import importlib.metadata as m; print(*(p.value for p in m.entry_points(group='pytest11')))"
    assert "rig.pytest_plugin" in ask(installed / "python", "-c", points, cwd=tmp_path)


def test_an_experiment_of_an_installed_package_is_checked_simulated_run_and_analyzed(
    package: Path, tmp_path: Path
) -> None:
    rig = package / "rig"
    assert f"{package.parent}" in ask(rig, "check", "detection", "detection_easy", "buzz_box_sim", cwd=tmp_path)
    ask(rig, "sim", *PLAYED, "--start", "2026-11-21", cwd=tmp_path)
    ask(rig, "run", *PLAYED, "--board", "sim", "--set", "stop.session_s=3", cwd=tmp_path)
    session = Path("data", "sim", "M1", "2026-11-21", "001")
    assert "hits by the length of the buzz" in ask(rig, "analyze", session, cwd=tmp_path)
    assert "200 hits in 332 trials" in ask(rig, "detection", session, cwd=tmp_path)
    assert ": the same, " in ask(rig, "replay", session, cwd=tmp_path)


def test_the_tests_of_an_installed_package_are_green(package: Path, tmp_path: Path) -> None:
    tests = EXAMPLE / "tests"
    assert "3 passed" in ask(package / "python", "-m", "pytest", "-p", "no:cacheprovider", tests, cwd=tmp_path)


@pytest.mark.real_time
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_an_experiment_of_an_installed_package_runs_on_a_served_board(package: Path, tmp_path: Path) -> None:
    need_node()
    rigs, port = tmp_path / "configs" / "rigs", tmp_path / "ttyAVR"
    rigs.mkdir(parents=True)
    (rigs / "buzz_box.yaml").write_text(SERVED_RIG % port)
    serve = (package / "rig", "board", "serve", "buzz_box", "--link", str(port))
    played = (*serve, "--model", "whisker_mouse")
    with subprocess.Popen(played, cwd=tmp_path, env=ENVIRONMENT | {"PATH": without_compilers(tmp_path)}) as server:
        try:
            until(port.exists)
            words = ("run", "detection", "--rig", "buzz_box", "--subject", "M2", "--new", "--yes", "--data", "data")
            limits = ("--set", "stop.session_s=8", "--override", "weight=rehearsal")
            ask(package / "rig", *words, *limits, cwd=tmp_path)
        finally:
            server.send_signal(signal.SIGINT)
    (trials,) = (tmp_path / "data" / "M2").rglob("trials.csv")
    assert "hit" in trials.read_text() or "miss" in trials.read_text()
