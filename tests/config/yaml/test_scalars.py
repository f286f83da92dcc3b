import pytest

from rig.config.yaml.scalars import collection_tag, scalar


def test_quotes_make_a_string_of_anything():
    assert scalar("12", None, plain=False) == "12"
    assert scalar("12", "!", plain=True) == "12"


def test_a_tag_overrules_the_form_and_refuses_what_it_cannot_hold():
    assert scalar("3", "tag:yaml.org,2002:float", plain=True) == 3.0
    assert scalar("-.inf", "tag:yaml.org,2002:float", plain=True) == float("-inf")
    with pytest.raises(ValueError, match="'maybe' is not true or false"):
        scalar("maybe", "tag:yaml.org,2002:bool", plain=True)


def test_an_unknown_tag_is_named_as_written():
    with pytest.raises(ValueError, match="the tag !!timestamp is not understood"):
        scalar("2026-11-03", "tag:yaml.org,2002:timestamp", plain=True)


def test_collections_take_only_their_own_tag():
    assert collection_tag(None, "map")
    assert collection_tag("tag:yaml.org,2002:map", "map")
    assert not collection_tag("tag:yaml.org,2002:map", "seq")
