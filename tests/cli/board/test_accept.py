"""`rig board accept`."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.boards.driver_lookup import ServedPlace
from rig.cli.board import accept
from rig.core.model.board import Channel, Input
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.diagnostics.acceptance import loop_back
from rig.diagnostics.acceptance.site import LoopPins, SiteOperator
from rig.diagnostics.io_test import Answer, spoken_name
from rig.session.spec.build import load_rig_spec
from sim_hardware.avr.rig import AvrRig
from sim_hardware.avr.serve import BoardServer
from tests.avr_tools import need_avr_tools
from tests.cli.board.test_serve import BOARD
from tests.cli.conftest import Rig
from tests.port_rigs import write_port_rig

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")


class Leads(SiteOperator):
    """Leads at the pins of a served chip in the place of hands; an output was seen when its pin was driven."""

    within_s = 3.0
    presses_panic = False

    def __init__(self, server: BoardServer, plan: RigSpec, pins: LoopPins) -> None:
        self.said: list[str] = []
        self.idle: set[str] = set()
        """The inputs whose wire is cut."""
        self.has_jumper = True
        self._server = server
        self._plan = plan
        self._pins = pins
        self._trace = server.do(lambda rig: rig.record_pins())
        self._seen = 0

    def instruct(self, text: str) -> None:
        self.said.append(text)
        if "pull the USB cable" in text:
            self._server.unplug()
        for channel in self._plan.wiring.channels:
            name = spoken_name(channel)
            if isinstance(channel, Input) and channel.name not in self.idle and name in text:
                self._drive(channel, text.startswith("break"))

    def _drive(self, channel: Channel, on: bool) -> None:
        self._server.do(lambda rig: rig.board.put(channel.pin, int(on ^ channel.inverted)))

    async def done(self, task: str) -> None:
        self.said.append(task)
        if "jumper" in task and self.has_jumper:
            self._server.do(lambda rig: rig.board.join(self._pins.output, self._pins.input))
        if "plug the cable in" in task:
            self._server.plug()

    async def observed(self, question: str) -> Answer:
        new, self._seen = self._trace[self._seen :], len(self._trace)
        asked = [each.name for each in self._plan.wiring.channels if spoken_name(each) in question]
        on = {name for _, name, level in new if level}
        return "yes" if not question.startswith("did") or "water" in question or set(asked) <= on else "no"

    async def confirm(self, question: str) -> bool:
        return True


@pytest.fixture
def rig_file(tmp_path: Path) -> Path:
    return write_port_rig(tmp_path, tmp_path / "ttyAVR", BOARD)


@pytest.fixture
def leads(rig_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Leads]:
    need_avr_tools()
    monkeypatch.setattr(loop_back, "REFLEXES", 20)
    monkeypatch.chdir(tmp_path)
    plan = load_rig_spec(str(rig_file), "avr")
    with BoardServer(
        lambda on_open: AvrRig(plan, SimulationOptions(), on_open=on_open), place=ServedPlace(tmp_path / "ttyAVR")
    ) as it:
        hands = Leads(it, plan, LoopPins(18, 19))
        monkeypatch.setattr(accept, "make_operator", lambda: hands)
        yield hands


@pytest.mark.real_time
def test_the_whole_acceptance_passes_with_leads_instead_of_hands(rig: Rig, rig_file: Path, leads: Leads) -> None:
    said = rig("board", "accept", rig_file, "--by", "anna")
    assert said.status == 0, said.out + said.err
    kept = json.loads(Path("acceptance/here.json").read_text())
    assert list(kept["steps"]) == list(accept.STEPS)
    (page,) = Path("acceptance").glob("here_*.html")
    text = page.read_text()
    assert "anna" in text
    assert "chain of reflexes through the jumper from pin 18 to pin 19" in text
    assert "not tried on this board: no order lets it hang. On a simulated uno: hang, interrupts on" in text
    assert "http" not in text
    again = rig("board", "accept", rig_file, "--by", "anna")
    assert (again.status, again.out.count("passed on")) == (0, len(accept.STEPS))


@pytest.mark.real_time
def test_a_cut_wire_and_a_missing_jumper_fail_and_the_same_line_goes_on_after_they_are_mended(
    rig: Rig, rig_file: Path, leads: Leads
) -> None:
    leads.idle = {"left.beam"}
    said = rig("board", "accept", rig_file, "--by", "anna", "--step", "devices")
    assert (said.status, "FAIL     left.beam: the left beam did not change" in said.out) == (3, True)
    leads.idle, leads.has_jumper = set(), False
    said = rig("board", "accept", rig_file, "--by", "anna", "--step", "reflex")
    assert (said.status, "is the jumper in the right holes?" in said.out) == (3, True)
    assert "goes on with the step 'reflex'" in said.out


def test_nobody_signs_by_default(rig: Rig, rig_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RIG_EXPERIMENTER", raising=False)
    assert "who says so? Give --by NAME" in rig("board", "accept", rig_file).err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("sim_nose_ports",), "has a simulated board (driver sim): there is nothing to accept"),
        (("nose_ports_uno", "--max-ul", "0"), "--max-ul 0: wanted more than 0"),
        (("nose_ports_uno",), "there is no terminal"),
    ],
)
def test_what_cannot_be_accepted_is_refused(
    rig: Rig, words: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = rig("board", "accept", *words, "--by", "anna")
    assert (said.status, why in said.err) == (2, True), said.err
