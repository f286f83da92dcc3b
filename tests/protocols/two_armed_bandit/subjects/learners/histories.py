"""Choice and reward histories for the tests of the learners."""

from hypothesis import strategies as st

from protocols.two_armed_bandit.subjects.learners.base import Learner

Past = list[tuple[int, int]]
PASTS = st.lists(st.tuples(st.sampled_from([1, -1]), st.sampled_from([0, 1])), max_size=200)
SIDES = {1: "left", -1: "right"}


def teach(learner: Learner, past: Past) -> float:
    """Let a learner live through a history; return its log-odds."""
    for choice, reward in past:
        learner.observe(SIDES[choice], bool(reward))
    return learner.psi()
