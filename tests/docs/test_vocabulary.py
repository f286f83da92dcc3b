"""docs/reference/vocabulary.md is what the package says today, with an example for every name."""

import re
from pathlib import Path
from typing import Any

import pytest

import rig
from rig.config import load_config, rig_file_model, validate
from rig.devices.kinds import installed_kinds
from scripts import vocabulary
from scripts.vocabulary_examples import THINGS


def test_a_name_without_an_entry_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "SECTIONS", {"Waiting": {"Task.first": "await self.first()"}})
    with pytest.raises(LookupError, match=r"no entry in scripts/vocabulary_examples\.py: .*Task\.react"):
        vocabulary.page()


def test_an_entry_without_a_name_is_reported() -> None:
    with pytest.raises(LookupError, match="rig has no Present"):
        vocabulary.found("Present")
    with pytest.raises(LookupError, match=r"Task has no settle"):
        vocabulary.found("Task.settle")


@pytest.mark.parametrize(("name", "example"), vocabulary.examples().items())
def test_an_example_is_python_and_uses_its_name(name: str, example: str) -> None:
    body = f"{example}\n    async def f(self): ..." if example.startswith("@") else example
    compile(f"async def example(self):\n    {body}\n", name, "exec")
    assert re.search(rf"\b{name.rpartition('.')[2]}\b", example)


def test_every_name_has_a_meaning() -> None:
    assert [name for name in vocabulary.examples() if not vocabulary.meaning(name).strip()] == []


@pytest.mark.parametrize("item", vocabulary.ITEMS)
def test_the_example_of_an_item_makes_one_with_fields_that_the_page_names(item: str) -> None:
    made: dict[str, Any] = {}
    exec(vocabulary.examples()[item], vars(rig) | {name: getattr(rig, name) for name in rig.__all__}, made)
    fields = re.findall(r"(\w+): ", vocabulary.signature(item))
    kind = getattr(rig, item)
    assert {*fields} == {*kind.model_fields} - {"kind"}
    assert made


@pytest.mark.parametrize("thing", THINGS)
def test_the_line_of_a_thing_belongs_into_a_rig_file(thing: str, tmp_path: Path) -> None:
    line = THINGS[thing][0]
    boards = "boards: {sim: {driver: sim, reference: true}}\n"
    path = tmp_path / "rig.yaml"
    path.write_text(boards + (f"{line}\n" if line.startswith("screen:") else f"devices:\n  {line}\n"))
    assert validate(rig_file_model(installed_kinds()), load_config(path))
