"""What decides the sessions of an arm."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from rig.campaigns.condition import condition_of
from rig.core.model.rig_spec import SimulationOptions
from rig.session.spec.request import SessionRequest
from rig.system import plugins

MOUSE = """\
from sim_hardware.models.base import Model
from ..learning import rates

class Mouse(Model):
    async def live(self, body):
        from lab_mice import later
"""
FILES = {
    "__init__.py": "",
    "learning/__init__.py": "",
    "learning/rates.py": "from lab_mice.learning.other import SLOW\n",
    "learning/other.py": "SLOW = 1\n",
    "later.py": "",
    "plots.py": "",
    "models/__init__.py": "",
    "models/mouse.py": MOUSE,
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A laboratory's package, in which its virtual subject is installed."""
    folder = tmp_path / "lab_mice"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("mine", "lab_mice.models.mouse:Mouse", "rig.models")
    true = plugins.read_entry_points
    monkeypatch.setattr(
        plugins, "read_entry_points", lambda group, path: [point] if group == point.group else true(group, path)
    )
    for name in [name for name in sys.modules if name.partition(".")[0] == "lab_mice"]:
        monkeypatch.delitem(sys.modules, name)
    return folder


def key() -> str:
    request = SessionRequest(protocol="configs/protocols/free_water.yaml", simulation=SimulationOptions("mine"))
    return condition_of(1, request).key


@pytest.mark.parametrize("name", ["models/mouse.py", "learning/rates.py", "learning/other.py", "later.py"])
def test_the_code_of_an_installed_virtual_subject_decides(name: str, package: Path) -> None:
    before = key()
    assert key() == before
    with (package / name).open("a") as file:
        file.write("# changed\n")
    assert key() != before


def test_code_that_the_virtual_subject_does_not_import_does_not_decide(package: Path) -> None:
    before = key()
    (package / "plots.py").write_text("# changed\n")
    assert key() == before


def test_the_file_that_a_parameter_names_decides(tmp_path: Path) -> None:
    script = tmp_path / "script.csv"
    script.write_text("t_us,place,level\n")
    simulation = SimulationOptions("scripted", {"file": str(script)})
    request = SessionRequest(protocol="configs/protocols/free_water.yaml", simulation=simulation)
    before = condition_of(1, request).key
    assert condition_of(1, request).key == before
    script.write_text("t_us,place,level\n1000000,left,1\n")
    assert condition_of(1, request).key != before
