"""`rig show protocols`, `models` and `boards`: what there is, and from where."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import rig as package
from rig.system import plugins as shelf
from rig.system.first_sentence import first_comment, sentence
from tests.cli.conftest import Rig
from tests.cli.show.lab_protocol import LAB_PROTOCOL


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A laboratory's folder, with a protocol of its own."""
    folder = tmp_path / "lab"
    (folder / "protocols").mkdir(parents=True)
    (folder / "configs" / "protocols").mkdir(parents=True)
    (folder / "protocols" / "rest.py").write_text(
        LAB_PROTOCOL.replace("    @state", '    """Nothing happens. Long."""\n\n    @state')
    )
    (folder / "configs" / "protocols" / "quiet.yaml").write_text(
        "# Nothing at all. For an hour.\nprotocol: rest\nstop: {session_s: 3600, max_ul: 1}\n"
    )
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    return folder


def listed(rig: Rig, what: str = "protocols") -> dict[str, dict[str, Any]]:
    answer = rig("show", what, "--json")
    assert answer.status == 0
    return {each["name"]: each for each in json.loads(answer.out)[what]}


def test_what_is_installed_is_listed_with_its_distribution_and_its_files(rig: Rig, folder: Path) -> None:
    bandit = listed(rig)["two_armed_bandit"]
    assert bandit["source"] == f"installed (behavior-rig {package.__version__})"
    assert bandit["sentence"] == "Two ports pay with different probabilities, which swap without a signal."
    assert bandit["mistake"] == ""
    files = {each["name"]: each for each in bandit["files"]}
    assert {"two_armed_bandit", "two_armed_bandit_stage1", "two_armed_bandit_as_run"} <= files.keys()
    assert files["two_armed_bandit_70-30"]["sentence"] == "The Markov task of Beron et al. (2022), 70-30."
    assert files["two_armed_bandit_70-30"]["path"].endswith("two_armed_bandit_70-30.yaml")


def test_what_lies_in_a_folder_here_is_listed_too(rig: Rig, folder: Path) -> None:
    found = listed(rig)["rest"]
    assert (found["source"], found["sentence"]) == ("protocols/rest.py", "Nothing happens.")
    assert found["files"] == [{"name": "quiet", "path": "configs/protocols/quiet.yaml", "sentence": "Nothing at all."}]


def test_a_file_right_here_is_listed_under_its_task(rig: Rig, folder: Path) -> None:
    (folder / "mine.yaml").write_text("protocol: free_water\nstop: {session_s: 60, max_ul: 1}\n")
    (folder / "other.yaml").write_text("shopping: [milk]\n")
    assert [each["name"] for each in listed(rig)["free_water"]["files"]] == ["free_water", "mine.yaml"]
    assert "other.yaml" not in rig("show", "protocols").out


def test_no_file_that_lies_here_is_run_to_be_listed(rig: Rig, folder: Path) -> None:
    marker = folder / "it ran"
    own = folder / "protocols" / "rest.py"
    own.write_text(f"import pathlib\npathlib.Path({str(marker)!r}).touch()\n" + own.read_text())
    (folder / "protocols" / "helper.py").write_text("import sys\nsys.exit()\n")
    (folder / "mine.yaml").write_text("protocol: ./protocols/rest.py\nstop: {session_s: 60, max_ul: 1}\n")
    (folder / "other.yaml").write_text("protocol: ./protocols/rest.py:Missing\nstop: {session_s: 60, max_ul: 1}\n")
    (folder / "nowhere.yaml").write_text("protocol: ./protocols/gone.py\nstop: {session_s: 60, max_ul: 1}\n")
    found = listed(rig)
    assert not marker.exists()
    assert [each["name"] for each in found["rest"]["files"]] == ["quiet", "mine.yaml"]
    assert not found["rest"]["run"]
    assert found["two_armed_bandit"]["run"]
    assert "helper" not in found
    assert "protocols/rest.py defines no task Missing" in found["other.yaml"]["mistake"]
    assert "gone.py" in found["nowhere.yaml"]["mistake"]


@pytest.mark.parametrize("text", ["class Mine(Task:\n", "x = 1\0\n", "(" * 5000, "\xff"])
def test_a_file_that_is_no_python_is_listed_with_its_mistake(rig: Rig, folder: Path, text: str) -> None:
    (folder / "protocols" / "odd.py").write_bytes(text.encode("latin-1"))
    assert "protocols/odd.py" in listed(rig)["odd.py"]["mistake"]


def test_several_tasks_of_a_file_are_listed_by_their_classes(rig: Rig, folder: Path) -> None:
    own = folder / "protocols" / "rest.py"
    own.write_text(own.read_text() + '\n\nclass Longer(Rest):\n    """It lasts. Long."""\n')
    found = listed(rig)
    assert found["rest.Longer"]["sentence"] == "It lasts."
    assert "rest.Rest" in found


def test_what_cannot_be_loaded_is_listed_with_its_mistake(rig: Rig, folder: Path) -> None:
    (folder / "protocols" / "broken.py").write_text("import rig\n\nx = rig.\n")
    (folder / "wrong.yaml").write_text("protocol: free_water\nstop: {sesion_s: 60, max_ul: 1}\n")
    found = listed(rig)
    assert "protocols/broken.py:3: SyntaxError" in found["broken.py"]["mistake"]
    assert "wrong.yaml:2: stop.sesion_s: unknown key" in found["wrong.yaml"]["mistake"]
    assert {"rest", "free_water"} <= found.keys()
    assert "SyntaxError" in rig("show", "protocols").out


def test_an_entry_point_that_cannot_be_loaded_is_listed_with_its_mistake(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = shelf.read_entry_points

    def points(group: str, path: tuple[str, ...]) -> Any:
        return [*true(group, path), EntryPoint("zz_gone", "gone.away:Task", group)]

    monkeypatch.setattr(shelf, "read_entry_points", points)
    for what, there in (("protocols", "free_water"), ("models", "rflr"), ("boards", "sim")):
        found = listed(rig, what)
        assert "No module named 'gone'" in found["zz_gone"]["mistake"]
        assert found[there]["mistake"] == ""
        assert rig("show", what).status == 0


def test_a_person_reads_a_list_as_wide_as_the_terminal(rig: Rig, folder: Path) -> None:
    text = rig("show", "protocols").out
    assert "rest  protocols/rest.py (read, not run)\n    Nothing happens.\n      quiet  Nothing at all.\n" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("what", "name"), [("models", "rflr"), ("boards", "serial")])
def test_models_and_boards_have_a_list_as_well(rig: Rig, what: str, name: str) -> None:
    found = listed(rig, what)
    assert found[name]["source"] == f"installed (behavior-rig {package.__version__})"
    assert all(each["sentence"] for each in found.values())
    assert f"{name}  installed" in rig("show", what).out


def test_helpers_of_a_protocol_are_no_protocols(rig: Rig) -> None:
    assert list(listed(rig)) == [
        "delay_discounting",
        "disk_bandit",
        "disk_bandit_human",
        "free_water",
        "grid_bandit",
        "risky_bandit",
        "two_armed_bandit",
    ]  # and the folder here is what is installed


def test_a_sentence_ends_where_the_next_begins(tmp_path: Path) -> None:
    class Told:
        """It waits 1.5 s (Beron et al. 2022), then
        goes on. Then it ends.

        More.
        """

    class Untold(Told): ...

    assert sentence(Told) == "It waits 1.5 s (Beron et al. 2022), then goes on."
    assert sentence(Untold) == ""
    file = tmp_path / "x.yaml"
    file.write_text("# yaml-language-server: $schema=x.json\n# One\n# sentence. Two.\na: 1\n# no\n")
    assert first_comment(file) == "One sentence."
