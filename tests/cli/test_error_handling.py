"""Whatever a user gets wrong is said in words, with the exit status of whose fault it is."""

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import BANDIT, Rig

RUN = ("run", "two_armed_bandit", "--subject", "M1", "--start", "2026-11-05")
SIM = ("sim", *BANDIT)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fly",), "invalid choice: 'fly'"),
        (("show",), "WHAT"),
        (("replay",), "SESSION"),
        ((*SIM, "--sessions", "many"), "invalid int value: 'many'"),
        ((*SIM, "--seed", "1.5"), "invalid int value: '1.5'"),
        ((*SIM, "--nonsense"), "--nonsense"),
        ((*SIM, "--start"), "expected one argument"),
    ],
)
def test_words_that_are_no_command_are_answered_in_two_lines(rig: Rig, words: tuple[str, ...], said: str) -> None:
    answer = rig(*words)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 2
    assert "--help" in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sim", "nope", "--model", "rflr"), ["no protocol is called 'nope'", "two_armed_bandit"]),
        (("sim", "two_armed_bandi", "--model", "rflr"), ["did you mean 'two_armed_bandit'"]),
        (("sim", "", "--model", "rflr"), ["no protocol is called"]),
        (("sim", "--model", "rflr"), ["which protocol?", "--curriculum NAME"]),
        (("sim", "../nope.yaml", "--model", "rflr"), ["nope.yaml", "no such file"]),
        (("sim", "/", "--model", "rflr"), ["is a folder"]),
        (("sim", "x" * 5000, "--model", "rflr"), ["no protocol is called"]),
        (("sim", "two_armed_bandit"), ["Give --model"]),
        (
            (*SIM, "--model", "nope"),
            [
                "model 'nope'",
                "greedy, grid_random, grid_wsls, hmm, human, keyboard, local_search, logistic, melioration, ngram,",
            ],
        ),
        ((*SIM, "--model", "rlfr"), ["did you mean 'rflr'"]),
        ((*SIM, "--model", "keyboard"), ["rig run"]),
        ((*SIM, "--model", "nope", "--subjects", "2", "--jobs", "2"), ["model 'nope'"]),
        ((*SIM, "--rig", "nope"), ["no rig is called 'nope'", "sim_nose_ports"]),
        ((*SIM, "--board", "nope"), ["driver 'nope'", "serial, sim"]),
        ((*SIM, "--board", "serial"), ["real board", "--board sim"]),
        ((*SIM, "--rig", "nose_ports_uno"), ["real board", "--board sim"]),
        ((*SIM, "--rig", "configs/protocols/free_water.yaml"), ["protocol: unknown key", "accepted: boards, devices"]),
        ((*SIM, "--start", "tomorrow"), ["--start tomorrow", "2026-11-21T09:00"]),
        ((*SIM, "--start", ""), ["--start"]),
        ((*SIM, "--start", "2026-02-30"), ["--start 2026-02-30"]),
        ((*SIM, "--start", "9999-12-31", "--subject", "M1", "--sessions", "2"), ["--sessions 2", "calendar"]),
        ((*SIM, "--speed", "0"), ["--speed 0", "max"]),
        ((*SIM, "--speed", "-1"), ["--speed -1"]),
        ((*SIM, "--speed", "nan"), ["--speed nan"]),
        ((*SIM, "--speed", "1e-300"), ["--speed 1e-300"]),
        ((*SIM, "--speed", "fast"), ["--speed fast"]),
        ((*SIM, "--param", "tau"), ["--param tau", "NAME=VALUE"]),
        ((*SIM, "--param", "=2"), ["--param =2"]),
        ((*SIM, "--param", "tau=slow"), ["--param tau", "number"]),
        ((*SIM, "--param", "tau=-1"), ["--param tau", "greater than 0"]),
        ((*SIM, "--param", "tau=nan"), ["--param tau", "finite"]),
        ((*SIM, "--param", "tua=1"), ["--param tua", "alpha, beta, tau"]),
        ((*SIM, "--param", "tau", "--param", "=2"), ["--param tau:", "--param =2:"]),
        ((*SIM, "--set", "p_high"), ["--set p_high", "key.path=value"]),
        ((*SIM, "--set", "params.p_hgih=1"), ["params.p_hgih", "did you mean 'p_high'"]),
        ((*SIM, "--set", "params.p_high=1.5"), ["params.p_high", "<= 1", "1.5"]),
        ((*SIM, "--set", "params.reward_ul=5000"), ["5000"]),
        ((*SIM, "--set", "protocol=nope"), ["'nope'", "two_armed_bandit"]),
        ((*SIM, "--jobs", "0"), ["--jobs 0"]),
        ((*SIM, "--subjects", "0"), ["--subjects 0"]),
        ((*SIM, "--sessions", "-3"), ["--sessions -3"]),
        ((*SIM, "--subject", "M1", "--subjects", "2"), ["--subject names one", "--subjects"]),
        (("demo", "--speed", "0"), ["--speed 0"]),
        (("run", "two_armed_bandit", "--model", "rflr"), ["Give --subject"]),
        (("run", "two_armed_bandit", "--subject", "M1"), ["on which rig", "--rig", "default_rig", "--model"]),
        (("run", "two_armed_bandit", "--subject", "M1", "--model", "keyboard"), ["no terminal", "--model"]),
        (("run", "two_armed_bandit", "--subject", "M1", "--model", "nope"), ["model 'nope'"]),
        (("run", "two_armed_bandit", "--subject", "../M1", "--model", "rflr"), ["subject '../M1'"]),
        ((*RUN, "--rig", "nose_ports_uno", "--model", "rflr"), ["real board has a real subject", "--board sim"]),
        ((*RUN[:-1], "2026-11-21", "--rig", "nose_ports_uno"), ["devices.left.calibration", "18 days ago"]),
        (("replay", "nowhere"), ["nowhere", "journal.jsonl"]),
        (("recover", "nowhere"), ["nowhere", "journal.jsonl"]),
        (("recover", "/"), ["journal.jsonl"]),
        (("show", "graph", "two_armed_bandti"), ["did you mean 'two_armed_bandit'"]),
        (("subject", "rebuild", "missing"), ["no subject 'missing'"]),
    ],
)
def test_a_mistake_on_the_command_line_is_said_in_words_and_leaves_no_session(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    answer = rig(*words)
    assert answer.status == 2
    for words_said in said:
        assert words_said in answer.err
    assert "rig has failed" not in answer.err
    assert not list(data.rglob("journal.jsonl"))


@pytest.mark.parametrize(
    "name", ["..", ".", "../M1", "a/b", "/etc", "", " ", "M 1", "-M1", "M1.", "é", "x" * 65, "a\n"]
)
def test_a_subject_whose_name_is_no_folder_is_refused(rig: Rig, data: Path, name: str) -> None:
    answer = rig(*SIM, f"--subject={name}")
    assert answer.status == 2
    assert "cannot be a folder's name" in answer.err
    assert not data.exists()


def test_a_file_where_the_data_folder_should_be_is_named(rig: Rig, tmp_path: Path) -> None:
    place = tmp_path / "taken"
    place.write_text("not a folder")
    answer = rig(*SIM, "--data", place)
    assert answer.status == 2
    assert str(place) in answer.err
    assert place.read_text() == "not a folder"
    assert rig("demo", "--speed", "max", "--data", place).status == 2


def test_a_file_where_the_day_should_be_is_named(rig: Rig, data: Path) -> None:
    (data / "sim" / "M1").mkdir(parents=True)
    (data / "sim" / "M1" / "2026-11-21").write_text("")
    answer = rig(*SIM, "--subject", "M1")
    assert answer.status == 2
    assert str(data / "sim" / "M1" / "2026-11-21") in answer.err


def test_a_data_folder_that_may_not_be_written_is_named(rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *args: Any, **kwargs: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    answer = rig(*SIM, "--subject", "M1")
    assert answer.status == 2
    assert "Permission denied" in answer.err
    assert str(data / "sim" / "M1") in answer.err


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("", [":1: a script begins with the line"]),
        ("when,where\n", [":1: a script begins with the line"]),
        ("t_us,place,level\n1,left,2\nx,left,1\n2,left\n3,left,1,0\n", [":2:", ":3:", ":4:", ":5:"]),
        ("t_us,place,level\n1,lfet,1\n2,tail,1\n", ["'lfet'", "'tail'", "left, center, right"]),
        ("t_us,place,level\n\xff", ["cannot be read as a script"]),
    ],
)
def test_every_mistake_of_a_script_is_named(rig: Rig, tmp_path: Path, script: str, said: list[str]) -> None:
    path = tmp_path / "script.csv"
    path.write_text(script, encoding="latin-1")
    answer = rig("sim", "two_armed_bandit", "--model", "scripted", "--param", f"file={path}")
    assert answer.status in (1, 2)  # a place that is not there is only known once the board is open
    for words in said:
        assert words in " ".join((answer.err + answer.out).split())


def test_a_script_that_is_not_there_is_named(rig: Rig) -> None:
    answer = rig("sim", "two_armed_bandit", "--model", "scripted", "--param", "file=/nope.csv")
    assert answer.status == 2
    assert "/nope.csv" in answer.err


def protocol(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_tab_in_yaml_is_named_with_its_line(rig: Rig, tmp_path: Path) -> None:
    answer = rig("sim", protocol(tmp_path, "protocol: free_water\nparams:\n\tpause_s: 1\n"), "--model", "rflr")
    assert answer.status == 2
    assert "mine.yaml:3:" in answer.err
    assert "tab" in answer.err


def test_all_mistakes_of_all_files_are_listed_at_once(rig: Rig, tmp_path: Path) -> None:
    path = protocol(
        tmp_path,
        "protocol: two_armed_bandit\nparams:\n  p_hgih: 0.8\n  q_stay: 2\n"
        "stop: {session_s: soon, max_rewards: 1, max_ul: 1}\n",
    )
    answer = rig("sim", path, "--model", "rflr", "--rig", "nope", "--set", "params.iti_min_s=-1")
    assert answer.status == 2
    assert "mine.yaml:3: params.p_hgih" in answer.err
    assert "mine.yaml:4: params.q_stay" in answer.err
    assert "mine.yaml:5: stop.session_s" in answer.err
    assert "params.iti_min_s" in answer.err
    assert "no rig is called 'nope'" in answer.err


@pytest.mark.parametrize("text", ["", "- a\n", "a: [", "a: 1\na: 2\n", "a: !!python/object:os.system x\n", "\x00"])
def test_a_file_that_holds_no_protocol_is_named(rig: Rig, tmp_path: Path, text: str) -> None:
    answer = rig("sim", protocol(tmp_path, text), "--model", "rflr")
    assert answer.status == 2
    assert "mine.yaml" in answer.err


NEW = ("--override", "weight=new", "--yes", "--new")


def test_hardware_that_is_not_there_is_status_3_and_leaves_no_session(rig: Rig, data: Path, far: Path) -> None:
    answer = rig(
        "run", "two_armed_bandit", "--rig", far, "--subject", "M1", "--override", "weight=new", "--yes", "--new"
    )
    assert answer.status == 3
    assert "/dev/nowhere" in answer.err
    assert not list(data.rglob("journal.jsonl"))


def test_a_file_that_the_system_refuses_is_no_mistake_of_our_own(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(task: object) -> str:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(tmp_path / "here"))

    monkeypatch.setattr("rig.cli.show.task.text", refused)
    answer = rig("show", "graph", "free_water")
    assert (answer.status, answer.err) == (2, f"{tmp_path / 'here'}: cannot be used: Input/output error\n")


def test_our_own_mistake_is_status_1_with_the_details_in_a_file(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("rig.cli.show.task.text", lambda task: 1 / 0)
    answer = rig("show", "graph", "free_water")
    assert answer.status == 1
    assert "rig has failed: ZeroDivisionError" in answer.err
    (details,) = tmp_path.glob("rig-error-*.txt")
    assert str(details) in answer.err
    assert "Traceback" in details.read_text()


def test_control_c_between_sessions_is_status_130(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(task: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("rig.cli.show.task.text", stop)
    assert rig("show", "graph", "free_water").status == 130
