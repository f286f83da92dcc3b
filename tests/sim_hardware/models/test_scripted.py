"""A subject that does exactly what a list says, and what is said of lists that are wrong."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec
from sim_hardware import loop as virtual
from sim_hardware.models.scripted import ScriptedParams, ScriptedSubject, read_script
from tests.sim_hardware.models.box import Box, Touch

HEAD = "t_us,place,level\n"


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    def script(text: str) -> Path:
        path = tmp_path / "a script.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return script


def follow(plan: RigSpec, edges: tuple[tuple[int, str, int], ...], seconds: float = 10.0) -> list[Touch]:
    async def main() -> list[Touch]:
        await asyncio.sleep(3.0)
        box = Box(plan, 0, lambda side: False)
        box.body.begin()
        life = asyncio.create_task(ScriptedSubject(ScriptedParams(edges=edges)).live(box.body))
        await asyncio.sleep(seconds)
        await life
        return [(t_s - 3.0, place, broken) for t_s, place, broken in box.touches]

    touches: list[Touch] = virtual.run(main())
    return touches


def test_a_scripted_subject_does_exactly_what_its_list_says(plan: RigSpec) -> None:
    touches = follow(
        plan, ((1_500_000, "left", 1), (500_000, "center", 1), (1_500_000, "center", 0), (2_000_001, "left", 0))
    )
    assert [(round(t_s * 1e6), place, broken) for t_s, place, broken in touches] == [
        (500_000, "center", True),
        (1_500_000, "left", True),
        (1_500_000, "center", False),
        (2_000_001, "left", False),
    ]


def test_a_script_is_read_from_a_file(script: Callable[[str], Path]) -> None:
    path = script(HEAD + "1500000,left,1\n1700000,left,0\n\n")
    assert read_script(path) == [(1_500_000, "left", 1), (1_700_000, "left", 0)]


def test_every_line_that_is_not_an_edge_is_listed_by_its_number(script: Callable[[str], Path]) -> None:
    path = script(
        HEAD
        + "1500000,left,1\nsoon,left,1\n\n1700000,left\n1800000,left,2\n1.5,left,0\n1900000,left,0\n"
        + ",,\n2000000,left,1,more\n"
    )
    with pytest.raises(ConfigError) as caught:
        read_script(path)
    assert [mistake.removeprefix(f"{path}:").split(":")[0] for mistake in caught.value.mistakes] == [
        "3",
        "5",
        "6",
        "7",
        "9",
        "10",
    ]
    assert all("1500000,left,1" in mistake for mistake in caught.value.mistakes)


@pytest.mark.parametrize(
    "text", ["", "1500000,left,1\n", "time,place,level\n"], ids=["empty", "no head", "another head"]
)
def test_a_script_without_its_head_is_not_a_script(script: Callable[[str], Path], text: str) -> None:
    path = script(text)
    with pytest.raises(ConfigError, match=r":1: .*t_us,place,level"):
        read_script(path)


def test_an_empty_script_is_a_subject_that_sleeps(script: Callable[[str], Path], plan: RigSpec) -> None:
    assert read_script(script(HEAD)) == []
    assert follow(plan, ()) == []


def test_a_script_that_is_not_there_or_not_text_is_a_mistake_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "binary.csv").write_bytes(b"t_us,place,level\n\xff\xfe\x00")
    for name in ("nowhere.csv", "binary.csv"):
        with pytest.raises(ConfigError, match=r"cannot be read as a script") as caught:
            ScriptedSubject(ScriptedParams(file=tmp_path / name))
        assert name in str(caught.value)


def test_every_place_that_the_rig_does_not_have_is_named_before_anything_is_done(plan: RigSpec) -> None:
    with pytest.raises(ConfigError) as caught:
        follow(plan, ((1_000_000, "left", 1), (2_000_000, "attic", 1), (3_000_000, "cellar", 1)))
    assert "attic" in str(caught.value)
    assert "cellar" in str(caught.value)
    assert "left, center, right" in str(caught.value)
