"""Every shipped configuration is good, and `rig check` says where its values come from."""

import json
from itertools import chain, repeat
from pathlib import Path

import pytest

from rig.session.check import check
from tests.cli.conftest import Rig

CONFIGS = Path(__file__).parents[2] / "configs"
FILES = sorted(CONFIGS.glob("[bprc]*[sa]/*.yaml"))
CURRICULA = sorted(CONFIGS.glob("curricula/*.yaml"))


def test_there_are_shipped_files() -> None:
    assert len(FILES) > 15


@pytest.mark.parametrize("file", sorted({*FILES} - {*CURRICULA}), ids=lambda path: path.stem)
def test_a_shipped_file_is_good_on_the_day_its_valves_were_measured(rig: Rig, file: Path) -> None:
    answer = rig("check", file, "--start", "2026-11-05")
    assert (answer.status, answer.err) == (0, "")
    (line,) = answer.out.splitlines()
    assert ": ok: " in line


@pytest.mark.parametrize("file", CURRICULA, ids=lambda path: path.stem)
def test_the_first_stage_and_the_rules_of_a_shipped_curriculum_are_good(
    rig: Rig, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = chain([check.rehearse_spec], repeat(lambda *_: check.RehearsalReport(())))
    monkeypatch.setattr(check, "rehearse_spec", lambda *words: next(reports)(*words))
    test_a_shipped_file_is_good_on_the_day_its_valves_were_measured(rig, file)


@pytest.mark.campaign
@pytest.mark.parametrize("file", CURRICULA, ids=lambda path: path.stem)
def test_every_stage_of_a_shipped_curriculum_is_good(rig: Rig, file: Path) -> None:
    test_a_shipped_file_is_good_on_the_day_its_valves_were_measured(rig, file)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_can_be_explained_as_json(rig: Rig, file: Path) -> None:
    found = json.loads(rig("check", file, "--explain", "--json").out)
    written = [one for one in found if one["line"] is not None]
    assert written
    assert all(one["file"].endswith(".yaml") for one in written)
