import io
from pathlib import Path

import pytest

from benchmarks import plain_loop, simpy_model, stack

SHORT_S = 300


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_simpy_model_and_the_full_stack_tell_the_same_story_and_so_does_a_plain_loop(
    seed: int, tmp_path: Path
) -> None:
    run = stack.run(seed, tmp_path, SHORT_S)
    assert run.outcome.reason == "time_limit"
    assert run.outcome.rows > 40
    assert simpy_model.simulate(seed, io.StringIO(), SHORT_S) == run.trace
    assert simpy_model.simulate(seed, io.StringIO(), SHORT_S, plain_loop) == run.trace


def test_a_whole_session_of_the_simpy_model_is_the_full_stacks(tmp_path: Path) -> None:
    run = stack.run(1, tmp_path)
    assert simpy_model.simulate(1, io.StringIO()) == run.trace


def test_the_simpy_model_writes_a_line_for_everything_it_tells() -> None:
    log = io.StringIO()
    trace = simpy_model.simulate(3, log, 60)
    assert log.getvalue().splitlines() == [f"{t_us},{channel},{value}" for t_us, channel, value in trace]
