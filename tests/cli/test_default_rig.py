"""The rig of a session whose line names none."""

from pathlib import Path

import pytest

from tests.cli.conftest import Rig

RUN = ("run", "two_armed_bandit", "--subject", "M1", "--yes", "--new", "--override", "weight=a test")


def test_an_animal_runs_on_no_rig_that_was_not_named(rig: Rig, data: Path) -> None:
    said = rig(*RUN)
    assert (said.status, "on which rig? Give --rig NAME" in said.err) == (2, True)
    assert "default_rig = " in said.err
    assert not data.exists()


def test_the_computers_rig_is_used_when_the_line_names_none(
    rig: Rig, far: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIG_DEFAULT_RIG", str(far))
    said = rig(*RUN)
    assert (said.status, "/dev/nowhere" in said.err) == (3, True)


def test_a_simulated_rig_is_never_the_default_of_an_animal(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_DEFAULT_RIG", "sim_nose_ports")
    said = rig(*RUN)
    assert (said.status, "$RIG_DEFAULT_RIG: default_rig: sim_nose_ports is a simulated rig" in said.err) == (2, True)
    assert rig(*RUN, "--model", "rflr", "--set", "stop.session_s=0.2").status == 0


def test_a_box_is_named_in_place_of_its_rig(rig: Rig, far: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_BOXES", f"box 1={far}")
    assert "/dev/nowhere" in rig(*RUN, "--rig", "box 1").err


def test_settings_are_listed_with_their_sources(rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_EXPERIMENTERS", "anna,ben")
    for words in (("show", "settings"), ("board", "check", "--rig", "sim_nose_ports")):
        folded = " ".join(rig(*words).out.split())
        assert "anna, ben" in folded
        assert "($RIG_EXPERIMENTERS)" in folded
    assert '"source": "$RIG_DATA"' in rig("show", "settings", "--json").out


def test_a_mistake_in_the_settings_stops_a_command_with_its_line(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rig.toml").write_text("\ndata_folder = 'x'\n")
    said = rig("board", "check")
    assert (said.status, "rig.toml:2: data_folder: unknown key" in said.err) == (2, True)


def test_an_unlisted_experimenter_starts_no_session(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_EXPERIMENTERS", "anna,ben")
    said = rig(*RUN, "--model", "rflr", "--experimenter", "bne")
    assert (said.status, "did you mean 'ben'?" in said.err) == (2, True)
