from rig.core.model.rows import Row
from rig.core.task import graph_text
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams


class Small(Task[TaskParams, object, Row]):
    """Two states."""

    @state(to=("go", "rest"), can_end=True)
    async def rest(self) -> Next:
        """Nothing happens.

        And this is not shown.
        """
        return self.go

    @state(to=("rest",))
    async def go(self) -> Next:
        return self.rest


def test_the_graph_is_lines_of_text_with_a_star_where_a_session_may_end():
    assert graph_text.text(Small).splitlines() == [
        "* rest -> go, rest                 Nothing happens.",
        "  go   -> rest",
        "",
        "* a session may end here",
    ]


def test_the_graph_is_a_diagram_that_begins_with_the_first_state():
    assert graph_text.mermaid(Small).splitlines() == [
        "stateDiagram-v2",
        "    [*] --> rest",
        "    rest --> go",
        "    rest --> rest",
        "    rest --> [*]",
        "    go --> rest",
    ]
