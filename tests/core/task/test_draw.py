"""What a task draws before its session: in the header, and in every replay the same."""

import copy
from collections.abc import Mapping
from typing import Any

from rig import Next, RandomStreams, state
from rig.session.replay import replay_lines
from rig.session.spec.task_classes import FoundTask
from tests.harness import run_harness
from tests.session_specs import PortTask, Visit, Water, task_spec


class Drawing(PortTask):
    """Writes a row with what was drawn."""

    @classmethod
    def draw(cls, params: Water, streams: RandomStreams, carried_over: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return one number."""
        return {"number": streams("number").integer(1, 10**9)}

    @state(to=("only",), can_end=True)
    async def only(self) -> Next:
        """Write the number."""
        self.begin_trial(Visit(outcome=str(self.drawn["number"])))
        self.end_trial()
        self.end("task_finished")
        await self.sleep(0.1)
        return self.only


def test_what_is_drawn_before_a_session_is_in_its_header_and_in_the_task() -> None:
    first, again, other = (run_harness(task_spec(Drawing, seed=seed)) for seed in (1, 1, 2))
    assert first.row["outcome"] == str(first.journal[0].drawn["number"])
    assert first.journal[0].drawn == again.journal[0].drawn != other.journal[0].drawn


def test_a_replay_takes_it_from_the_header_and_draws_nothing() -> None:
    journal, found = copy.deepcopy(run_harness(task_spec(Drawing)).journal), FoundTask("of_a_test", Drawing)
    assert replay_lines(journal, found)[1] is None
    journal[0].drawn["number"] = 7
    assert replay_lines(journal, found)[1] is not None
