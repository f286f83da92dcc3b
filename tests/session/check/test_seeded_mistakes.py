"""A mistake in any state of any shipped protocol or recipe is told by its rehearsal, with the line."""

from functools import cache
from pathlib import Path

import pytest

from rig.config.errors.errors import SourceLocation
from rig.session.check.check import rehearse_spec
from rig.session.check.rehearsal import unused_states
from rig.session.spec.build import spec_from_file
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from tests.session.check.seeded_mistakes import Seed, first, last, returns, seeded

ROOT = Path(__file__).parents[3]
RECIPES = ROOT / "docs" / "recipes"
FILES = {
    **{
        name: ROOT / "configs" / "protocols" / f"{name}.yaml"
        for name in (
            "delay_discounting",
            "disk_bandit",
            "disk_bandit_autoshaping",
            "disk_bandit_human",
            "free_water",
            "grid_bandit",
            "risky_bandit",
            "two_armed_bandit",
            "two_armed_bandit_stage1",
        )
    },
    **{path.stem: path for path in sorted((RECIPES / "configs" / "protocols").glob("*.yaml"))},
}

MISTAKES: dict[str, tuple[Seed, str]] = {
    "an attribute that no task has": (first("self.no_such_thing += 1"), "has no attribute 'no_such_thing'"),
    "a division by zero": (last("1 / 0"), "ZeroDivisionError"),
    "a state that does not exist": (returns("self.no_such_state"), "has no attribute 'no_such_state'"),
    "a forgotten await": (first("self.sleep(1)"), "was not awaited"),
    "a wrong key": (last("{'left': 1}['Left']"), "KeyError: 'Left'"),
    "a column that the table lacks": (first("type(self).row_type.no_such_column"), "no_such_column"),
    "a time in the past": (first("await self.sleep(-1)"), "sleep is -1 s: wanted 0 or more"),
    "a name that was never set": (last("rewards_given"), "NameError: name 'rewards_given' is not defined"),
    "a parameter that does not exist": (first("self.params.no_such_s"), "no_such_s"),
    "a number and a text": (last("'2' + 2"), "TypeError"),
    "a method instead of a state": (returns("self.prepare"), "which is not a state"),
    "nothing returned": (returns("None"), "which is not a state"),
    "a device that the box lacks": (first("self.box.no_such_device"), "no_such_device"),
}


@cache
def spec_of(name: str) -> SessionSpec:
    return spec_from_file(FILES[name], SessionRequest())


def states() -> list[tuple[str, str]]:
    """Return all states that run: a session ends at the entry of an empty last state."""
    return [
        (name, state)
        for name in FILES
        for state in spec_of(name).task.states
        if state not in unused_states(spec_of(name)) and state != "done"
    ]


SEEDED = [(*place, list(MISTAKES)[number % len(MISTAKES)]) for number, place in enumerate(states())]


def test_there_are_more_than_fifty() -> None:
    assert len(SEEDED) > 50
    assert {mistake for _, _, mistake in SEEDED[::2]} == set(MISTAKES), "without the campaign"


@pytest.mark.parametrize(
    ("name", "state", "mistake"),
    [
        pytest.param(*seed, id="-".join(seed[:2]), marks=pytest.mark.campaign if number % 2 else ())
        for number, seed in enumerate(SEEDED)
    ],
)
def test_a_mistake_in_a_state_is_told(name: str, state: str, mistake: str) -> None:
    seed, text = MISTAKES[mistake]
    spec = spec_of(name)
    loc = ("protocol",)
    mistakes = rehearse_spec(seeded(spec, state, seed), SessionRequest(), SourceLocation("p.yaml", 1), loc).mistakes
    file = Path(getattr(spec.task, state).__code__.co_filename).name
    assert any(text in line and file in line for line in mistakes), mistakes
