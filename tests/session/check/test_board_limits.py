"""What a board cannot do is told before a session, with the protocol's line and the remedy, on every board alike."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.session.check.check import FileReport, check
from rig.session.spec.request import SessionRequest
from tests.tables import rows

PROTOCOL = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
PREPARE_LINE, BODY_LINE = 18, 23

RIG = """
boards: {{sim: {{driver: sim, chip: {chip}, reference: true}}}}
devices:
  left: {{kind: port, beam: {left}, light: 8}}
  center: {{kind: port, beam: {center}}}
  right: {{kind: port, beam: {right}}}
  speaker: {{kind: speaker, pin: 11}}
  other_speaker: {{kind: speaker, pin: 12}}
"""
BEAMS = {
    "uno": {"left": 5, "center": 6, "right": 7},
    "mega": {"left": 50, "center": 51, "right": 52},
}


@pytest.fixture
def checked(tmp_path: Path):
    """Return what `rig check` says of a protocol."""

    def checked(body: str, chip: str = "uno", prepare: str = "pass") -> FileReport:
        for folder in ("rigs", "protocols"):
            (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / "lab.py").write_text(PROTOCOL.format(body=body, prepare=prepare))
        beams = BEAMS[chip]
        (tmp_path / "rigs" / "chip.yaml").write_text(RIG.format(chip=chip, **beams))
        file = tmp_path / "protocols" / "p.yaml"
        file.write_text(
            "protocol: ../lab.py\nsimulation: {rig: chip}\nstop: {session_s: 60, max_rewards: 50, idle_stop_s: null}\n"
        )
        return check(file, SessionRequest())

    return checked


@pytest.fixture
def told(checked: Callable[..., FileReport]):
    """Return the mistakes of a protocol, without what all of these lines begin with."""
    return lambda *args: [_told(mistake) for mistake in checked(*args).mistakes]


def _told(mistake: str) -> str:
    """Return a mistake of the dry run with the file's name and line before it, as the tests below have them."""
    location, _, text = mistake.partition(": ")
    text = text.partition("in the dry run ")[2] or text.partition("': ")[2] or text.partition("first state: ")[2]
    return f"{Path(location).name}: {text}"


def sequence(count: int) -> str:
    return f"self.sequence(*((0.1 * n, self.box.left.light.pulse(0.01)) for n in range({count})))"


def answers(count: int) -> str:
    edges = ("left.poked", "right.poked", "center.poked", "left.freed", "right.freed")
    return ", ".join(f"(box.{edge}, light.pulse(0.1))" for edge in edges[:count])


@rows("body", "said")
@pytest.mark.parametrize("chip", ["uno", "mega"])
def test_what_no_board_can_do_is_told_with_its_line(told, body: str, said: str, chip: str) -> None:
    assert told(body, chip) == [f"lab.py:{BODY_LINE}: {said}"]


@pytest.mark.parametrize(("chip", "entries"), [("uno", 24), ("mega", 120)])
def test_a_sequence_that_is_too_long_is_told_at_the_line_that_makes_it(told, chip: str, entries: int) -> None:
    (said,) = told("await self.sleep(0.1)", chip, f"self.train = {sequence(entries + 1)}")
    assert said.startswith(f"lab.py:{PREPARE_LINE}: the board refuses 'load 1: ")
    assert f"' in state wait: it has no room for a sequence of {entries + 1} actions" in said


@pytest.mark.parametrize("chip", ["uno", "mega"])
def test_what_fits_every_board_is_no_mistake(told, chip: str) -> None:
    body = f"await self.react({answers(5)}, within=86_400)"
    assert told(body, chip, f"self.train = {sequence(24)}") == []


@pytest.mark.parametrize(("chip", "places"), [("uno", 4), ("mega", 16)])
def test_a_sequence_that_is_made_in_a_state_again_and_again_is_one_mistake(told, chip: str, places: int) -> None:
    (said,) = told(f"{sequence(1)}.start()", chip)
    assert said.startswith(
        f"lab.py:{BODY_LINE}: the board refuses 'load {places + 1}: +0 pulse left.light 10000' in state wait: it holds "
        f"{places} sequences with {places} actions, and has no room for this one; make a sequence once, in `prepare`, "
        "and load it again with .load(...) ("
    )
    assert said.endswith(" times)")


@pytest.mark.parametrize(("chip", "count"), [("uno", 1), ("mega", 0)])
def test_a_second_tone_at_a_time_is_told_on_the_chip_that_plays_one(told, chip: str, count: int) -> None:
    said = told("self.do(box.speaker.tone(2000, 1)); self.do(box.other_speaker.tone(3000, 1))", chip)
    assert len(said) == count
    assert all("it plays no further tone at the same time: wait until one is over" in text for text in said)


LIGHTS = "; ".join(f"self.do(self.box.left.light.pulse(0.0{n}))" for n in range(1, 10))


@pytest.mark.parametrize(
    ("body", "ms"),
    [
        ("{lights}; await self.sleep(0.1)", None),
        ("{lights}; {lights}; await self.sleep(0.1)", 7),
        ("{lights}; {lights}; {lights}; {lights}; await self.sleep(0.1)", 16),
    ],
)
def test_orders_of_one_instant_that_take_more_than_5_ms_are_noted_with_their_state(checked, body: str, ms) -> None:
    notes = [note for note in checked(body.format(lights=LIGHTS)).notes if "of one instant" in note]
    assert [f"about {ms} ms later" in note and note.startswith("state 'wait': ") for note in notes] == [True] * bool(ms)


def test_what_is_loaded_before_the_first_state_delays_none_of_its_orders_but_once(checked) -> None:
    load = "; ".join(f"self.train_{n} = {sequence(20)}" for n in range(3))
    report = checked(f"{LIGHTS}; await self.sleep(0.1)", "mega", load)
    assert not [note for note in report.notes if "of one instant" in note]


def test_a_long_sequence_is_not_late_because_it_is_loaded_before(checked) -> None:
    report = checked("await self.sleep(0.1)", "uno", f"self.train = {sequence(20)}")
    assert not [note for note in report.notes if "of one instant" in note]
