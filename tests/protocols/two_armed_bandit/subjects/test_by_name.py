"""Models by their names, and what is said of wrong names and wrong parameters."""

from importlib.metadata import EntryPoint
from typing import Any

import pytest

from protocols.two_armed_bandit.subjects.learners.value_learning import RecursiveLogistic
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortMouse
from protocols.two_armed_bandit.subjects.rflr import RflrMouse
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.system import plugins as catalog
from sim_hardware import loop as virtual
from sim_hardware.driver import make_model, subject
from sim_hardware.world.body import Body
from sim_hardware.world.world import World

SUBJECTS = "protocols.two_armed_bandit.subjects"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the models of this repository, whatever is installed."""
    names = {"rflr": "rflr:RflrMouse", "random": "random_choice:RandomMouse"}
    points = [EntryPoint(name, f"{SUBJECTS}.{value}", "rig.models") for name, value in names.items()]
    monkeypatch.setattr(catalog, "read_entry_points", lambda group, path: points)


@pytest.mark.usefixtures("installed")
def test_a_model_is_made_by_its_name_from_what_the_command_line_gives() -> None:
    mouse = make_model("rflr", {"alpha": "1.5", "p_early": "0"})
    assert isinstance(mouse, RflrMouse)
    assert isinstance(mouse.learner, RecursiveLogistic)
    assert mouse.learner.alpha == 1.5
    assert isinstance(make_model("random", {}), NosePortMouse)


@pytest.mark.usefixtures("installed")
def test_every_wrong_parameter_is_listed_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError) as caught:
        make_model("rflr", {"alhpa": "1", "tau": "0", "beta": "much", "p_early": "1.5"})
    mistakes = caught.value.mistakes
    assert len(mistakes) == 4
    for name, mistake in zip(("p_early", "beta", "tau", "alhpa"), mistakes, strict=True):
        assert mistake.startswith(f"--param {name}: ")
        assert "rflr takes: " in mistake
        assert "alpha, beta, tau" in mistake


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "hint"),
    [("rflrr", r"did you mean 'rflr'\? There are: random, rflr"), ("q", r"installed\. There are: random")],
)
def test_a_model_that_is_not_installed_is_named_with_those_that_are(name: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=hint):
        make_model(name, {})


@pytest.mark.usefixtures("installed")
def test_a_rehearsal_without_a_model_has_no_subject(plan: RigSpec) -> None:
    async def main() -> tuple[Any, Any]:
        body = Body(World(plan, lambda: 0), running(), 0)
        absent = subject(SimulationOptions(), body)
        present = subject(SimulationOptions("random", {"p_left": "1"}), body)
        return absent, present

    absent, present = virtual.run(main())
    assert absent is None
    coroutine = present()
    coroutine.close()
