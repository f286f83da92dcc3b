"""What a session runs, compared with its subject: another species, a training, a habit."""

import datetime
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rig.config.species import Species
from rig.records.session.history import past_sessions
from rig.records.session.void import write_void
from rig.session.select_stage import StageDecision
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.unusual_task import unusual_task
from tests.past_sessions import write_session
from tests.tables import rows

RIGS = {"delay_discounting": "sim_t_maze", "disk_bandit": "sim_pigeon_chamber", "grid_bandit": "sim_screen"}
STAGE_3 = "two_armed_bandit_stage3"


@cache
def spec_of(protocol: str, curriculum: str | None = None) -> SessionSpec:
    spec = build_spec(SessionRequest(protocol, RIGS.get(protocol, "sim_nose_ports")))
    return spec if curriculum is None else replace(spec, decision=StageDecision(curriculum, "blocks", "water", ()))


def unusual(spec: SessionSpec, folder: Path, species: Species | None = None) -> list[str]:
    past = list(past_sessions(folder))
    return list(unusual_task(spec, folder.name, species, past))


@rows("protocol", "species", "said")
def test_another_species_is_unusual(tmp_path: Path, protocol: str, species: Species | None, said: list[str]) -> None:
    assert unusual(spec_of(protocol), tmp_path / "R1", species) == said


def test_a_session_outside_of_the_subject_s_training_is_unusual(tmp_path: Path) -> None:
    write_session(tmp_path / "M17", 1, "water", name="mouse_bandit")
    assert unusual(spec_of(STAGE_3), tmp_path / "M17") == [
        "M17 is in training mouse_bandit, stage water; "
        "this session runs two_armed_bandit_stage3 and does not count for it"
    ]
    assert unusual(spec_of(STAGE_3, "mouse_bandit"), tmp_path / "M17") == []
    assert unusual(spec_of(STAGE_3, "other"), tmp_path / "M17") == [
        "M17 is in training mouse_bandit, stage water; "
        "this session runs stage blocks of other and does not count for it"
    ]


def test_voided_sessions_are_no_training_and_no_habit(tmp_path: Path) -> None:
    for day in range(1, 6):
        session = write_session(tmp_path / "M17", day, "water" if day == 5 else None, name="mouse_bandit")
    assert len(unusual(spec_of(STAGE_3), tmp_path / "M17")) == 1
    write_void(session, "Ada", "a test", datetime.datetime(2026, 11, 6), voided=True)
    assert unusual(spec_of(STAGE_3), tmp_path / "M17") == []


def test_a_training_is_forgotten_after_five_sessions_outside_of_it(tmp_path: Path) -> None:
    write_session(tmp_path / "M17", 1, "water", name="mouse_bandit")
    for day in range(2, 6):
        write_session(tmp_path / "M17", day, variant=STAGE_3)
    assert len(unusual(spec_of(STAGE_3), tmp_path / "M17")) == 1
    write_session(tmp_path / "M17", 6, variant=STAGE_3)
    assert unusual(spec_of(STAGE_3), tmp_path / "M17") == []


def test_a_completed_training_binds_no_subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("configs/curricula").mkdir(parents=True)
    stages = "stages: {one: {protocol: two_armed_bandit, rules: [{to: end, when: [{sessions: 2}]}]}}\n"
    Path("configs/curricula/short.yaml").write_text(stages)
    write_session(tmp_path / "M1", 1, "one", name="short")
    assert "M1 is in training short, stage one" in unusual(spec_of(STAGE_3), tmp_path / "M1")[0]
    write_session(tmp_path / "M1", 2, "one", name="short")
    assert unusual(spec_of(STAGE_3), tmp_path / "M1") == []


def test_another_protocol_than_in_the_last_five_sessions_is_unusual(tmp_path: Path) -> None:
    for day in range(1, 5):
        write_session(tmp_path / "M12", day, variant="two_armed_bandit_90-10")
    assert unusual(spec_of("two_armed_bandit"), tmp_path / "M12") == []
    write_session(tmp_path / "M12", 5, variant="two_armed_bandit_90-10")
    assert unusual(spec_of("two_armed_bandit_90-10"), tmp_path / "M12") == []
    assert unusual(spec_of("two_armed_bandit"), tmp_path / "M12") == [
        "M12's last 5 sessions ran two_armed_bandit_90-10; this session runs two_armed_bandit"
    ]
    write_session(tmp_path / "M12", 6)
    assert unusual(spec_of("two_armed_bandit"), tmp_path / "M12") == []
