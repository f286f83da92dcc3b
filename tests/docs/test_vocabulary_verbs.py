"""A verb acts and returns nothing; a noun makes an action. The rule holds for every method of the vocabulary."""

import inspect
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

import rig
from rig.core.model.actions import Action
from scripts import vocabulary

OVERRIDDEN = {"prepare", "on_interrupted", "conclude", "check_history", "end_interrupted_trial", "interrupted"}
OVERRIDDEN |= {"on_rewards"}
"""What the program calls, and a protocol only overrides."""
ACTIONS = {*get_args(Action)}
VERBS = {*vocabulary.ACTS, *vocabulary.TASK_ACTS}
NOUNS = {*vocabulary.MAKES_ACTION, *vocabulary.MAKES_MORE}


def results() -> Iterator[tuple[str, str, Any]]:
    """Yield the methods and properties of the vocabulary: owner, name, and what each returns."""
    for owner in vocabulary.COMPLETE:
        for name in dir(getattr(rig, owner)):
            member = inspect.getattr_static(getattr(rig, owner), name)
            function = member.fget if isinstance(member, property) else member
            if inspect.isfunction(function) and not name.startswith("_") and name not in vocabulary.MACHINERY:
                yield owner, name, get_type_hints(inspect.unwrap(function)).get("return")


@pytest.mark.parametrize(
    ("owner", "name", "returned"), [pytest.param(*case, id=".".join(case[:2])) for case in results()]
)
def test_a_verb_returns_nothing_and_a_noun_returns_an_action(owner: str, name: str, returned: Any) -> None:
    kinds = {*(get_args(returned) or (returned,))}
    if kinds & ACTIONS:
        assert kinds <= ACTIONS
        assert name in vocabulary.MAKES_ACTION
    elif returned is type(None) and name not in OVERRIDDEN:
        assert name in VERBS
    else:
        assert name not in {*VERBS, *vocabulary.MAKES_ACTION} - {"begin_trial"}


def test_no_name_is_a_verb_here_and_a_noun_there_and_each_belongs_to_the_vocabulary() -> None:
    assert not VERBS & NOUNS
    assert {name for _, name, _ in results()} >= VERBS | NOUNS


def test_the_page_says_the_rule_and_every_name_of_it() -> None:
    (rule,) = [part for part in vocabulary.page().split("\n\n") if part.startswith("**A verb acts where it is written")]
    assert all(f"`{name}`" in rule for name in (*vocabulary.ACTS, *NOUNS))
