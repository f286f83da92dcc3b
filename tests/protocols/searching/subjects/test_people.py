"""Participants who differ in the parameters of their model."""

import math
import statistics
from typing import Any

import pytest

from protocols.searching.subjects import participants
from protocols.searching.subjects.parameters import UcbParams
from protocols.searching.subjects.participant import GridParticipant
from protocols.searching.subjects.people import SPREAD

KINDS = [
    participants.LocalSearch,
    participants.MeanGreedy,
    participants.UpperConfidence,
    participants.LowerConfidence,
    participants.ProbabilityOfSafety,
    participants.OptionLearner,
]


def taus(count: int, **params: Any) -> list[float]:
    """The temperatures of people with numbers."""
    people = (UcbParams.model_validate({"subject": f"P{number}", **params}) for number in range(count))
    return [participants.UpperConfidence(each).params.tau for each in people]


def test_people_without_a_spread_are_alike() -> None:
    assert set(taus(5, tau=0.2)) == {0.2}


def test_people_with_a_spread_differ_as_a_lognormal_distribution_says() -> None:
    logarithms = [math.log(tau) for tau in taus(400, tau=0.2, tau_spread=0.5)]
    assert statistics.fmean(logarithms) == pytest.approx(math.log(0.2), abs=0.08)
    assert statistics.stdev(logarithms) == pytest.approx(0.5, abs=0.06)


def test_a_person_has_the_same_parameters_in_every_session() -> None:
    assert taus(3, tau_spread=0.5) == taus(3, tau_spread=0.5)


def test_the_spread_of_one_parameter_does_not_change_the_draws_of_another() -> None:
    assert taus(3, tau_spread=0.5) == taus(3, tau_spread=0.5, beta_spread=0.5, length_spread=0.3)


@pytest.mark.parametrize("kind", KINDS)
def test_every_spread_is_that_of_a_parameter(kind: type[GridParticipant[Any]]) -> None:
    fields = kind.Params.model_fields
    spreads = [name for name in fields if name.endswith(SPREAD)]
    assert {name.removesuffix(SPREAD) for name in spreads} <= fields.keys()
    alike, own = (kind(kind.Params(subject="P1", **values)).params for values in ({}, dict.fromkeys(spreads, 0.5)))
    assert {name for name in fields if getattr(alike, name) != getattr(own, name)} == {
        *spreads,
        *(name.removesuffix(SPREAD) for name in spreads),
    }
