"""Where new calibrations are written."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rig.maintenance.valves.curve_writer import calibration_folder
from tests.installed_package import write_config_package


def bench(rig_file: Path) -> Any:
    return SimpleNamespace(is_simulated=False, rig=SimpleNamespace(sources=(rig_file,)))


def test_a_calibration_goes_beside_its_rig_but_never_into_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    packaged = write_config_package(tmp_path, "a_lab", {"rigs/box.yaml": ""})
    own = Path("configs", "calibrations")
    assert calibration_folder(bench(packaged / "rigs" / "box.yaml"), None) == own
    assert calibration_folder(bench(Path("lab/rigs/box.yaml")), None) == Path("lab/calibrations")
    assert calibration_folder(bench(packaged / "rigs" / "box.yaml"), "here") == Path("here")
