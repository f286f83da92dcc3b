"""Every input and output of a rig is tried, and everything is off afterwards."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from rig.boards.serial.board import SerialBoard
from rig.config import rig_file_model
from rig.core.clock import running
from rig.core.errors import LinkLostError, NotReadyError, OrderRefusedError, RecordError
from rig.core.model.actions import Amount
from rig.core.model.board import PanicInput
from rig.core.model.events import WHOLE_BATCH
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.devices.kinds import installed_kinds
from rig.diagnostics.io_test import OPENINGS, PANIC, Answer, AutoOperator, ChannelResult, Operator, check_channels
from rig.session.spec.read_rig import Rig, rig_spec_of
from sim_hardware.board.chip import BY_ORDER, UNKNOWN
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop
from tests.session_specs import nose_ports

PLAN = rig_spec_of(nose_ports(), "sim")
WITH_PANIC = replace(PLAN, wiring=replace(PLAN.wiring, panic=PanicInput("sim", 12)))


class Hand(Operator):
    """A person who does as told: breaks a beam a second after being asked, and answers as a test wants."""

    within_s = 20.0

    def __init__(self, rig: SimRig, wrong: dict[str, str] | None = None) -> None:
        self.rig = rig
        self.wrong = wrong or {}
        self.answers: list[Answer] = []
        self.agreed = True
        self.on_tell: Callable[[str], object] = lambda text: None
        self.told: list[str] = []
        self.given: list[Amount] = []

    def note_delivery(self, amount: Amount) -> None:
        self.given.append(amount)

    def instruct(self, text: str) -> None:
        self.told.append(text)
        self.on_tell(text)
        if text.startswith("press the panic button") and self.agreed:
            asyncio.get_running_loop().call_later(1, self.rig.world.press_panic, True)
        words = text.replace(":", "").split()
        for place in ("left", "center", "right"):
            if place in words and "beam" in words:
                on = words[0] == "break"
                asyncio.get_running_loop().call_later(1, self.rig.world.set_occupied, self.wrong.get(place, place), on)

    async def observed(self, question: str) -> Answer:
        return self.answers.pop(0) if self.answers else "yes"

    async def confirm(self, question: str) -> bool:
        self.told.append(question)
        return self.agreed


def tried(
    arrange: Callable[[Hand], object] = lambda hand: None, plan: RigSpec = PLAN, **rehearsal: Any
) -> tuple[dict[str, ChannelResult], Hand]:
    hands: list[Hand] = []

    async def main() -> list[ChannelResult]:
        rig = SimRig(plan, SimulationOptions(**rehearsal))
        rig.world.trace = []
        hands.append(Hand(rig))
        arrange(hands[0])
        return await check_channels(plan, lambda inbox: SerialBoard(rig.transport, running(), inbox), hands[0])

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(t_max=2000)) as runner:
        try:
            found = runner.run(main())
        finally:
            assert not any(outputs_left_on(hands[0]).values())
    return {each.channel: each for each in found}, hands[0]


def outputs_left_on(hand: Hand) -> dict[str, int]:
    return {name: value for _, name, value in hand.rig.world.trace or () if not name.endswith((".beam", ".in"))}


def test_a_rig_that_works_is_good_in_every_channel() -> None:
    found, _ = tried()
    assert set(found) == {channel.name for channel in PLAN.wiring.channels}
    assert {each.result for each in found.values()} == {"ok"}


def test_a_valve_opens_a_counted_number_of_times_for_a_short_while() -> None:
    _, hand = tried()
    changes = [(t_us, value) for t_us, name, value in hand.rig.world.trace or () if name == "left.valve"]
    opened = [b[0] - a[0] for a, b in pairwise(changes) if a[1] == 1]
    assert opened == [20_000] * OPENINGS


def test_water_flows_only_after_the_operator_confirms() -> None:
    found, hand = tried(lambda hand: setattr(hand, "agreed", False))
    assert found["left.valve"].result == "skipped"
    assert not any(name.endswith(".valve") and value for _, name, value in hand.rig.world.trace or ())


def test_the_operator_sees_beforehand_how_much_is_delivered() -> None:
    def refuse(amount: Amount) -> None:
        raise RecordError("the disk is full")

    _, hand = tried()
    ul = sum(of(20_000) * OPENINGS for of in PLAN.ul_of.values())
    assert sum(amount.ul for amount in hand.given) == pytest.approx(ul)
    assert ul > 0
    hands: list[Hand] = []

    def arrange(hand: Hand) -> None:
        hands.append(hand)
        hand.note_delivery = refuse  # type: ignore[method-assign]

    with pytest.raises(RecordError):
        tried(arrange)
    assert not any(name.endswith(".valve") and value for _, name, value in hands[0].rig.world.trace or ())


def test_a_light_is_on_for_a_second_and_off_again() -> None:
    _, hand = tried()
    (on, up), (off, down) = [(t, v) for t, name, v in hand.rig.world.trace or () if name == "center.light"][:2]
    assert (up, down) == (1, 0)
    assert 1_000_000 <= off - on < 1_100_000


def test_a_light_that_nobody_saw_is_wrong() -> None:
    found, _ = tried(lambda hand: hand.answers.append("no"))
    assert [each.channel for each in found.values() if each.result == "error"] == ["left.light"]


def test_what_was_not_seen_for_sure_is_shown_again() -> None:
    found, hand = tried(lambda hand: hand.answers.extend(("again", "yes")))
    assert found["left.light"].result == "ok"
    assert hand.told.count("the left light comes on for 1 s") == 2


def test_a_beam_whose_wire_is_cut_is_found_by_its_silence() -> None:
    found, _ = tried(cut=frozenset({"right.beam"}))
    assert (found["right.beam"].result, found["right.beam"].text) == (
        "error",
        "the right beam did not change in 20 s",
    )
    assert found["left.beam"].result == "ok"


def test_wires_the_wrong_way_round_are_named() -> None:
    found, _ = tried(lambda hand: hand.wrong.update(left="center", center="left"))
    assert "center.beam did: are they wired the wrong way round?" in found["left.beam"].text


def test_a_beam_that_is_broken_from_the_start_is_to_be_cleared_first() -> None:
    found, hand = tried(
        lambda hand: setattr(hand.rig.board, "on_open", lambda: hand.rig.world.set_occupied("left", True))
    )
    assert hand.told[0] == "the left beam is broken: clear it"
    assert found["left.beam"].result == "ok"


def test_a_board_that_cannot_read_a_whole_batch_is_quoted_with_all_of_it() -> None:
    def refuse(hand: Hand) -> None:
        chip = hand.rig.board.chip
        chip.execute = lambda orders, seen, batch: chip.refuse((BY_ORDER, batch, WHOLE_BATCH), UNKNOWN)  # type: ignore[method-assign]

    with pytest.raises(OrderRefusedError, match=r"the board refuses '.*light.*': unknown"):
        tried(lambda hand: setattr(hand, "on_tell", lambda text: refuse(hand)))


def test_everything_is_off_when_the_watcher_leaves() -> None:
    def leave(text: str) -> None:
        if text.startswith("the left light"):
            asyncio.get_running_loop().call_later(0.5, main_task().cancel)

    with pytest.raises(asyncio.CancelledError):
        tried(lambda hand: setattr(hand, "on_tell", leave))


def main_task() -> "asyncio.Task[Any]":
    (task,) = (task for task in asyncio.all_tasks() if task.get_coro().__name__ == "main")  # type: ignore[union-attr]
    return task


def test_everything_is_off_when_nobody_answers_any_more() -> None:
    class Gone(list[Answer]):
        def __bool__(self) -> bool:
            raise NotReadyError("no answer from the operator")

    with pytest.raises(NotReadyError):
        tried(lambda hand: setattr(hand, "answers", Gone()))


def test_a_cable_that_is_pulled_ends_it_at_once() -> None:
    def arrange(hand: Hand) -> None:
        hand.on_tell = lambda text: hand.rig.cable.disconnect() if text.startswith("break the center") else None

    with pytest.raises(LinkLostError, match="the cable was pulled"):
        tried(arrange)


def test_a_rig_may_have_lines_to_other_machines() -> None:
    devices = {"laser": {"kind": "ttl_out", "pin": 11, "max_on_ms": 500}, "camera": {"kind": "ttl_in", "pin": 12}}
    found, hand = tried(plan=rig_spec_of(with_devices(devices), "sim"), arrange=let_camera_tick)
    assert {name: found[name].result for name in ("laser", "camera.in")} == {"laser": "ok", "camera.in": "ok"}
    assert "the laser will be on for 500 ms: go on?" in hand.told


def let_camera_tick(hand: Hand) -> None:
    def tick(text: str) -> None:
        if "camera" in text:
            asyncio.get_running_loop().call_later(1, hand.rig.world.set_occupied, "camera", True)

    hand.on_tell = tick


def with_devices(more: dict[str, Any]) -> Rig:
    base = nose_ports()
    devices = {name: config.model_dump(exclude_none=True) for name, config in base.file.devices.items()}
    file = type(base.file).model_validate({"boards": {"sim": {"driver": "sim"}}, "devices": devices | more})
    return Rig("with_more", file, base.calibrations, ())


# --- a maze ---------------------------------------------------------------------------------------------------


def maze(**feeder: Any) -> RigSpec:
    counted = {"date": "2026-11-03", "pulses": 100, "pellets": 100}
    devices = {
        "feeder": {"kind": "feeder", "pin": 6, "measured": counted, **feeder},
        "speaker": {"kind": "speaker", "pin": 10, "max_tone_ms": 300},
    }
    file = rig_file_model(installed_kinds()).model_validate({"boards": {"sim": {"driver": "sim"}}, "devices": devices})
    return rig_spec_of(Rig("maze", file, {}, ()), "sim")


def test_a_feeder_gives_a_pellet_that_its_sensor_sees() -> None:
    found, hand = tried(plan=maze(sensor=7))
    assert hand.given == [Amount(pellets=1)]
    assert found["feeder.feeder"] == ChannelResult("feeder.feeder", "ok", "gave a pellet, and its sensor saw it")
    assert "feeder.sensor" not in found
    assert hand.told[0] == "the feeder will give a pellet: go on?"


def test_a_feeder_whose_sensor_sees_nothing_is_wrong() -> None:
    found, _ = tried(plan=maze(sensor=7), cut=frozenset({"feeder.sensor"}))
    assert found["feeder.feeder"].result == "error"
    assert found["feeder.feeder"].text.endswith("its sensor saw none in 2 s")


def test_a_feeder_without_a_sensor_is_looked_at() -> None:
    answers: list[tuple[Answer, str]] = [("yes", "ok"), ("no", "error")]
    for answer, result in answers:
        found, _ = tried(lambda hand, answer=answer: hand.answers.append(answer), maze())  # type: ignore[misc]
        assert found["feeder.feeder"].result == result


def test_a_pellet_that_nobody_agrees_to_is_not_given() -> None:
    found, hand = tried(lambda hand: setattr(hand, "agreed", False), maze())
    assert found["feeder.feeder"].result == "skipped"
    assert [name for _, name, _ in hand.rig.world.trace or ()] == []


def test_a_speaker_sounds_a_tone() -> None:
    found, hand = tried(plan=maze())
    assert found["speaker.tone"].text == "was to sound 1000 Hz for 300 ms, and did"
    assert [value for _, name, value in hand.rig.world.trace or () if name == "speaker.tone"] == [1000, 0]


def test_the_panic_button_is_tried_last_and_must_switch_everything_off() -> None:
    found, hand = tried(plan=WITH_PANIC)
    assert list(found)[-1] == PANIC
    assert found[PANIC] == ChannelResult(PANIC, "ok", "was pressed, and the board is all off: release it")
    assert "press the panic button of board sim (pin 12) now" in hand.told


def test_a_panic_button_that_is_not_pressed_is_an_error() -> None:
    def refuse(hand: Hand) -> None:
        hand.agreed = False

    found, _ = tried(refuse, WITH_PANIC)
    assert found[PANIC].result == "error"
    assert found[PANIC].text == "the panic button of board sim (pin 12) was not pressed in 20 s"


def test_the_panic_button_of_a_simulated_rig_is_not_pressed() -> None:
    async def main() -> list[ChannelResult]:
        rig = SimRig(plan, SimulationOptions())
        return await check_channels(plan, lambda inbox: SerialBoard(rig.transport, running(), inbox), AutoOperator())

    plan = replace(WITH_PANIC, wiring=replace(WITH_PANIC.wiring, channels=()))
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert [(each.channel, each.result) for each in runner.run(main())] == [(PANIC, "skipped")]
