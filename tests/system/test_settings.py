"""A computer's own settings."""

import json
import os
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.system.config_paths import user_settings
from rig.system.settings import Setting, Settings, boxes_by_rig, check_experimenter, load_settings, rig_of
from tests.tables import rows


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with no settings yet: neither here, nor the user's, nor in a variable."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "user"))
    for name in [name for name in os.environ if name.startswith("RIG_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write_user(text: str) -> None:
    path = Path(user_settings())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("boxes", "found"),
    [
        ({"box a": "box_a"}, {"box_a": "box a"}),
        ({"box a": "/lab/rigs/box_a.yaml", "box b": "rigs/b.2.yml"}, {"box_a": "box a", "b.2": "box b"}),
        ({"box a": "sim_nose_ports", "box b": "sim_nose_ports"}, {}),
    ],
)
def test_a_rig_has_the_name_of_its_box(boxes: dict[str, str], found: dict[str, str]) -> None:
    assert boxes_by_rig(Settings(boxes=Setting(boxes))) == found


def test_without_any_file_or_variable_the_defaults_hold(here: Path) -> None:
    assert load_settings() == Settings()


def test_each_value_comes_from_the_first_place_that_sets_it_and_names_that_place(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = str(here.parent / "records")
    write_user(f'data = {json.dumps(records)}\ndefault_rig = "user_rig"\nexperimenters = ["anna"]\n')
    (here / "rig.toml").write_text('# the left room\ndefault_rig = "here_rig"\n[boxes]\n"box 1" = "box_a"\n')
    monkeypatch.setenv("RIG_EXPERIMENTERS", "ben, cleo")
    found = load_settings()
    assert (found.data.value, found.data.source) == (records, f"{user_settings()}:1")
    assert (found.default_rig.value, found.default_rig.source) == ("here_rig", "rig.toml:2")
    assert (found.experimenters.value, found.experimenters.source) == (("ben", "cleo"), "$RIG_EXPERIMENTERS")
    assert (found.boxes.value, found.boxes.source) == ({"box 1": "box_a"}, "rig.toml:3")


def test_the_laboratory_and_its_institution_are_texts(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "rig.toml").write_text('lab = "Doe Lab"\ninstitution = "Here"\n')
    monkeypatch.setenv("RIG_INSTITUTION", "There")
    found = load_settings()
    assert (found.lab.value, found.institution.value) == ("Doe Lab", "There")


def test_a_path_is_meant_from_the_file_that_names_it(here: Path) -> None:
    write_user('data = "records"\ndefault_rig = "rigs/a.yaml"\n')
    folder = os.path.dirname(user_settings())
    assert load_settings().data.value == os.path.join(folder, "records")
    assert load_settings().default_rig.value == os.path.join(folder, "rigs/a.yaml")


@rows("text", "said")
def test_a_mistake_is_reported_with_its_file_and_line(here: Path, text: str, said: str) -> None:
    (here / "rig.toml").write_text(text.replace("\\u0007", "\u001b"))
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_all_mistakes_of_all_places_are_listed_at_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_user("color = 1\n")
    (here / "rig.toml").write_text("data = 1\nboxes = 2\n")
    monkeypatch.setenv("RIG_BOXES", "one")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert [line.partition(": ")[0] for line in caught.value.lines] == [
        f"{user_settings()}:1",
        "rig.toml:1",
        "rig.toml:2",
        "$RIG_BOXES",
    ]


@pytest.mark.parametrize(
    ("raw", "said"), [(b"a = '\xff'", "rig.toml:1: is no UTF-8 text"), (b"#" * 200_000, "is larger than")]
)
def test_a_file_that_is_no_text_is_refused(here: Path, raw: bytes, said: str) -> None:
    (here / "rig.toml").write_bytes(raw)
    with pytest.raises(ConfigError, match=said):
        load_settings()


def test_a_folder_in_place_of_the_file_is_reported(here: Path) -> None:
    (here / "rig.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_settings()


def test_a_box_is_another_name_of_its_rig(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_BOXES", "left=box_a, right=box_b")
    assert [rig_of(name, load_settings()) for name in ("right", "other")] == ["box_b", "other"]


def test_an_experimenter_who_is_not_listed_is_refused_with_the_names(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_experimenter("anyone", load_settings()) == "anyone"
    monkeypatch.setenv("RIG_EXPERIMENTERS", "anna,ben")
    with pytest.raises(ConfigError, match=r"did you mean 'anna'\? known: anna, ben \(\$RIG_EXPERIMENTERS\)"):
        check_experimenter("ana", load_settings())
