import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.config.errors.errors import SourceLocation
from rig.config.yaml import document
from rig.config.yaml.document import Document, read_yaml
from rig.core.errors import ConfigError
from tests.tables import rows


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def loader(request, monkeypatch):
    monkeypatch.setattr(document, "LOADER", getattr(yaml, request.param))


@rows("text", "value")
def test_scalars_are_those_of_yaml_1_2(write, text, value):
    assert read_yaml(write(f"key: {text}\n")).data == {"key": value}


def test_not_a_number_is_a_number():
    data, _ = document.parse(".nan", lambda line: SourceLocation("a", line))
    assert data != data


def test_every_key_and_entry_knows_its_line(write):
    found = read_yaml(write("# note\na: 1\nb:\n  c:\n    - 5\n    - {d: 6}\n"))
    assert found.data == {"a": 1, "b": {"c": [5, {"d": 6}]}}
    lines = {loc: mark.line for loc, mark in found.locations.items()}
    assert lines == {
        (): 2,
        ("a",): 2,
        ("b",): 3,
        ("b", "c"): 4,
        ("b", "c", 0): 5,
        ("b", "c", 1): 6,
        ("b", "c", 1, "d"): 6,
    }


def test_keys_are_what_was_written(write):
    assert read_yaml(write("1: a\nno: b\n~: c\n")).data == {"1": "a", "no": "b", "~": "c"}


def test_a_byte_order_mark_is_accepted(write):
    assert read_yaml(write(b"\xef\xbb\xbfa: 1\n")).data == {"a": 1}


def test_an_alias_stands_for_what_was_anchored(write):
    assert read_yaml(write("a: &x {b: 1}\nc: *x\n")).data == {"a": {"b": 1}, "c": {"b": 1}}


@rows("case", "text", "expected")
def test_each_mistake_of_a_file_is_told_in_its_words(write, mistakes, text, expected):
    assert mistakes(read_yaml, write(text)) == expected


@rows("text", "expected")
def test_syntax_errors_are_in_plain_words(write, mistakes, text, expected):
    assert mistakes(read_yaml, write(text)) == [expected]


def test_an_unfamiliar_syntax_error_is_passed_on(write, mistakes):
    assert (
        "a.yaml:1: not YAML: found incompatible YAML document" in mistakes(read_yaml, write("%YAML 3.0\n---\na: 1"))[0]
    )


def test_a_file_that_is_not_utf_8_is_refused_at_its_byte(write, mistakes):
    assert mistakes(read_yaml, write(b"a: 1\nb: \xb5l\n")) == [
        "a.yaml:2: the byte 0xb5 is not UTF-8; save the file as UTF-8"
    ]


def test_nul_bytes_are_refused_at_their_line(write, mistakes):
    assert mistakes(read_yaml, write(b"a: 1\nb: \0\n")) == ["a.yaml:2: the character U+0000 is not allowed; remove it"]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "null\n"])
def test_an_empty_file_says_what_is_wanted(write, mistakes, text):
    assert mistakes(read_yaml, write(text)) == ["a.yaml:1: the file is empty; a mapping (key: value) is wanted"]


@pytest.mark.parametrize(("text", "got"), [("- 1\n- 2\n", "a list of 2"), ("hello\n", "'hello'"), ("3", "3")])
def test_the_top_of_a_file_is_a_mapping(write, mistakes, text, got):
    assert mistakes(read_yaml, write(text)) == [f"a.yaml:1: must be a mapping (key: value), got {got}"]


def test_a_missing_file_names_its_neighbors(write, mistakes, folder):
    write("a: 1", "two_armed.yaml")
    write("a: 1", "water.yml")
    write("a: 1", "notes.txt")
    assert mistakes(read_yaml, folder / "two_arm.yaml") == [
        "two_arm.yaml: no such file; did you mean 'two_armed.yaml'? its folder holds: two_armed.yaml, water.yml"
    ]


def test_a_missing_folder_or_a_folder_in_place_of_a_file_is_named(write, mistakes, folder):
    write("a: 1", "sub/a.yaml")
    assert mistakes(read_yaml, folder / "nowhere/a.yaml") == [
        f"{Path('nowhere/a.yaml')}: no such file; there is no folder nowhere"
    ]
    assert mistakes(read_yaml, folder / "sub") == ["sub: is a folder; a YAML file is wanted"]
    assert "no such file" in mistakes(read_yaml, folder / ("x" * 5000))[0]


def test_an_unreadable_file_says_why(write, mistakes, monkeypatch):
    def refuse(self):
        raise PermissionError(13, "Permission denied")

    path = write("a: 1")
    monkeypatch.setattr(type(path), "read_bytes", refuse)
    assert mistakes(read_yaml, path) == ["a.yaml: cannot be read: Permission denied"]


def test_aliases_that_multiply_are_refused_early(write, mistakes):
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    found = mistakes(read_yaml, write("\n".join(lines)))
    assert len(found) == 1
    assert "more than 5000 values" in found[0]


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "{a: ", "[{"])
def test_bottomless_nesting_is_refused_early(write, mistakes, opening):
    assert "nested more than 50 deep" in mistakes(read_yaml, write(opening * 100_000))[-1]


@pytest.mark.parametrize("digits", ["1" * 5000, "0x" + "f" * 5000])
def test_endless_numbers_are_refused(write, mistakes, digits):
    assert "digits is too long" in mistakes(read_yaml, write(f"a: {digits}"))[0]


def test_escapes_of_characters_that_do_not_exist_are_refused(write, mistakes):
    assert "not YAML" in mistakes(read_yaml, write('a: "\\UFFFFFFFF"'))[0]


def _document_or_config_error(path, contents):
    path.write_bytes(contents)
    outcome = _read_or_error(path)
    if isinstance(outcome, ConfigError):
        assert outcome.mistakes
        assert all("a.yaml" in line and "\n" not in line for line in outcome.mistakes)
    else:
        assert isinstance(outcome.data, dict)
        assert () in outcome.locations


def _read_or_error(path) -> Document | ConfigError:
    try:
        return read_yaml(path)
    except ConfigError as error:
        return error


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=200))
def test_random_bytes_give_a_document_or_a_config_error(tmp_path_factory, contents):
    _document_or_config_error(tmp_path_factory.getbasetemp() / "a.yaml", contents)


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="ab1:-?[]{},&*!|>'\"%@#\t \n\\x~<é\ufeff", max_size=60))
def test_random_punctuation_gives_a_document_or_a_config_error(tmp_path_factory, text):
    _document_or_config_error(tmp_path_factory.getbasetemp() / "a.yaml", text.encode())


_text = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")), max_size=20)
_leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _text
_trees = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(_text, _trees, min_size=1, max_size=4))
def test_what_json_wrote_is_read_back(tmp_path_factory, tree):
    path = tmp_path_factory.getbasetemp() / "a.yaml"
    path.write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    assert read_yaml(path).data == tree
