"""A laboratory's own kinds of devices: classes in files beside the rig file, or in an installed package.

The two classes of docs/recipes/devices stand for any: no other file of the program names them.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from rig.config import read_yaml
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import RewardLine
from rig.core.model.actions import Amount
from rig.core.model.board import Output
from rig.core.model.events import Edge
from rig.devices.kinds import is_kind, word_of
from rig.diagnostics.io_test import Answer, AutoOperator
from rig.records.journal.read import read_journal
from rig.session.spec.build import load_rig_spec
from rig.session.spec.read_rig import read_rig
from rig.system.local_imports import use_folder
from rig.testing import SessionHarness, at, enter, leave, run_session
from rig.window.session_lanes import Group, SessionLanes
from sim_hardware.world.body import Body
from sim_hardware.world.senses import Stimulus
from tests.avr_tools import need_avr_tools
from tests.cli.conftest import Rig
from tests.devices.tried_channels import try_channels
from tests.repository import ROOT
from tests.tables import rows

FILES = ROOT / "docs" / "recipes" / "devices"
RUN = ("--model", "random_explorer", "--seed", "1", "--start", "2026-11-21", "--subject", "M1")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A laboratory's folder: two devices, a rig, a protocol."""
    lab = tmp_path / "lab"
    shutil.copytree(FILES, lab, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(lab)
    return lab


@pytest.fixture
def package(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same devices in an installed package, by their entry points."""
    site = tmp_path / "site"
    shutil.copytree(FILES, site / "lab_devices", ignore=shutil.ignore_patterns("*.yaml", "air_puff*", "__pycache__"))
    about = site / "lab_devices-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lab-devices\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[rig.devices]\npuffer = lab_devices.puffer:Puffer\nrotary_feeder = lab_devices.rotary_feeder:RotaryFeeder\n"
    )
    monkeypatch.syspath_prepend(str(site))
    for name in [name for name in sys.modules if name.partition(".")[0] == "lab_devices"]:
        monkeypatch.delitem(sys.modules, name)
    for file, old, new in (
        ("chamber.yaml", "puffer.py:Puffer", "puffer"),
        ("chamber.yaml", "rotary_feeder.py:RotaryFeeder", "rotary_feeder"),
        ("air_puff.py", "from puffer", "from lab_devices.puffer"),
        ("air_puff.py", "from rotary_feeder", "from lab_devices.rotary_feeder"),
    ):
        (files / file).write_text((files / file).read_text().replace(old, new))
    for name in ("puffer.py", "rotary_feeder.py"):
        (files / name).unlink()
    return site / "lab_devices"


@pytest.fixture(params=["files", "package"])
def lab(request: pytest.FixtureRequest) -> Path:
    """The folder of a laboratory whose devices are files, or installed."""
    request.getfixturevalue(request.param)
    folder: Path = request.getfixturevalue("files")
    return folder


@pytest.fixture
def session(lab: Path, rig: Rig, data: Path) -> Path:
    """A simulated session with a puffer and a rotary feeder."""
    return simulated(rig, data)


def simulated(rig: Rig, data: Path) -> Path:
    answer = rig("sim", "air_puff.yaml", *RUN)
    assert answer.status == 0, answer.err
    return data / "sim" / "M1" / "2026-11-21" / "001"


def test_a_device_is_short() -> None:
    lengths = {name: len((FILES / name).read_text().splitlines()) for name in ("puffer.py", "rotary_feeder.py")}
    assert lengths["puffer.py"] <= 60
    assert lengths["rotary_feeder.py"] <= 120


def test_no_file_of_the_program_names_a_laboratorys_kind() -> None:
    sources = [*ROOT.glob("rig/**/*.py"), *ROOT.glob("sim_hardware/**/*.py")]
    named = [path for path in sources if "Puffer" in (text := path.read_text()) or "rotary" in text.lower()]
    # An example in messages, and advice for a word of the field.
    assert {path.name for path in named} <= {"device_kinds.py", "base.py", "json_schema.py", "field_words.py"}


def test_the_check_knows_its_keys_and_bounds(lab: Path, rig: Rig) -> None:
    assert ": ok: air_puff on chamber" in rig("check", "air_puff.yaml").out
    chamber = lab / "chamber.yaml"
    chamber.write_text(chamber.read_text().replace("puff_ms: 80", "puff_ms: 2000, puf: 1"))
    answer = rig("check", "chamber.yaml")
    assert answer.status == 2
    assert "chamber.yaml:7: devices.puff.puff_ms: must be <= 1000" in answer.err
    assert "chamber.yaml:7: devices.puff.puf: unknown key" in answer.err


def test_a_dangerous_output_may_not_be_on_a_pin_that_the_bootloader_drives(lab: Path, rig: Rig) -> None:
    chamber = lab / "chamber.yaml"
    chamber.write_text(chamber.read_text().replace("pin: 5", "pin: 13"))
    assert (
        "devices.puff.pin: pin 13 of an Arduino Uno may drive nothing that could do harm"
        in rig("check", "chamber.yaml").err
    )


def test_the_schema_has_its_keys_if_it_is_installed(package: Path, rig: Rig) -> None:
    schema = json.loads(rig("show", "schema", "rig").out)
    assert set(schema["definitions"]["puffer"]["properties"]) == {"kind", "board", "pin", "puff_ms"}
    assert schema["definitions"]["puffer"]["properties"]["puff_ms"]["maximum"] == 1000


def test_the_schema_admits_a_class_in_a_file(files: Path, rig: Rig) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft7Validator(json.loads(rig("show", "schema", "rig").out))
    chamber = read_yaml(files / "chamber.yaml").data
    assert not list(check.iter_errors(chamber))
    chamber["devices"]["puff"]["kind"] = "pufer"
    assert list(check.iter_errors(chamber))


def test_a_session_runs_and_replays(session: Path, rig: Rig) -> None:
    header, *lines = read_journal(session)
    assert isinstance(header, Header)
    words = {device["kind"] for name, device in header.rig.devices.items() if name in ("puff", "wheel")}
    assert header.rig.kinds.keys() == words
    assert all(kind.code for kind in header.rig.kinds.values())
    assert [line.unit for line in lines if isinstance(line, RewardLine)][:1] == ["pellets"]
    assert any(isinstance(line, Edge) and line.channel == "wheel.sensor" for line in lines)
    assert isinstance(lines[-1], Footer)
    assert lines[-1].reason == "reward_limit"
    trusted = rig("replay", "--trust", session)
    assert ": the same, " in trusted.out
    assert trusted.status == 0


def test_no_device_in_a_file_runs_for_a_replay_unless_it_is_trusted(files: Path, rig: Rig, data: Path) -> None:
    (files / "chamber.yaml").write_text(
        "extends: sim_nose_ports.yaml\ndevices: {puff: {kind: ./puffer.py:Puffer, pin: 11}}\n"
    )
    (files / "free.yaml").write_text("extends: free_water.yaml\nsimulation: {rig: ./chamber.yaml}\n")
    answer = rig("sim", "free.yaml", *RUN, "--set", "stop.session_s=20")
    assert answer.status == 0, answer.err
    session = data / "sim" / "M1" / "2026-11-21" / "001"
    (files / "puffer.py").write_text("1 / 0\n")
    answer = rig("replay", session)
    assert answer.status == 2
    assert "the device puffer.py:Puffer was a laboratory's own file" in answer.err
    assert rig("replay", "--trust", session).status == 0


def test_a_changed_package_is_not_what_was_recorded(package: Path, rig: Rig, data: Path) -> None:
    session = simulated(rig, data)
    file = package / "puffer.py"
    file.write_text(file.read_text() + "\n# another one\n")
    answer = rig("replay", "--trust", session)
    assert answer.status == 2
    assert "is not the recorded version: lab_devices.puffer differs" in answer.err


def test_its_lines_are_in_the_window_with_their_names(session: Path) -> None:
    lanes = SessionLanes()
    for line in read_journal(session):
        lanes.take(line)
    rows = {row.name: row for row in lanes.rows(lanes.t_us)}
    assert rows["puff: air"].group == rows["wheel.feeder"].group == Group.OUTPUT
    assert rows["wheel.sensor"].group == Group.INPUT
    lengths = {int(length) for part in rows["puff: air"].parts for _, _, length in part.T}
    assert lengths == {80_000}


def test_its_channels_are_in_the_report(session: Path, rig: Rig) -> None:
    pytest.importorskip("matplotlib")
    assert rig("report", session).status == 0
    page = (session / "report.html").read_text()
    assert "wheel.sensor" in page
    assert "puffer" in page


def test_the_nwb_file_describes_it(session: Path, rig: Rig, tmp_path: Path) -> None:
    pynwb = pytest.importorskip("pynwb")
    assert rig("export", "nwb", session, "--incomplete").status == 0
    (path,) = tmp_path.glob("**/*.nwb")
    with pynwb.NWBHDF5IO(path, "r") as file:
        devices = file.read().devices
        assert devices["puff"].description.startswith("air puffer of the rig chamber (pin 5")
        assert devices["wheel"].description.startswith("rotary pellet feeder of the rig chamber")


# --- on the boards ----------------------------------------------------------------------------------------------


async def perceive(body: Body, felt: list[Stimulus]) -> None:
    await body.wait(0.5)
    body.enter("right")
    felt.append(await body.wait_for(Stimulus("puff", "puff", 1)))
    felt.append(await body.wait_for(Stimulus("puff", "puff", 0)))
    body.leave("right")


@pytest.mark.parametrize("board", ["sim", "avr"])
def test_a_virtual_subject_perceives_what_the_device_does(files: Path, board: str) -> None:
    if board == "avr":
        need_avr_tools()
    felt: list[Stimulus] = []
    played = run_session("air_puff.yaml", lambda body: perceive(body, felt), stop={"session_s": 4}, board=board)
    assert [stimulus.value for stimulus in felt] == [1, 0]
    assert played.rows[0].choice == "right"


@pytest.mark.parametrize("board", ["sim", "avr"])
def test_a_pellet_falls_after_the_steps_of_a_pocket_and_the_sensor_sees_it(files: Path, board: str) -> None:
    if board == "avr":
        need_avr_tools()
    script = (at(0.5, "left", enter), at(0.6, "left", leave))
    played: SessionHarness = run_session("air_puff.yaml", script, stop={"session_s": 4}, board=board)
    (row,) = (row for row in played.rows if row.choice == "left")
    # 24 steps of 4 ms, then half a step, and the fall.
    assert row.pellet_s == pytest.approx(0.5 + 24 * 0.004 + 0.1, abs=0.005)


class Hand(AutoOperator):
    """Keeps the questions."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.given: list[Amount] = []

    def note_delivery(self, amount: Amount) -> None:
        self.given.append(amount)

    async def observed(self, question: str) -> Answer:
        self.questions.append(question)
        return "yes"


def test_the_channel_test_tries_it_as_it_says(files: Path) -> None:
    hand = Hand()
    found = try_channels("./chamber.yaml", hand)
    assert found["puff"].text == "was to puff for 80 ms, and did"
    assert "did air come out?" in hand.questions


def test_its_maintenance_verb_is_one_in_rig_device(lab: Path, rig: Rig) -> None:
    answer = rig("device", "turn", "chamber.yaml", "wheel", "--pockets", "3")
    assert (answer.status, answer.out) == (0, "wheel: turned by 3 pockets\n")
    assert "puff: offers no verbs" in rig("device", "turn", "chamber.yaml", "puff").err
    assert "1 to 100" in rig("device", "turn", "chamber.yaml", "--help").out


# --- which class is meant ----------------------------------------------------------------------------------------


def test_an_unknown_kind_is_told_the_known_ones(files: Path, rig: Rig) -> None:
    (files / "chamber.yaml").write_text("boards: {uno: {driver: sim}}\ndevices:\n  puff: {kind: pufer, pin: 5}\n")
    answer = rig("check", "chamber.yaml")
    assert answer.status == 2
    assert "chamber.yaml:3: devices.puff.kind: unknown kind 'pufer'" in answer.err
    assert "feeder, hopper, houselight, light, port" in answer.err


@rows("text", "wrong")
def test_a_file_that_holds_no_device_is_a_mistake_at_the_line_of_the_kind(
    text: str, wrong: str, files: Path, rig: Rig
) -> None:
    (files / "puffer.py").write_text(text)
    answer = rig("check", "chamber.yaml")
    assert answer.status == 2
    assert "chamber.yaml:7: devices.puff.kind: " in answer.err
    assert wrong in answer.err


def test_the_class_of_the_rig_and_the_one_that_the_protocol_imports_are_one_kind(files: Path) -> None:
    read = read_rig(files / "chamber.yaml")
    (in_rig,) = (kind for word, kind in read.file.kinds.items() if word.startswith("puffer"))
    scope: dict[str, Any] = {}
    use_folder(str(files))  # as loading the protocol's file does
    exec("import puffer", scope)
    imported = scope["puffer"].Puffer
    assert is_kind(in_rig, imported)
    assert word_of(in_rig) == word_of(imported) == "puffer.py:Puffer"
    assert not is_kind(in_rig, type(read.devices["left"]))


def test_an_output_that_could_do_harm_is_bounded_by_the_board(files: Path) -> None:
    outputs = [channel for channel in load_rig_spec("./chamber.yaml").wiring.channels if isinstance(channel, Output)]
    assert {output.name: output.max_on_us for output in outputs} == {"puff": 80_000, "wheel.feeder": 4_000}
