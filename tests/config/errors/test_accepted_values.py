from typing import Annotated, Literal

from pydantic import BaseModel, Field, Tag

from rig.config.errors.accepted_values import accepted_keys


class Leaf(BaseModel):
    a: int
    b: int = Field(alias="bee")


class Other(BaseModel):
    kind: Literal["other"]
    c: int


class Top(BaseModel):
    leaf: Leaf | None
    leaves: list[Leaf]
    pairs: tuple[int, Leaf]
    by_name: dict[str, Annotated[Leaf, Tag("t")]]
    either: Leaf | Other
    number: int


def test_the_keys_of_the_top_are_those_of_the_model():
    assert accepted_keys(Top, ()) == ["leaf", "leaves", "pairs", "by_name", "either", "number"]


def test_keys_are_found_through_options_lists_mappings_and_tags():
    for loc in (("leaf",), ("leaves", 3), ("pairs", 1), ("by_name", "x", "t"), ("by_name", "x")):
        assert accepted_keys(Top, loc) == ["a", "bee"]


def test_a_union_accepts_the_keys_of_the_member_named_or_of_all():
    assert accepted_keys(Top, ("either", "Leaf")) == ["a", "bee"]
    assert accepted_keys(Top, ("either", "other")) == ["kind", "c"]
    assert accepted_keys(Top, ("either",)) == ["a", "bee", "kind", "c"]


def test_a_place_that_is_no_mapping_accepts_no_keys():
    assert accepted_keys(Top, ("number",)) == []
    assert accepted_keys(Top, ("nowhere", "at", "all")) == []
