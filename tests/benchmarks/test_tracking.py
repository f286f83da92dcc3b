from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import tracking
from rig.session.spec.build import load_rig_spec


def test_a_video_of_the_rat_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracking, "FILM_S", 0.5)
    spec = load_rig_spec("sim_t_maze_circles").tracking
    assert spec is not None
    source = tracking._film(tmp_path, spec)
    assert all(0 < share < 10 for share in tracking._shares(replace(spec, source=source), rounds=2))
