"""A screen beside a board, in virtual time: stamps, pecks, what is touched, and what is journaled."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from unittest.mock import patch

import pytest

from rig.boards.serial.board import SerialBoard
from rig.core.errors import BoardNotFoundError, ScreenError
from rig.core.journal.kinds import BatchDone, Command, HealthLine, Note, SceneLine, SessionLine
from rig.core.journal.scenes import scenes_in
from rig.core.model.actions import Shown
from rig.core.model.board import BoardInfo, Wiring
from rig.core.model.events import Edge, Fault, FrameShown, Hover, Key, Touch
from rig.core.model.scene import DARK
from rig.core.model.screen import ScreenInfo, ScreenListener
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from rig.records.journal.read import L, of_kind, rows_of
from rig.session import replay
from sim_hardware import rig as sim_rig
from sim_hardware.link_model import LinkFaults
from sim_hardware.models.base import Model
from sim_hardware.world.body import Body, shown
from sim_hardware.world.screen import SimScreen
from tests import harness as session_harness
from tests.avr_tools import need_avr_tools
from tests.harness import run_harness
from tests.peck_helpers import RING, Chamber, Hovering, Peck, Pecking, screen_rig
from tests.session_specs import task_spec

FRAME_US = round(1e6 / 60)


def played(live: Callable[[Body], Coroutine[Any, Any, None]], session_s: float = 20, **how: Any) -> list[SessionLine]:
    """Play a session; its journal."""
    script = task_spec(Pecking, stop={"session_s": session_s, "idle_stop_s": None}, rig=screen_rig())
    harness = session_harness.run_harness(script, live, **how)
    with patch.object(replay, "spec_of_header", lambda header, *code: script):
        assert replay.replay_lines(harness.journal)[1] is None
    return harness.journal


def of(lines: list[SessionLine], kind: type[L]) -> list[L]:
    return list(of_kind(lines, kind))


def at(name: str) -> tuple[float, float]:
    item = RING.item(name)
    assert item is not None
    return item.x_cm, item.y_cm


async def nothing(body: Body) -> None:
    await body.wait(1e6)


# --- what is shown --------------------------------------------------------------------------------------------


def test_a_scene_appears_with_the_next_frame_and_the_acknowledgement_has_its_stamp() -> None:
    lines = played(nothing)
    (shown,) = of(lines, FrameShown)
    (command,) = (line for line in of(lines, Command) if line.orders == (Shown(RING.id),))
    assert 0 < shown.t_us - command.t_us <= FRAME_US + 1000
    assert (shown.frame, shown.scene, shown.src) == (1, RING.id, "host")
    assert FRAME_US <= shown.uncertainty_us <= FRAME_US + 1000


def test_the_journal_holds_every_scene_once_and_a_reader_can_make_it_again() -> None:
    async def live(body: Body) -> None:
        for _ in range(3):
            await body.wait(2)
            body.peck(*at("disk0"))

    lines = played(live)
    assert list(scenes_in(lines)) == [RING, DARK]
    assert [line.id for line in of(lines, SceneLine)] == [RING.id, DARK.id]
    assert len(of(lines, SceneLine)) == 2
    assert [line.scene for line in of(lines, FrameShown)] == [RING.id, *[DARK.id, RING.id] * 3]


def test_the_screen_is_dark_for_the_subject_before_and_after_a_session() -> None:
    bodies: list[Body] = []

    async def live(body: Body) -> None:
        bodies.append(body)
        assert body.scene == DARK
        await body.wait(1)
        assert body.scene == RING
        await body.wait(1e6)

    played(live)
    assert bodies[0].scene == DARK


# --- what is touched ------------------------------------------------------------------------------------------


def test_every_contact_is_journaled_on_target_or_off_and_only_pecks_are_trials() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        body.peck(*at("disk2"))
        await body.wait(0.02)  # a bounce
        body.peck(*at("disk2"))
        await body.wait(1)
        body.peck(0.5, 20)

    lines = played(live)
    touches = of(lines, Touch)
    assert [(t.phase, t.on, t.peck) for t in touches] == [
        ("down", "disk2", True),
        ("down", "disk2", False),
        ("up", "disk2", False),
        ("up", "disk2", False),
        ("down", "", True),
        ("up", "", False),
    ]
    assert [row["on"] for row in rows_of(lines)] == ["disk2", ""]
    assert [t.contact for t in touches] == [1, 2, 1, 2, 3, 3]
    assert {t.src for t in touches} == {"touch"}


def test_a_touch_is_stamped_on_the_sessions_axis_and_keeps_its_place_raw_stamp_and_uncertainty() -> None:
    async def live(body: Body) -> None:
        await body.wait_until_us(1_000_000)
        body.peck(10, 5)

    lines = played(live)
    down, up = of(lines, Touch)
    assert abs(down.t_us - 1_000_000) <= 1
    assert up.t_us - down.t_us == pytest.approx(30_000, abs=2)
    assert (down.x_px, down.y_px) == (262.0, 469.0)
    assert (down.x_cm, down.y_cm) == (10.0, 5.0)
    assert down.raw_us >= down.t_us
    assert 20_000 <= down.uncertainty_us <= 21_000
    assert down.frame == 1
    assert rows_of(lines)[0]["t_us"] == down.t_us


def test_a_peck_in_the_margin_is_flagged() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        x_cm, y_cm = at("disk4")
        body.peck(x_cm, y_cm - 1.2)

    (row,) = rows_of(played(live))
    assert (row["on"], row["in_margin"]) == ("disk4", True)


def test_a_touch_is_judged_by_what_was_on_the_glass_when_it_came() -> None:
    """Disk 0 was ordered away, and the frame without it is not there yet: the bird saw it."""

    async def live(body: Body) -> None:
        await body.wait_until_us(round(60.1 / 60 * 1e6))
        body.peck(*at("disk0"))
        await body.wait(0.001)
        body.peck(*at("disk3"))
        await body.wait(0.5)
        body.peck(*at("disk3"))

    lines = played(live)
    downs = [line for line in of(lines, Touch) if line.phase == "down"]
    assert [(line.on, line.frame) for line in downs] == [("disk0", 1), ("disk3", 1), ("", 2)]


def test_what_is_touched_while_nobody_asks_is_passed_over_and_known() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        body.peck(*at("disk0"))
        await body.wait(0.5)
        body.peck(1, 1)

    lines = played(live)
    assert [note.fields["passed"] for note in of(lines, Note) if "passed" in note.fields] == [3]  # up; down, up
    assert len(rows_of(lines)) == 1


def test_a_drag_is_journaled_in_every_phase_under_one_contact() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        contact = body.press(5, 5)
        await body.wait(0.1)
        body.drag(contact, 6, 5)
        await body.wait(0.1)
        body.lift(contact, 6, 5)

    touches = of(played(live), Touch)
    assert [(t.phase, t.contact, t.x_cm) for t in touches] == [("down", 1, 5), ("move", 1, 6), ("up", 1, 6)]


def test_a_peck_is_a_sign_of_life() -> None:
    async def live(body: Body) -> None:
        while True:
            await body.wait(30)
            body.peck(1, 1)

    script = task_spec(
        Pecking,
        stop={"session_s": 300, "idle_alert_s": 60, "idle_stop_s": 90, "max_rewards": 5},
        rig=screen_rig(),
    )
    assert session_harness.run_harness(script, live).outcome.reason == "time_limit"
    assert session_harness.run_harness(script, nothing).outcome.reason == "idle"


# --- the pointer of a mouse --------------------------------------------------------------------------------------


def hovered(live: Callable[[Body], Coroutine[Any, Any, None]]) -> list[SessionLine]:
    """Play a session of the task that asks for hovering; its journal, with which a replay agrees."""
    script = task_spec(Hovering, stop={"session_s": 5, "idle_stop_s": None}, rig=screen_rig())
    harness = session_harness.run_harness(script, live)
    harness.assert_replay_agrees()
    return harness.journal


def test_hovering_is_journaled_once_for_each_item_and_a_task_reads_it() -> None:
    async def live(body: Body) -> None:
        await body.wait_until_us(1_000_000)
        for name in ("disk0", "disk1", "disk2"):
            for slip_cm in (-0.5, 0.0, 0.5):
                body.hover(at(name)[0] + slip_cm, at(name)[1])
                await body.wait(0.1)
        body.hover(0, 0)

    lines = hovered(live)
    hovers = of(lines, Hover)
    assert [line.on for line in hovers] == ["disk0", "disk1", "disk2", ""]
    assert [row["on"] for row in rows_of(lines)] == ["disk0 disk0", "disk1 disk1", "disk2 disk2", " "]
    first = hovers[0]
    assert (abs(first.t_us - 1_000_000) <= 1, first.frame, first.src) == (True, 1, "host")
    assert (first.x_cm, first.y_cm) == pytest.approx((at("disk0")[0] - 0.5, at("disk0")[1]), abs=0.002)
    assert 20_000 <= first.uncertainty_us <= 21_000
    assert of(lines, SceneLine)[0].hover is True


def test_where_the_pointer_came_while_the_task_did_not_wait_for_it_is_known_afterwards() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        body.hover(*at("disk0"))
        body.peck(*at("disk0"))
        await body.wait(0.5)
        body.hover(*at("disk3"))

    lines = hovered(live)
    assert [row["on"] for row in rows_of(lines)] == ["disk0 disk0", "disk0 disk0"]
    assert [note.fields["hovering"] for note in of(lines, Note) if "hovering" in note.fields] == ["disk3"]


def test_a_task_whose_scenes_do_not_ask_for_hovering_has_no_line_of_it() -> None:
    async def live(body: Body) -> None:
        while True:
            await body.wait(0.1)
            body.hover(*at(f"disk{int(8 * body.random.random())}"))

    assert of(played(live), Hover) == []


def test_a_pointer_that_moves_is_no_sign_of_life() -> None:
    async def live(body: Body) -> None:
        while True:
            await body.wait(10)
            body.hover(*at(f"disk{int(8 * body.random.random())}"))

    script = task_spec(Hovering, stop={"session_s": 300, "idle_alert_s": 60, "idle_stop_s": 90}, rig=screen_rig())
    assert session_harness.run_harness(script, live).outcome.reason == "idle"


def test_the_pointer_of_a_pause_is_known_when_the_session_goes_on() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        body.hover(*at("disk0"))
        await body.wait(2)
        body.hover(*at("disk3"))
        await body.wait(2)
        body.peck(*at("disk1"))

    def request(what: str) -> Callable[[Any], object]:
        return lambda harness: harness.request(what)

    script = task_spec(Hovering, stop={"session_s": 5, "idle_stop_s": None}, rig=screen_rig())
    harness = session_harness.run_harness(script, live, (2.0, request("pause")), (4.0, request("resume")))
    harness.assert_replay_agrees()
    assert [line.on for line in of(harness.journal, Hover)] == ["disk0", "disk3"]
    assert rows_of(harness.journal)[-1]["on"] == "disk1 disk3"


# --- injected --------------------------------------------------------------------------------------------------


def test_nobody_pecks_at_a_screen_whose_picture_is_cut_and_nobody_hears_pecks_at_one_whose_touch_is() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        if body.scene.items:
            body.peck(*at("disk2"))

    assert rows_of(played(live)) != []
    assert of(played(live, cut=frozenset({"screen.picture"})), Touch) == []
    assert of(played(live, cut=frozenset({"screen.touch"})), Touch) == []


def test_a_screen_that_is_lost_ends_the_session_as_a_fault_with_everything_on_record() -> None:
    def arrange(harness: Any) -> None:
        async def later() -> None:
            await asyncio.sleep(3)
            harness.session.board.lost("the stimulus window was closed")

        harness.keep = asyncio.get_running_loop().create_task(later())

    async def live(body: Body) -> None:
        await body.wait(1)
        body.peck(*at("disk2"))
        await body.wait(1e6)

    lines = played(live, arrange=arrange)
    (fault,) = of(lines, Fault)
    assert (fault.what, fault.detail) == ("screen", "the stimulus window was closed")
    assert (lines[-1].reason, lines[-1].complete, lines[-1].trials) == ("fault", True, 1)


def test_the_footer_is_preceded_by_the_counters_of_the_screen() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        body.peck(1, 1)

    (health,) = of(played(live), HealthLine)
    assert (health.counters["screen_contacts"], health.counters["screen_frames"]) == (1, 1)


def test_the_same_seed_gives_the_same_bytes() -> None:
    async def live(body: Body) -> None:
        while True:
            await body.wait(body.random.random())
            body.peck(30 * body.random.random(), 20 * body.random.random())

    assert played(live) == played(live)


class Once(Model):
    """Pecks disk 0, and disk 2 when the ring is there again."""

    async def live(self, body: Body) -> None:
        await body.wait_for(shown("disk0").on)
        body.peck(*at("disk0"))
        await body.wait_for(shown("disk0").off)
        await body.wait_for(shown("disk2").on)
        body.peck(*at("disk2"))
        await body.wait(1e6)


def test_a_board_that_runs_the_firmware_takes_the_batches_of_which_nothing_is_left_for_it() -> None:
    need_avr_tools()
    script = task_spec(Pecking, stop={"session_s": 3}, rig=screen_rig())
    harness = run_harness(script, model=Once(), board="avr")
    harness.assert_replay_agrees()
    assert harness.outcome is not None
    assert (harness.outcome.reason, harness.outcome.health.complete) == ("time_limit", True)
    assert [row["on"] for row in harness.rows] == ["disk0", "disk2"]
    done = [line.batch for line in harness.of_kind(BatchDone)]
    assert done == [line.batch for line in harness.of_kind(Command)]


def test_a_board_sees_the_light_itself_where_a_photodiode_looks_at_the_patch() -> None:
    async def live(body: Body) -> None:
        assert "eye" not in body.places
        await body.wait(1)
        body.peck(*at("disk0"))
        await body.wait(1e6)

    rig = screen_rig({"patch_cm": 1, "photodiode": "eye"}, {"eye": {"kind": "ttl_in", "pin": 2}})
    script = task_spec(Pecking, stop={"session_s": 5}, rig=rig)
    journal = session_harness.run_harness(script, live).journal
    seen = [(line.t_us, line.level) for line in of(journal, Edge)]
    said = [(line.t_us, line.frame % 2) for line in of(journal, FrameShown)]
    assert [level for _, level in seen] == [lit for _, lit in said] == [1, 0, 1]
    assert all(abs(light_us - said_us) < 1000 for (light_us, _), (said_us, _) in zip(seen, said, strict=True))


def test_a_touch_that_cannot_be_journaled_ends_the_session_with_outputs_off() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        while True:
            body.peck(*at("disk2"))
            await body.wait(0.2)

    def arrange(harness: Any) -> None:
        harness.room = 40

    script = task_spec(Pecking, stop={"session_s": 60}, rig=screen_rig())
    harness = session_harness.run_harness(script, live, arrange=arrange)
    assert harness.outcome is not None
    assert (harness.outcome.reason, harness.outcome.detail) == ("fault", "the disk is full")
    assert harness.on_at_the_end() == []


def test_a_screen_that_is_not_there_is_reported_before_anything_has_happened() -> None:
    class NoScreen(SimScreen):
        async def open(self, listener: ScreenListener) -> ScreenInfo:
            raise ScreenError("screen: there is no monitor HDMI-7")

    with patch.object(sim_rig, "SimScreen", NoScreen), pytest.raises(ScreenError, match="no monitor HDMI-7"):
        played(nothing)


def test_a_board_that_is_not_there_lets_go_of_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    aborted = []
    monkeypatch.setattr(SimScreen, "abort", lambda self: aborted.append(self))

    class Absent(SerialBoard):
        async def open(self, wiring: Wiring) -> BoardInfo:
            raise BoardNotFoundError("no board")

    with patch("sim_hardware.driver.SerialBoard", Absent), pytest.raises(BoardNotFoundError):
        played(nothing)
    assert len(aborted) == 1


@pytest.mark.parametrize("seed", range(3))
def test_on_a_bad_link_no_contact_is_lost_and_a_replay_decides_the_same(seed: int) -> None:
    sent: list[tuple[float, float]] = []

    async def live(body: Body) -> None:
        while True:
            await body.wait(body.random.random())
            sent.append((round(30 * body.random.random(), 1), round(22 * body.random.random(), 1)))
            body.peck(*sent[-1])

    faults = LinkFaults(latency_s=0.004, jitter_s=0.01, flip=1e-3, drop=5e-4, double=5e-4, seed=seed)
    lines = played(live, session_s=60, faults=faults, seed=seed)
    downs = [line for line in of(lines, Touch) if line.phase == "down"]
    assert len(sent) > 80
    found = [place for line in downs for place in (line.x_cm, line.y_cm)]
    assert found == pytest.approx([place for touch in sent for place in touch][: len(found)], abs=0.02)
    assert len(downs) >= len(sent) - 1
    assert all(line.uncertainty_us >= 20_000 for line in downs)


class Asking(Task[TaskParams, Chamber, Peck]):
    """Asks for a name, and writes it down."""

    @state(to=("ask",), can_end=True)
    async def ask(self) -> Next:
        """Take keys until the answer is ended."""
        answer = ""
        while (key := await self.first(self.box.screen.typed)).key != "enter":
            answer = answer[:-1] if key.key == "backspace" else answer + key.key
        self.begin_trial(Peck(answer, key.t_us))
        self.end_trial()
        return self.ask


def test_what_is_typed_is_an_answer_of_the_subject_and_in_the_journal() -> None:
    async def live(body: Body) -> None:
        await body.wait(1)
        for key in ("Z", "o", "é", '"', "backspace", "enter"):
            body.type(key)
            await body.wait(0.1)

    script = task_spec(Asking, stop={"session_s": 5}, rig=screen_rig())
    journal = session_harness.run_harness(script, live).journal
    with patch.object(replay, "spec_of_header", lambda header, *code: script):
        assert replay.replay_lines(journal)[1] is None
    (row,) = rows_of(journal)
    assert row["on"] == "Zoé"
    keys = of(journal, Key)
    assert [line.key for line in keys] == ["Z", "o", "é", '"', "backspace", "enter"]
    assert row["t_us"] == keys[-1].t_us == keys[0].t_us + 500_000
