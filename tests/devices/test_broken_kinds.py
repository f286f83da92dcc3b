"""Mistakes in a laboratory's device classes: each is one clear message, and hinders only rigs that use the class."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Rig
from tests.repository import ROOT
from tests.tables import rows

PUFFER = ROOT / "docs" / "recipes" / "devices" / "puffer.py"
RIG = "boards: {uno: {driver: sim, chip: uno}}\ndevices: {puff: {kind: puffer.py:Puffer, pin: 5}}\n"

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package by its name and its entry points of devices."""

    def installed(name: str, points: str) -> None:
        site = tmp_path / name
        about = site / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        shutil.copy(PUFFER, site / f"{name}.py")
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[rig.devices]\n{points}\n")
        monkeypatch.syspath_prepend(str(site))

    return installed


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write the rig, and the puffer with something in it replaced and something before it."""

    def written(old: str = "", new: str = "", before: str = "") -> None:
        text = PUFFER.read_text()
        assert old in text
        head, begin, rest = text.replace(old, new).partition("class PufferConfig")
        (tmp_path / "puffer.py").write_text(f"{head}{before}\n\n{begin}{rest}")
        (tmp_path / "lab.yaml").write_text(RIG)
        monkeypatch.chdir(tmp_path)

    return written


def test_a_package_that_cannot_be_imported_hinders_no_other_device(rig: Rig, install: Install) -> None:
    install("brokenlab", "zapper = not_there:Zapper")
    assert rig("device", "--help").status == 0
    assert rig("device", "prime", "sim_nose_ports", "left", "--yes").status == 0


def test_two_packages_cannot_offer_one_kind(rig: Rig, install: Install, lab: Callable[..., None]) -> None:
    install("house", "puff = house:Puffer\nvalve = house:Puffer")
    install("barn", "puff = barn:Puffer")
    lab()
    Path("lab.yaml").write_text(RIG.replace("puffer.py:Puffer", "puff"))
    shown = rig("check", "free_water", "--rig", "lab.yaml")
    assert shown.status == 2
    assert "device 'puff' is offered by barn and house: rename one, or uninstall its package" in shown.err
    Path("lab.yaml").write_text(RIG.replace("puffer.py:Puffer", "valve"))
    assert "device 'valve' is offered by behavior-rig and house" in rig("check", "free_water", "--rig", "lab.yaml").err


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("super().__init__(name)", 'raise KeyError("left")', "KeyError: 'left'"),
        ("name: str, config: PufferConfig", "name: str", "TypeError"),
        ("super().__init__(name)", "", "lacks super().__init__(name)"),
    ],
)
def test_a_class_that_cannot_be_built_is_a_mistake_at_the_device(
    rig: Rig, lab: Callable[..., None], old: str, new: str, problem: str
) -> None:
    lab(old, new)
    shown = rig("check", "free_water", "--rig", "lab.yaml")
    assert shown.status == 2
    assert "devices.puff: Puffer cannot be built: " in shown.err
    assert problem in shown.err


@rows("before", "maintenance", "problem")
def test_a_mistake_in_a_verb_is_told_when_it_is_wanted(
    rig: Rig, lab: Callable[..., None], before: str, maintenance: str, problem: str
) -> None:
    lab("Config = PufferConfig", f"Config = PufferConfig\n    maintenance = {maintenance}", before)
    shown = rig("device", "turn", "lab.yaml", "puff")
    assert shown.status == 2
    assert problem in shown.err
