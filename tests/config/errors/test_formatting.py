from pathlib import Path

from rig.config.errors.formatting import (
    display_path,
    key_text,
    no_such_file,
    value_text,
    yaml_files,
)
from tests.tables import rows


def test_a_path_below_the_current_folder_is_shown_relative_to_it(folder):
    assert display_path(folder / "configs" / ".." / "a.yaml") == "a.yaml"
    elsewhere = folder.parent / "elsewhere" / "a.yaml"
    assert display_path(elsewhere) == str(elsewhere)


def test_a_place_is_written_with_dots_and_brackets():
    assert key_text(("points", 2, "ul")) == "points[2].ul"
    assert key_text(()) == ""
    assert key_text(("a\nb", "c")) == "'a\\nb'.c"


@rows("value", "text")
def test_a_value_is_written_as_in_yaml(value, text):
    assert value_text(value) == text


def test_the_neighbors_of_a_missing_file_are_distinguished_by_their_stems(write):
    write("", "configs/p.yaml")
    assert no_such_file(Path("configs/zzz.yaml")) == "no such file; its folder holds: p.yaml"
    Path("empty").mkdir()
    assert no_such_file(Path("empty/a.yaml")) == "no such file; its folder holds: no YAML files"


def test_a_folder_that_cannot_be_read_holds_nothing():
    assert yaml_files(Path("nowhere")) == []
