"""An assignment that would replace what every task has is a mistake with its line."""

import ast
import inspect
import textwrap

import pytest

from rig.core.task.task import SET_AT_CONSTRUCTION, Task
from tests.session.check.source.conftest import LINE, Lab


@pytest.mark.parametrize("name", ["entries", "sleep", "waits", "ending", "trial_number", "row", "_engine"])
@pytest.mark.parametrize("line", ["self.{} = 5", "self.{} += 1", "self.{}: int = 5", "a, self.{} = 1, 2"])
def test_an_attribute_that_every_task_has_is_not_assigned(lab: Lab, name: str, line: str) -> None:
    mistakes = lab(line.format(name)).mistakes
    assert [mistake.location.line for mistake in mistakes] == [LINE]
    assert f"self.{name} = ... replaces what every task has: choose another name" in mistakes[0]


@pytest.mark.parametrize("line", ["self.visits = 5", "self.carried_over = {}", "self.row.choice = 'left'"])
def test_a_name_of_its_own_is_assigned(lab: Lab, line: str) -> None:
    assert lab(line).mistakes == ()


@pytest.mark.parametrize(
    "lines",
    [
        "class Counter:\n    def __init__(self) -> None:\n        self.row = 0",
        "def reset(self) -> None:\n    self.row = 0",
    ],
)
def test_an_attribute_of_another_self_is_not_the_tasks(lab: Lab, lines: str) -> None:
    assert lab(lines).mistakes == ()


@pytest.mark.parametrize("lines", ["def reset() -> None:\n    self.row = 0", "if True:\n    self.row = 0"])
def test_an_attribute_of_the_task_is_found_in_a_block_of_a_method(lab: Lab, lines: str) -> None:
    mistakes = lab(lines).mistakes
    assert [mistake.location.line for mistake in mistakes] == [LINE + 1]


def test_every_attribute_that_a_task_is_built_with_is_known() -> None:
    built = ast.parse(textwrap.dedent(inspect.getsource(Task.__init__)))
    assigned = {
        node.attr for node in ast.walk(built) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    assert assigned == SET_AT_CONSTRUCTION
