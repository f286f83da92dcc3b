"""A name that was never seen is a new animal, or a slip that would split an animal's records in two."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Rig

Typed = Callable[..., list[str]]


def begin(rig: Rig, far: Path, name: str, *words: str) -> tuple[int, str]:
    answer = rig("run", "two_armed_bandit", "--rig", far, "--subject", name, "--override", "weight=so", "--yes", *words)
    return answer.status, answer.err


@pytest.mark.parametrize("name", ["M13", "m13", "M2", "M21", "m1"])
def test_a_name_like_a_known_one_is_asked_about_by_both_names(
    rig: Rig, data: Path, far: Path, typed: Typed, name: str
) -> None:
    (data / "M12" / "2026-11-20").mkdir(parents=True)
    asked = typed(name)
    assert begin(rig, far, name)[0] == 3, "the board was looked for"
    assert asked == [f"{name} has no records (there is M12). Type the name again if it is new: "]


@pytest.mark.parametrize("words", [(), ("--new",)])
def test_a_name_in_other_letters_is_refused_because_windows_would_mix_both_animals(
    rig: Rig, data: Path, far: Path, typed: Typed, words: tuple[str, ...]
) -> None:
    for known in ("M05", "M01", "M15"):
        (data / known / "2026-11-20").mkdir(parents=True)
    asked = typed("m05")
    status, said = begin(rig, far, "m05", *words)
    assert (status, "there is M05: type M05 if it is the same animal" in said) == (2, True)
    assert (asked, sorted(path.name for path in data.iterdir())) == ([], ["M01", "M05", "M15"])


@pytest.mark.parametrize("answered", [("y",), ("",), ("M12",), ()])
def test_a_new_name_is_to_be_typed_again_and_enter_is_not_enough(
    rig: Rig, data: Path, far: Path, typed: Typed, answered: tuple[str, ...]
) -> None:
    typed(*answered)
    status, said = begin(rig, far, "m12")
    assert (status, "was not typed again: nothing was done" in said) == (2, True)
    assert not data.exists()


def test_without_a_terminal_yes_is_not_enough_for_a_new_name(rig: Rig, data: Path, far: Path) -> None:
    (data / "M12" / "2026-11-20").mkdir(parents=True)
    status, said = begin(rig, far, "M13")
    assert (status, "there is M12; no subject of that name has records: add --new" in said) == (2, True)
    assert begin(rig, far, "M13", "--new")[0] == 3


def test_a_known_name_is_not_asked_about_and_is_not_new(rig: Rig, data: Path, far: Path) -> None:
    session = data / "M12" / "2026-11-20" / "001"
    session.mkdir(parents=True)
    (data / "M12" / "subject.yaml").write_text("baseline_g: 24\n")
    (data / "M12" / "state.json").write_text("{}")
    assert begin(rig, far, "M12")[0] == 3
    (session / "journal.jsonl").write_text("")
    status, said = begin(rig, far, "M12", "--new")
    assert (status, "leave --new out" in said) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
def test_what_is_in_the_way_of_a_subjects_folder_is_named_and_hinders_no_other(rig: Rig, data: Path, far: Path) -> None:
    data.mkdir()
    (data / "M1").write_text("")
    (data / "M2").symlink_to("M2")
    for name in ("M1", "M2"):
        status, said = begin(rig, far, name, "--new")
        assert (status, f"{data / name}: is in the way" in said) == (2, True)
    assert begin(rig, far, "X77", "--new")[0] == 3, "the board was looked for"


def test_a_virtual_subject_may_have_any_name(rig: Rig) -> None:
    words = ("--model", "rflr", "--set", "stop.session_s=0.2")
    assert rig("run", "two_armed_bandit", "--subject", "m12", *words).status == 0
