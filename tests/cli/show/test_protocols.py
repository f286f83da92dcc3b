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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder without files."""
    monkeypatch.chdir(tmp_path)


def listed(rig: Rig, what: str = "protocols") -> dict[str, dict[str, Any]]:
    answer = rig("show", what, "--json")
    assert answer.status == 0
    return {each["name"]: each for each in json.loads(answer.out)[what]}


def test_what_is_installed_is_listed_with_its_distribution_and_its_files(rig: Rig, folder: None) -> None:
    bandit = listed(rig)["two_armed_bandit"]
    assert bandit["source"] == f"installed (behavior-rig {package.__version__})"
    assert bandit["sentence"] == "Two ports pay with different probabilities, which swap without a signal."
    assert bandit["mistake"] == ""
    files = {each["name"]: each for each in bandit["files"]}
    assert {"two_armed_bandit", "two_armed_bandit_stage1", "two_armed_bandit_as_run"} <= files.keys()
    assert files["two_armed_bandit_70-30"]["sentence"] == "The Markov task of Beron et al. (2022), 70-30."
    assert files["two_armed_bandit_70-30"]["path"].endswith("two_armed_bandit_70-30.yaml")


def test_an_entry_point_that_cannot_be_loaded_is_listed_with_its_mistake(
    rig: Rig, folder: None, monkeypatch: pytest.MonkeyPatch
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
