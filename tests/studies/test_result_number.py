import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import ConfigError
from rig.studies.result_number import take
from tests.tables import rows

DOCUMENT: dict[str, Any] = {
    "groups": {
        "80-20": {"rates": {"high": {"value": 0.75, "n": 120}, "switch": {"value": None}}, "fits": None},
        "pooled": {},
    },
    "sessions": [
        {"name": "m1", "day": 1, "low": True, "share": 0.5},
        {"name": "m2", "day": 2.0, "low": False, "share": 0.25},
        {"name": "m3", "day": 2.0, "low": False, "share": 0.125},
    ],
    "delays": {5: {"share": 0.1}},
    "curve": [0.1, 0.2, math.inf],
    "none": [],
}


@rows("place", "value")
def test_a_place_leads_to_its_number(place: str, value: float) -> None:
    assert take(DOCUMENT, place) == value


@pytest.mark.parametrize("place", ["groups/80-20/rates/switch/value", "groups/80-20/fits", "curve/2"])
def test_null_and_infinity_are_nan(place: str) -> None:
    assert math.isnan(take(DOCUMENT, place))


def test_a_number_of_numpy_is_a_number() -> None:
    assert take({"n": np.int64(3), "mean": np.float64(0.5)}, "n") == 3.0


@rows("place", "where", "what")
def test_a_wrong_place_is_told_with_what_is_there(place: str, where: str, what: str) -> None:
    with pytest.raises(ConfigError) as error:
        take(DOCUMENT, place)
    (said,) = error.value.mistakes
    assert said.startswith(where)
    assert what in said


def test_a_long_list_of_names_is_cut() -> None:
    with pytest.raises(ConfigError) as error:
        take({f"{number:03}": 0 for number in range(500)}, "x/y")
    assert len(str(error.value)) < 200
    assert "488 more" in str(error.value)


keys = st.text(min_size=1, max_size=8).filter(lambda key: "/" not in key)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**40), 2**40) | st.booleans()
documents = st.recursive(
    numbers | st.none() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def leaves(document: Any, place: str = "") -> list[tuple[str, Any]]:
    if isinstance(document, dict):
        return [leaf for key, each in document.items() for leaf in leaves(each, f"{place}/{key}")]
    if isinstance(document, list):
        return [leaf for index, each in enumerate(document) for leaf in leaves(each, f"{place}/{index}")]
    return [(place[1:], document)]


@settings(max_examples=50)
@given(st.dictionaries(keys, documents, min_size=1, max_size=4))
def test_each_number_of_a_document_is_at_its_place(document: dict[str, Any]) -> None:
    for place, value in leaves(document):
        if isinstance(value, str):
            with pytest.raises(ConfigError, match="no number"):
                take(document, place)
        elif value is None:
            assert math.isnan(take(document, place))
        else:
            assert take(document, place) == float(value)


@settings(max_examples=50)
@given(st.dictionaries(keys, documents, max_size=4), st.lists(keys, min_size=1, max_size=4).map("/".join))
def test_any_other_place_is_one_mistake(document: dict[str, Any], place: str) -> None:
    mistakes: tuple[str, ...] = ()
    try:
        take(document, place)
    except ConfigError as error:
        mistakes = error.mistakes
    assert len(mistakes) <= 1


@given(st.lists(st.tuples(st.text(max_size=6).filter(lambda name: "/" not in name), numbers), min_size=1, max_size=5))
def test_an_entry_of_a_list_is_chosen_by_its_name(entries: list[tuple[str, float]]) -> None:
    document = {"rows": [{"name": name, "value": value} for name, value in entries]}
    names = [name for name, _ in entries]
    for name, value in entries:
        if names.count(name) == 1:
            assert take(document, f"rows/name={name}/value") == float(value)
        else:
            with pytest.raises(ConfigError, match="entries have"):
                take(document, f"rows/name={name}/value")
