"""`rig check`: every mistake at once, at its file and line; and where each value came from."""

import json
import os
import shutil
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest

from rig.system.plugins import MODELS
from tests.cli.conftest import Rig

CONFIGS = Path(__file__).parents[3] / "configs"
FRESH = ("--start", "2026-11-05")

Lab = Callable[..., Path]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A copy of the shipped files to spoil: `lab("rigs/sim_nose_ports.yaml", ("beam: 6", "beam: x"))`."""
    shutil.copytree(CONFIGS, tmp_path / "configs")
    monkeypatch.chdir(tmp_path)

    def spoil(name: str, *changes: tuple[str, str]) -> Path:
        path = Path("configs") / name
        text = path.read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        path.write_text(text)
        return path

    return spoil


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., Path]:
    """A task of one state, ``here``, with these lines in it, and the file that names it."""

    def write(*body: str, first: str = "") -> Path:
        (tmp_path / "mine.py").write_text(
            f"{first}from rig import Next, Row, Task, TaskParams, state\n\n\n"
            "class Box:\n    pass\n\n\n"
            "class Mine(Task[TaskParams, Box, Row]):\n"
            "    @state(to=('here',), can_end=True)\n"
            "    async def here(self) -> Next:\n" + "".join(f"        {line}\n" for line in body)
        )
        path = tmp_path / "mine.yaml"
        path.write_text(
            "protocol: ./mine.py\nsimulation: {rig: sim_nose_ports}\nstop: {session_s: 60, max_rewards: 1}\n"
        )
        return path

    return write


def lines(answer: Any) -> list[str]:
    assert answer.status == 2
    return answer.err.splitlines()  # type: ignore[no-any-return]


# --- what is good ---------------------------------------------------------------------------------------------


def test_a_good_protocol_is_reported_with_what_its_rehearsal_showed(rig: Rig) -> None:
    answer = rig("check", "free_water")
    assert "free_water on sim_nose_ports; " in answer.out
    assert " s with random_explorer, a guided subject: 500 trials, 2 of 2 states" in answer.out


@pytest.mark.parametrize(("column", "hinted"), [("", False), ("choice: str", True)])
def test_columns_that_are_not_described_are_hinted_at_and_are_no_mistake(
    rig: Rig, tmp_path: Path, column: str, hinted: bool
) -> None:
    assert rig("show", "protocols", "--template", "mine", "--into", tmp_path).status == 0
    described = 'choice: Annotated[str, Column("the side that was poked; empty after an omission")]'
    source = (tmp_path / "mine.py").read_text()
    (tmp_path / "mine.py").write_text(source.replace(described, column or described))
    said = rig("check", tmp_path / "mine.yaml")
    assert (said.status, "1 column (choice)" in said.out) == (0, hinted)


def test_names_of_any_kind_are_found(rig: Rig) -> None:
    answer = rig("check", "free_water", "sim_nose_ports", "sim_left", *FRESH)
    assert answer.status == 0
    assert [line.split(":")[0].rsplit("/", 1)[-1] for line in answer.out.splitlines()] == [
        "free_water.yaml",
        "sim_nose_ports.yaml",
        "sim_left.yaml",
    ]


def test_nothing_is_written(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    rig("check", "two_armed_bandit")
    assert sorted(tmp_path.rglob("*")) == before


# --- what is wrong --------------------------------------------------------------------------------------------


def test_every_mistake_of_every_file_comes_at_once(rig: Rig, lab: Lab) -> None:
    one = lab("protocols/free_water.yaml", ("pause_s: 1", "puase_s: 1"), ("max_rewards: 300", "max_rewards: many"))
    other = lab("calibrations/sim_left.yaml", ("date: 2026-11-03", "date: yesterday"), ("ul: 0.4", "ul: -0.4"))
    found = lines(rig("check", one, other))
    assert found == [
        f"{other}:4: date: must be a date, YYYY-MM-DD, got 'yesterday'",
        f"{other}:7: points[0].ul: must be > 0, got -0.4",
        f"{one}:8: params.puase_s: unknown key; did you mean 'pause_s'? accepted: reward_ul, pause_s",
        f"{one}:12: stop.max_rewards: must be a whole number, got 'many'",
    ]


def test_a_mistake_that_two_files_share_is_reported_once(rig: Rig, lab: Lab) -> None:
    wrong = lab("rigs/sim_nose_ports.yaml", ("beam: 6", "beam: six"))
    found = lines(rig("check", "free_water", "two_armed_bandit", wrong))
    assert found == [f"{wrong}:17: devices.left.beam: must be a whole number, got 'six'"]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("driver: sim", "driver: sin", 4, "boards.sim.driver: driver 'sin' is not installed; did you mean 'sim'?"),
        ("driver: sim", "driver: sim, chip: uno", None, ""),
        ("driver: sim", "driver: sim, chip: dos", 4, "boards.sim.chip: must be 'uno' or 'mega', got 'dos'"),
        ("beam: 6", "beam: 300", 17, "devices.left.beam: must be <= 255, got 300"),
        ("sim_left", "sim_lefd", 17, "measure it: `rig device calibrate sim_nose_ports left`"),
    ],
)
def test_what_is_wrong_with_a_rig_is_reported_at_its_line(
    rig: Rig, lab: Lab, old: str, new: str, line: int | None, said: str
) -> None:
    path = lab("rigs/sim_nose_ports.yaml", (old, new))
    answer = rig("check", path)
    if line is None:
        assert answer.status == 0
    else:
        (found,) = lines(answer)
        assert found.startswith(f"{path}:{line}: ")
        assert said in found


def test_a_pin_that_the_chip_has_not_to_spare_is_reported(rig: Rig, lab: Lab) -> None:
    path = lab("rigs/sim_nose_ports.yaml", ("driver: sim", "driver: sim, chip: uno"), ("light: 10", "light: 1"))
    (found,) = lines(rig("check", path))
    assert found == f"{path}:17: devices.left.light: an Arduino Uno has no pin 1 for devices: use 2 to 19"


def test_a_calibration_of_a_real_rig_grows_old_and_that_of_a_simulated_one_does_not(rig: Rig) -> None:
    late = ("--start", "2026-11-21")
    assert rig("check", "two_armed_bandit", *late).status == 0
    found = lines(rig("check", "two_armed_bandit", "--rig", "nose_ports_uno", *late))
    assert len(found) == 2
    assert "devices.left.calibration: left_2026-11-03 was measured on 2026-11-03, 18 days ago; at most 7" in found[0]
    early = lines(rig("check", "nose_ports_uno", "--start", "2026-11-01"))
    assert "which is yet to come: is the date right, and the computer's clock?" in early[0]


def test_a_laboratory_says_itself_how_old_a_calibration_may_be(rig: Rig, lab: Lab) -> None:
    path = lab("rigs/nose_ports_uno.yaml", ("devices:", "calibration_max_days: 30\ndevices:"))
    assert rig("check", path, "--start", "2026-11-21").status == 0


def test_a_volume_that_was_never_measured_is_reported_where_it_is_asked_for(rig: Rig, lab: Lab) -> None:
    path = lab("protocols/free_water.yaml", ("reward_ul: 2.5", "reward_ul: 0.5"))
    found = lines(rig("check", path, "--rig", "nose_ports_uno", *FRESH))
    assert [text.split(" (")[0] for text in found] == [
        f"{path}:7: params.reward_ul: valve 'left'",
        f"{path}:7: params.reward_ul: valve 'right'",
    ]


def test_a_missing_limit_is_reported(rig: Rig, lab: Lab) -> None:
    path = lab("protocols/free_water.yaml", ("  max_rewards: 300\n", ""), ("  max_ul: 750", "  min_trials: 2"))
    (found,) = lines(rig("check", path))
    assert "a limit is required: give max_rewards, max_ul, max_pellets or max_access_s" in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("params:\n", "pause_s: 2\nparams:\n", "pause_s: is not allowed here; move it to `params`"),
        ("params:\n", "max_ul: 2\nparams:\n", "max_ul: is not allowed here; move it to `stop`"),
        ("stop:\n", "stop:\n  pause_s: 2\n", "stop.pause_s: is not allowed here; move it to `params`"),
        ("params:\n", "params:\n  grace_s: 2\n", "params.grace_s: is not allowed here; move it to `stop`"),
        (
            "params:\n",
            "params:\n  simulation: x\n",
            "params.simulation: is not allowed here; move it to the top of the file, without indentation",
        ),
    ],
)
def test_a_key_in_the_wrong_section_is_reported_where_it_belongs(
    rig: Rig, lab: Lab, old: str, new: str, said: str
) -> None:
    (found,) = lines(rig("check", lab("protocols/free_water.yaml", (old, new))))
    assert found.endswith(f": {said}")


def test_unknown_options_of_virtual_subjects_are_reported(rig: Rig, lab: Lab) -> None:
    path = lab(
        "protocols/free_water.yaml",
        ("{rig: sim_nose_ports}", "{rig: sim_nose_ports, model_params: {reaktion: last_poke}}"),
    )
    (found,) = lines(rig("check", path))
    assert (
        ": simulation.model_params.reaktion: no virtual subject has this parameter; did you mean 'reaction'?" in found
    )


def test_a_rehearsal_that_fails_is_reported_at_the_line_of_the_protocol(rig: Rig, mine: Callable[..., Path]) -> None:
    path = mine("return self.carried_over['next']")
    (found,) = lines(rig("check", path))
    assert found.endswith("mine.py:11: in state 'here': KeyError: 'next'")


@pytest.mark.parametrize(
    ("protocol", "limit"),
    [("delay_discounting_exp1", ("max_pellets: 620", "max_pellets: 1")), ("free_water", ("max_ul: 750", "max_ul: 1"))],
)
def test_a_limit_below_a_single_reward_is_reported_at_its_line(
    rig: Rig, lab: Lab, protocol: str, limit: tuple[str, str]
) -> None:
    (found,) = lines(rig("check", lab(f"protocols/{protocol}.yaml", limit)))
    key = limit[0].partition(":")[0]
    assert f": stop.{key}: the first reward is already more than a limit allows, so none is ever given" in found


def test_chance_that_no_seed_governs_is_reported(rig: Rig, mine: Callable[..., Path]) -> None:
    path = mine("await self.sleep(1 + random.random())", "return self.here", first="import random\n\n")
    first, second = lines(rig("check", path))
    assert "random.random draws without the session's seed" in first
    assert "two dry runs with the same seed differ" in second


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a: 1\n",
            ":1: neither a protocol nor a curriculum, a rig, a calibration or a subject; a protocol has protocol:",
        ),
        ("", ":1: the file is empty"),
        ("protcol: free_water\nstop: {}\n", ":1: protcol: unknown key; did you mean 'protocol'?"),
        ("valv: left\npoints: []\n", ":1: valv: unknown key; did you mean 'valve'?"),
        ("baselin_g: 20\n", ":1: baselin_g: unknown key; did you mean 'baseline_g'?"),
        ("stagse: {}\n", ":1: stagse: unknown key; did you mean 'stages'?"),
        ("bords: {}\n", ":1: bords: unknown key; did you mean 'boards'?"),
        ("extends: other.yaml\n", ":1: extends: other.yaml: no such file"),
    ],
)
def test_a_file_is_known_by_its_keys_misspelt_or_not(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("some.yaml").write_text(text)
    assert any(found.startswith(f"some.yaml{said}") for found in lines(rig("check", "some.yaml")))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "which file? Give one or more"),
        (("nothing",), "there is no file 'nothing' and nothing of that name"),
        (("free_watr",), "did you mean 'free_water'?"),
        (("nowhere/x.yaml",), "nowhere/x.yaml: no such file"),
        (("free_water", "--model", "rfrl"), "did you mean 'rflr'?"),
        (("free_water", "--board", "sirial"), "--board sirial: driver 'sirial' is not installed; did you mean"),
        (("free_water", "--rig", "sim_nose_port"), "no rig is called 'sim_nose_port'; did you mean"),
        (("free_water", "--set", "params.reward_ul"), "--set params.reward_ul: must be key.path=value"),
        (("free_water", "--model", "rflr", "--param", "tua=1"), "--param tua"),
    ],
)
def test_a_mistake_on_the_command_line_is_reported(rig: Rig, words: tuple[str, ...], said: str) -> None:
    assert said in "\n".join(lines(rig("check", *words)))


def test_scripts_get_the_parts_of_every_mistake(rig: Rig, lab: Lab) -> None:
    path = lab("protocols/free_water.yaml", ("pause_s: 1", "puase_s: 1"))
    answer = rig("check", path, "sim_left", "--json", *FRESH)
    assert (answer.status, answer.err) == (2, "")
    wrong, good = json.loads(answer.out)["files"]
    assert (wrong["kind"], wrong["ok"], good["kind"], good["ok"]) == ("protocol", False, "calibration", True)
    (mistake,) = wrong["mistakes"]
    assert (mistake["file"], mistake["line"], mistake["key"]) == (str(path), 8, "params.puase_s")
    assert mistake["text"].startswith("unknown key; did you mean 'pause_s'?")


# --- where values come from -----------------------------------------------------------------------------------


def test_a_value_is_explained_by_its_line_and_by_what_it_overrides(rig: Rig, lab: Lab) -> None:
    Path("mine.yaml").write_text("extends: configs/protocols/free_water.yaml\nparams: {pause_s: 3}\n")
    answer = rig("check", "mine.yaml", "--explain", "pause_s")
    assert answer.out.splitlines() == [
        "params.pause_s: 3",
        "    mine.yaml:2",
        "    overrides 1 in configs/protocols/free_water.yaml:8",
        "    from a drop to the next chance",
        "    accepted: 0 to 600 (s)",
        "    default: 1; source: the original rig's program: its shortest inter-trial interval, also on the first day "
        "of training",
    ]
    answer = rig("check", "mine.yaml", "--set", "params.pause_s=5", "--explain", "params.pause_s")
    assert answer.out.splitlines()[:4] == [
        "params.pause_s: 5",
        "    command line",
        "    overrides 3 in mine.yaml:2",
        "    overrides 1 in configs/protocols/free_water.yaml:8",
    ]


def test_the_pin_of_a_panic_button_is_explained_in_both_of_its_forms(rig: Rig, lab: Lab) -> None:
    Path("one.yaml").write_text("extends: sim_nose_ports.yaml\nboards:\n  sim: {panic: 11}\n")
    Path("two.yaml").write_text("extends: one.yaml\nboards:\n  sim: {panic: {pin: 12, inverted: true}}\n")
    Path("three.yaml").write_text("extends: two.yaml\nboards:\n  sim: {panic: 13}\n")
    answer = rig("check", "three.yaml", "--explain", "boards.sim.panic.pin")
    assert answer.out.splitlines()[:4] == [
        "boards.sim.panic.pin: 13",
        "    three.yaml:3",
        "    overrides 12 in two.yaml:3",
        "    overrides 11 in one.yaml:3",
    ]


def test_a_default_is_explained_as_one(rig: Rig) -> None:
    answer = rig("check", "free_water", "--explain", "stop.grace_s")
    assert answer.out.splitlines()[:2] == ["stop.grace_s: 30", "    default"]


def test_all_values_are_explained_each_on_a_line(rig: Rig) -> None:
    for answer in (rig("check", "free_water", "--explain"), rig("check", "--explain", "free_water")):
        keys = [line.partition(":")[0] for line in answer.out.splitlines()]
        assert {"protocol", "params.pause_s", "stop.session_s", "devices.left.beam"} <= set(keys)
        assert len(keys) == len(set(keys))


def test_a_key_that_is_not_there_is_reported_with_what_was_meant(rig: Rig) -> None:
    (found,) = lines(rig("check", "free_water", "--explain", "params.puase_s"))
    assert "there is no such key; did you mean 'params.pause_s'?" in found


# --- what is no file of ours ----------------------------------------------------------------------------------


def test_a_name_that_means_nothing_does_not_keep_the_others_from_being_checked(rig: Rig, lab: Lab) -> None:
    spoilt = lab("rigs/sim_nose_ports.yaml", ("beam: 6", "beam: x"))
    answer = rig("check", "nowhere.yaml", "two_armed", spoilt, "sim_left", "sim_left")
    found = lines(answer)
    assert [line.split(":")[0] for line in found] == [
        "nowhere.yaml",
        "there is no file 'two_armed' and nothing of that name; did you mean 'two_armed_bandit'?",
        "configs/rigs/sim_nose_ports.yaml",
    ]
    assert answer.out.startswith("configs/calibrations/sim_left.yaml: ok")
    assert answer.out.count(": ok") == 1
    files = json.loads(rig("check", "nowhere.yaml", "sim_left", "--json").out)["files"]
    assert [(one["file"], one["ok"]) for one in files] == [
        ("nowhere.yaml", False),
        ("configs/calibrations/sim_left.yaml", True),
    ]


def test_a_file_that_is_not_yaml_is_named_for_what_it_is(rig: Rig, lab: Lab) -> None:
    lab("rigs/sim_nose_ports.yaml")
    Path("my_task.py").write_text("x = 1")
    Path("loop.yaml").symlink_to("loop.yaml")
    os.mkfifo("pipe.yaml")
    assert lines(rig("check", "my_task.py", "configs", "loop.yaml", "pipe.yaml")) == [
        "my_task.py: is Python; check the YAML file whose `protocol:` names it",
        "configs: is a folder; a YAML file is wanted",
        "loop.yaml: is no file that could be read (a link that leads nowhere)",
        "pipe.yaml: is no file that could be read",
    ]


def test_a_broken_plugin_model_does_not_stop_the_check_of_other_protocols(
    rig: Rig, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("broken", "nothing_of_that_name:Mouse", MODELS)
    monkeypatch.setattr(
        "rig.system.plugins.read_entry_points", lambda group, path: [*entry_points(group=group), broken]
    )
    file = lab("protocols/free_water.yaml", ("{rig: sim_nose_ports}", "{rig: sim_nose_ports, model_params: {tau: 2}}"))
    assert rig("check", file).status == 0


@pytest.mark.parametrize(("day", "status"), [("2026-11-10", 0), ("2026-11-11", 2)])
def test_a_calibration_serves_to_the_last_day_of_its_limit_and_no_longer(rig: Rig, day: str, status: int) -> None:
    answer = rig("check", "nose_ports_uno", "--start", day)
    assert answer.status == status
    assert ("8 days ago; at most 7 are allowed" in answer.err) == (status == 2)


def test_a_curriculum_is_checked_with_the_protocols_of_its_stages(rig: Rig, mine: Callable[..., Path]) -> None:
    path = mine("await self.sleep(1)", "return getattr(self, 'there')").with_name("course.yaml")
    path.write_text("stages:\n  one:\n    protocol: free_water\n  two:\n    protocol: mine.yaml\n")
    (found,) = lines(rig("check", path))
    assert "mine.py:12: stage two: in state 'here': AttributeError: " in found
    assert "there" in found
    path.write_text("stages:\n  one:\n    protocol: free_water\n  two:\n    protocol: free_water\n")
    answer = rig("check", path, "--json")
    (note, unreached) = json.loads(answer.out)["files"][0]["notes"]
    assert (note, unreached) == ("2 stages, a dry run of each: one, two", "no rule leads to two")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("hopper_s: 3.0", "hopper_s: 20"),
            ":12: params.hopper_s: hopper: up for 20 s: wanted more than 0 and at most",
        ),
        (("hit_margin_cm: 0.25", "ring_cm: 40"), ":8: params: disk0 is 22.1 cm beyond the screen"),
    ],
)
def test_what_a_protocol_itself_refuses_is_reported_at_its_line(
    rig: Rig, lab: Lab, change: tuple[str, str], said: str
) -> None:
    (line,) = lines(rig("check", lab("protocols/disk_bandit.yaml", change)))
    assert line.startswith(f"configs/protocols/disk_bandit.yaml{said}")


# --- orders that no board does --------------------------------------------------------------------------------


TONES = """\
from dataclasses import dataclass

from rig import Next, Port, Row, Speaker, Task, TaskParams, Tone, state


class Params(TaskParams):
    cue_ms: float = 200
    pause_s: float = 1


@dataclass
class Box:
    left: Port
    speaker: Speaker


class Cued(Task[Params, Box, Row]):
    read_by_some = ("left", "cue_ms")

    @state(to=("cue",), can_end=True)
    async def cue(self) -> Next:
        {body}
        await self.sleep(self.params.pause_s)
        return self.cue
"""
TONE = "self.do(self.box.speaker.tone(1000, self.params.cue_ms))"
RAW = "self.do(Tone('speaker.tone', 1000, round(self.params.cue_ms * 1000)))"
IN_SEQUENCE = (
    "self.cued = getattr(self, 'cued', None) or "
    "self.sequence((0, Tone('speaker.tone', 1000, round(self.params.cue_ms * 1000))))"
)
BY_REFLEX = (
    "with self.reflex((self.box.left.poked, Tone('speaker.tone', 1000, round(self.params.cue_ms * 1000)))):"
    " await self.first(self.box.left.poked, within=1)"
)


@pytest.fixture
def cued(tmp_path: Path) -> Callable[..., Path]:
    """A task that sounds a cue again and again, on a rig whose speaker may sound for a second at a time."""

    def write(body: str, params: str) -> Path:
        (tmp_path / "rigs").mkdir(exist_ok=True)
        rig_file = (CONFIGS / "rigs" / "sim_nose_ports.yaml").read_text()
        (tmp_path / "rigs" / "loud.yaml").write_text(f"{rig_file}  speaker: {{kind: speaker, pin: 11}}\n")
        (tmp_path / "cued.py").write_text(TONES.format(body=body))
        path = tmp_path / "cued.yaml"
        stop = "stop: {session_s: 20, max_rewards: 1}"
        path.write_text(
            f"protocol: ./cued.py\nsimulation: {{rig: {tmp_path}/rigs/loud.yaml}}\nparams: {{{params}}}\n{stop}\n"
        )
        return path

    return write


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            TONE,
            "speaker: a tone of 1500 ms: the rig file allows 1000 ms at most: make it shorter, or raise max_tone_ms",
        ),
        (RAW, "'tone speaker.tone 1000 1500000' in state cue: it is longer than the rig file lets its output be on"),
        (IN_SEQUENCE, "'tone speaker.tone 1000 1500000' in state cue: it is longer than the rig file lets"),
        (BY_REFLEX, "'tone speaker.tone 1000 1500000' in state cue: it is longer than the rig file lets"),
    ],
)
def test_a_cue_that_would_never_sound_is_a_mistake_at_the_parameter_that_asks_for_it(
    rig: Rig, cued: Callable[..., Path], body: str, said: str
) -> None:
    assert rig("check", cued(body, "cue_ms: 900")).status == 0
    (line,) = lines(rig("check", cued(body, "cue_ms: 1500")))
    assert "cued.yaml:3: params.cue_ms: " in line
    assert said in line


@pytest.mark.parametrize(
    "body",
    [
        f"{TONE}; await self.sleep(0.1); {TONE}",
        "self.cued = getattr(self, 'cued', None) or "
        "self.sequence((0, Tone('speaker.tone', 900, 80_000)), (0.05, Tone('speaker.tone', 900, 90_000)))",
    ],
)
def test_a_cue_that_begins_while_another_one_sounds_is_a_mistake(
    rig: Rig, cued: Callable[..., Path], body: str
) -> None:
    (line,) = lines(rig("check", cued(body, "cue_ms: 250, pause_s: 0.9")))
    assert "in state cue: its output is still busy with what was ordered before" in line


def test_two_valves_that_are_always_opened_at_once_are_a_mistake(rig: Rig, cued: Callable[..., Path]) -> None:
    path = cued("self.do(self.box.left.drop(2.5)); self.do(self.box.right.drop(2.5))", "")
    (path.parent / "cued.py").write_text(
        (path.parent / "cued.py").read_text().replace("speaker: Speaker", "right: Port")
    )
    path.write_text(path.read_text().replace("max_rewards: 1", "max_rewards: 9"))
    (line,) = lines(rig("check", path))
    assert (
        "the board refuses 'pulse right.valve 40000 (2.5 ul)' in state cue: another interlocked valve is open" in line
    )


def test_a_session_whose_orders_were_refused_is_not_done_and_says_so(
    rig: Rig, cued: Callable[..., Path], data: Path
) -> None:
    words = ("sim", cued(RAW, "cue_ms: 1500"), "--model", "random_explorer", "--subject", "M1")
    words = (*words, "--start", "2026-11-21T09:00")
    answer = rig(*words)
    assert answer.status == 1
    assert "20 orders refused by the board, and not made good: see `rig check`" in " ".join(answer.out.split())
    assert json.loads(rig(*words, "--json").out)["sessions"][0]["refused_orders"] == 20
    newest = max(data.rglob("journal.jsonl"))
    assert json.loads(newest.read_text().splitlines()[-1])["refused_orders"] == 20
    quiet = rig(*words[:1], cued(RAW, "cue_ms: 500"), *words[2:], "--json")
    assert (quiet.status, json.loads(quiet.out)["sessions"][0]["refused_orders"]) == (0, 0)
