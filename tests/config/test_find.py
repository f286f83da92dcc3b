from pathlib import Path

import pytest

from rig.config import find as find_name
from rig.config import names, shipped_folder
from rig.config.find import find_calibration, typed
from rig.config.read_calibration import load_calibration
from rig.platform.command_line import quoted
from rig.system import config_paths


@pytest.fixture
def ours(tmp_path_factory, monkeypatch):
    """A stand-in for the configurations we ship."""
    folder = tmp_path_factory.mktemp("shipped")
    monkeypatch.setattr(config_paths, "shipped_folder", lambda: str(folder))
    return folder


def test_a_bare_name_is_found_near_then_here_then_among_ours(write, ours):
    (ours / "rigs").mkdir()
    (ours / "rigs" / "a.yaml").touch()
    assert find_name("rigs", "a", [Path("lab")]) == ours / "rigs" / "a.yaml"
    here = write("", "configs/rigs/a.yaml")
    assert find_name("rigs", "a", [Path("lab")]) == here
    near = write("", "lab/rigs/a.yaml")
    assert find_name("rigs", "a", [Path("lab")]) == near


@pytest.mark.parametrize("name", ["some/a.yaml", "a.yaml", "a.yml", "./plain"])
def test_a_name_with_a_slash_or_an_ending_is_a_path(write, name):
    path = write("", name)
    assert find_name("rigs", name) == path


def test_a_name_may_have_its_ending_and_a_file_right_here_comes_first(write, ours):
    (ours / "rigs").mkdir()
    (ours / "rigs" / "a.yaml").touch()
    assert find_name("rigs", "a.yaml") == ours / "rigs" / "a.yaml"
    assert find_name("rigs", "a.yaml") == find_name("rigs", "a")
    here = write("", "a.yaml")
    assert find_name("rigs", "a.yaml") == here


def test_a_path_that_does_not_exist_names_its_neighbors(write, mistakes):
    write("", "my_rig.yaml")
    assert mistakes(find_name, "rigs", "my_rgi.yaml") == [
        "my_rgi.yaml: no such file; did you mean 'my_rig.yaml'? its folder holds: my_rig.yaml"
    ]


def looked_in(ours, kind, *near):
    """The folders of a kind of file in a message, nearest first, as this system writes them."""
    return ", ".join(str(Path(folder) / kind) for folder in (*near, "configs", ours))


def test_an_unknown_name_lists_those_that_exist_everywhere(write, ours, mistakes):
    write("", "configs/protocols/free_water.yaml")
    write("", "configs/protocols/notes.txt")
    write("", "lab/protocols/two_armed_bandit.yaml")
    assert mistakes(find_name, "protocols", "two_arm_bandit", [Path("lab")]) == [
        "no protocol is called 'two_arm_bandit'; did you mean 'two_armed_bandit'? "
        f"there are: free_water, two_armed_bandit (looked in {looked_in(ours, 'protocols', 'lab')})"
    ]
    assert names("protocols", [Path("lab")]) == ["free_water", "two_armed_bandit"]


def test_no_calibration_of_another_valve_is_suggested(write, ours, mistakes):
    write("", "lab/calibrations/right.yaml")
    assert mistakes(find_calibration, "rigth", [Path("lab")]) == [
        f"no calibration is called 'rigth'; there are: right (looked in {looked_in(ours, 'calibrations', 'lab')})"
    ]


def test_a_file_is_typed_by_the_name_that_finds_it_or_by_its_path(write, ours):
    named, boxed = write("", "configs/rigs/my_rig.yaml"), write("", "my rigs/box_a.yaml")
    assert (typed("rigs", named), typed("rigs", boxed)) == ("my_rig", quoted(str(Path("my rigs/box_a.yaml"))))


def test_nothing_to_find_is_said(ours, mistakes):
    assert mistakes(find_name, "calibrations", "left") == [
        f"no calibration is called 'left'; there are: no calibrations yet (looked in {looked_in(ours, 'calibrations')})"
    ]


def test_an_unknown_name_of_a_file_in_this_folder_says_how_to_name_the_file(write, ours, mistakes):
    write("", "mine.yaml")
    assert "write mine.yaml" in mistakes(find_name, "studies", "mine")[0]
    assert find_name("studies", "mine.yaml") == Path("mine.yaml")


def test_ours_are_beside_the_package_in_a_checkout_and_inside_it_in_a_wheel(folder, monkeypatch):
    monkeypatch.setattr(config_paths, "__file__", str(folder / "rig" / "system" / "config_paths.py"))
    assert shipped_folder() == folder / "configs"
    (folder / "rig" / "_configs").mkdir(parents=True)
    assert shipped_folder() == folder / "rig" / "_configs"


def test_a_calibration_is_found_near_its_rig_and_read(write, ours):
    path = write(
        "valve: left\ndate: 2026-11-03\npoints: [{open_ms: 10, ul: 1}, {open_ms: 30, ul: 3}]\n",
        "lab/calibrations/left_1.yaml",
    )
    found = find_name("calibrations", "left_1", [Path("lab")])
    assert found == path
    calibration = load_calibration(found)
    assert (calibration.name, calibration.valve, calibration.date) == ("left_1", "left", "2026-11-03")
    assert calibration.points == ((10_000, 1.0), (30_000, 3.0))


def test_a_wrong_calibration_is_a_mistake_of_its_file(write, mistakes):
    write("valve: left\ndate: 2026-11-03\npoints: []\n", "left.yaml")
    assert mistakes(load_calibration, Path("left.yaml")) == [
        "left.yaml:3: points: must have at least 2 entries, got a list of 0"
    ]


def test_a_calibration_without_a_date_is_the_newest_dated_one(write, ours, mistakes):
    for name in (
        "left_2026-11-03",
        "left_2026-11-24",
        "left_2026-11-24_2",
        "left_2026-11-24_10",
        "left_side_2027-01-01",
    ):
        write("", f"lab/calibrations/{name}.yaml")
    assert find_calibration("left", [Path("lab")]).name == "left_2026-11-24_10.yaml"
    assert find_calibration("left_2026-11-03", [Path("lab")]).name == "left_2026-11-03.yaml"
    exact = write("", "lab/calibrations/left.yaml")
    assert find_calibration("left", [Path("lab")]) == exact
