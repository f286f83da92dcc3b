"""Every shipped configuration is good, and `rig check` says where its values come from."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Rig

CONFIGS = Path(__file__).parents[2] / "configs"
FILES = sorted(CONFIGS.glob("[bprc]*[sa]/*.yaml"))


def test_there_are_shipped_files() -> None:
    assert len(FILES) > 15


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_is_good_on_the_day_its_valves_were_measured(rig: Rig, file: Path) -> None:
    answer = rig("check", file, "--start", "2026-11-05")
    assert (answer.status, answer.err) == (0, "")
    (line,) = answer.out.splitlines()
    assert ": ok: " in line


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_can_be_explained_as_json(rig: Rig, file: Path) -> None:
    found = json.loads(rig("check", file, "--explain", "--json").out)
    written = [one for one in found if one["line"] is not None]
    assert written
    assert all(one["file"].endswith(".yaml") for one in written)
