"""`rig searches environments`."""

from pathlib import Path

from protocols.searching.grids.environment_files import read_environments
from tests.cli.conftest import Rig
from tests.tables import rows


def test_a_file_has_as_many_environments_as_asked_and_is_the_same_with_the_same_seed(rig: Rig, tmp_path: Path) -> None:
    first, second, other = (tmp_path / f"{name}.json" for name in ("first", "second", "other"))
    said = rig("searches", "environments", "smooth", first)
    assert said.status == 0, said.err
    assert "20 environments of 11 x 11 tiles" in said.out
    rig("searches", "environments", "length=2", second)
    rig("searches", "environments", "smooth", other, "--seed", 2)
    assert [values.shape for values in read_environments(first)] == [(11, 11)] * 20
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()


def test_a_line_has_points_and_a_step(rig: Rig, tmp_path: Path) -> None:
    said = rig(
        "searches", "environments", "lambda=1", tmp_path / "line.json", "--size", "21", "--step", "0.5", "--count", "3"
    )
    assert "3 environments of 21 points, exp(-d^2 / 1)" in said.out
    assert [values.shape for values in read_environments(tmp_path / "line.json")] == [(1, 21)] * 3


def test_a_file_is_replaced_only_by_force(rig: Rig, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    assert rig("searches", "environments", "rough", path, "--count", 1).status == 0
    kept = path.read_bytes()
    said = rig("searches", "environments", "rough", path)
    assert said.status == 2
    assert "exists: --force replaces it" in said.err
    assert path.read_bytes() == kept
    assert rig("searches", "environments", "rough", path, "--force").status == 0
    assert len(read_environments(path)) == 20


@rows("words", "said")
def test_wrong_words_are_told(rig: Rig, tmp_path: Path, words: list[str], said: str) -> None:
    found = rig("searches", "environments", words[0], tmp_path / "set.json", *words[1:])
    assert found.status == 2
    assert said in found.err
    assert not (tmp_path / "set.json").exists()
