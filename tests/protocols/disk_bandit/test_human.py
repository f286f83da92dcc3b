"""The eight disks with people: pages, six sessions, points, questions, and the right to stop."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Button, Disk, Text, Tile
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.protocols.disk_bandit.human_disks import QUICK, SAME, click
from tests.session_specs import protocol_spec

Way = Callable[[Body], Awaitable[None]]


async def begin(body: Body) -> None:
    """Go as far as the first session."""
    for name in ("agree", "next", "next", "disk0", "box"):
        await click(body, name)


async def answer(body: Body, text: str) -> None:
    await body.wait(0.5)
    for key in text:
        body.type(key)
    await click(body, "next")


def run(way: Way, **values: Any) -> FaultHarness:
    """Play a run of three sessions of 20 s, with fixed intervals of 5 s unless ``values`` say otherwise."""
    return run_harness(protocol_spec("disk_bandit_human", **{**QUICK, "vi_s": SAME, **values}), way)


async def whole(body: Body) -> None:
    """Take part from the first page to the last."""
    await begin(body)
    for session in (1, 2, 3):
        await click(body, "next")
        await click(body, "disk3", 6.0)
        await click(body, "box")
        await click(body, "disk3")
        await body.wait(14.0)
        if session == 2:
            for number in range(4):
                await answer(body, f"a{number}")
    await click(body, "finish")


def phases(harness: FaultHarness) -> list[tuple[int, str, int]]:
    return [(row["session"], row["phase"], row["rewarded"]) for row in harness.rows]


def texts(harness: FaultHarness) -> list[str]:
    """Every word that was shown, in its order."""
    items = [item for scene in scenes_in(harness.journal) for item in scene.items]
    return [item.text for item in items if isinstance(item, Text | Tile | Button)]


def test_a_participant_goes_from_the_first_page_to_the_last() -> None:
    harness = run(whole)
    assert harness.footer.reason == "task_finished"
    names = list(dict.fromkeys(name for name, _ in harness.states))
    assert names == ["consent", "read", "sample", "ready", "respond", "pending", "over", "ask", "debrief", "done"]
    each = [("respond", 1), ("respond", 0)]
    assert phases(harness) == [(0, "sample", 1), *((session, *row) for session in (1, 2, 3) for row in each)]
    assert harness.footer.carry_over == {"points": [1, 1, 1], "payment": 0.0}
    assert replay_lines(harness.journal)[1] is None


def test_points_are_a_table_with_the_time_of_both_clicks() -> None:
    harness = run(whole)
    table = harness.table("points")
    assert [(row["session"], row["disk"]) for row in table] == [(0, 0), (1, 3), (2, 3), (3, 3)]
    assert all(row["t_collected"] - row["t_lit"] == pytest.approx(0.5, abs=0.01) for row in table)
    penny = [order for _, order in harness.orders if order.startswith("tone")]
    assert penny == ["tone speaker.tone 2000 80000"] * 4


def test_answers_are_a_table_and_are_asked_once_after_their_session() -> None:
    harness = run(whole)
    answers = harness.table("answers")
    assert [row["answer"] for row in answers] == ["a0", "a1", "a2", "a3"]
    assert answers[1]["question"] == "What strategy did you use to earn points?"
    assert {row["session"] for row in answers} == {2}
    assert all(row["t_answered"] > row["t_asked"] for row in answers)


def test_typing_is_shown_and_can_be_taken_back() -> None:
    async def way(body: Body) -> None:
        await begin(body)
        await click(body, "next")
        await body.wait(22.0)
        await answer(body, "ab")
        body.type("y")
        body.type("backspace")
        body.type("n")
        body.type("enter")
        await body.wait(0.5)
        shown = [item.text for item in body.scene.items if isinstance(item, Text)]
        assert shown[1] == "n\n_"
        await click(body, "next")

    harness = run(way, questionnaire_after=1, stop_session_s=60)
    assert [row["answer"] for row in harness.table("answers")] == ["ab", "n\n"]


def test_intervals_are_those_of_the_study_for_every_participant() -> None:
    def assignment(seed: int, study: int) -> Any:
        harness = run_harness(protocol_spec("disk_bandit_human", study_seed=study, stop_session_s=1), seed=seed)
        return harness.notes("assignment")[0].fields["vi_s"]

    first = assignment(1, 1)
    assert first == assignment(2, 1) != assignment(1, 2)
    assert len(first) == 6
    assert all(sorted(order) == [3, 9, 27, 81, 243, 729, 2187, 6561] for order in first)


def test_each_session_knows_what_the_disks_had_in_the_one_before() -> None:
    harness = run(whole, vi_s="[5,6,7,8,9,10,11,12]")
    of_session = {row["session"]: row for row in harness.rows if row["phase"] == "respond"}
    assert of_session[1]["prev_vi_s"] is None
    assert of_session[2]["prev_vi_s"] == of_session[1]["vi_s"]
    assert of_session[3]["prev_vi_s"] == of_session[2]["vi_s"]
    assert {row["block"] for row in harness.rows} == {1}


def test_disks_are_without_effect_while_the_box_is_lit_and_their_clocks_run() -> None:
    async def way(body: Body) -> None:
        await begin(body)
        await click(body, "next")
        await click(body, "disk3", 6.0)
        await click(body, "disk4")
        await click(body, "disk3", 6.0)
        await click(body, "box")
        await click(body, "disk3")

    harness = run(way, stop_session_s=60)
    mine = [row for row in harness.rows if row["session"] == 1]
    assert [(row["disk"], row["phase"], row["rewarded"], row["armed_before"]) for row in mine] == [
        (3, "respond", 1, 1),
        (4, "pending", 0, 1),
        (3, "pending", 0, 1),  # armed again: the next interval began at the click that lit the box
        (3, "respond", 1, 1),
    ]


def test_a_point_that_is_not_taken_when_the_session_ends_is_lost() -> None:
    async def way(body: Body) -> None:
        await begin(body)
        await click(body, "next")
        await click(body, "disk3", 6.0)
        await body.wait(20.0)
        counters = [item.text for item in body.scene.items if isinstance(item, Tile)]
        assert counters == []  # the page before the next session
        await click(body, "stop")
        await click(body, "stop")
        await click(body, "finish")

    harness = run(way)
    assert harness.table("points")[-1]["t_collected"] is None
    assert harness.footer.carry_over["points"] == [0, 0, 0]


def test_the_box_is_lit_only_when_a_point_waits_and_the_counter_of_the_session_is_bright() -> None:
    async def way(body: Body) -> None:
        await begin(body)
        await click(body, "next")
        await body.wait(6.0)
        assert look(body) == ("", ["0", "0", "0"], [0])
        await click(body, "disk3")
        await body.wait(0.1)
        assert look(body) == ("Click for a point", ["0", "0", "0"], [0])
        await click(body, "box")
        await body.wait(0.1)
        assert look(body) == ("", ["1", "0", "0"], [0])

    def look(body: Body) -> tuple[str, list[str], list[int]]:
        tiles = [item for item in body.scene.items if isinstance(item, Tile)]
        counters = [item for item in tiles if item.name != "box"]
        (box,) = [item for item in tiles if item.name == "box"]
        bright = [place for place, item in enumerate(counters) if item.color == "#ffffff"]
        return box.text, [item.text for item in counters], bright

    assert run(way, stop_session_s=20).footer.reason == "time_limit"


def test_a_session_ends_on_time_whatever_is_clicked() -> None:
    async def way(body: Body) -> None:
        await begin(body)
        await click(body, "next")
        await body.wait(0.1)
        box = body.scene.item("disk3")
        for _ in range(60):
            await body.wait(0.5)
            assert box is not None
            body.peck(box.x_cm, box.y_cm)

    harness = run(way, sessions=1, questionnaire_after=0)
    begun = [t_us for name, t_us in harness.states if name == "respond"][0]  # noqa: RUF015
    (ended,) = [t_us for name, t_us in harness.states if name == "over"]
    assert ended - begun == 20_000_000


def test_a_participant_who_does_not_consent_is_debriefed_and_asked_nothing() -> None:
    async def way(body: Body) -> None:
        await click(body, "stop")
        await click(body, "finish")

    harness = run(way)
    assert [name for name, _ in harness.states] == ["consent", "debrief", "done"]
    assert [note.fields["given"] for note in harness.notes("consent")] == [False]
    assert harness.rows == []
    assert harness.footer.reason == "participant_left"
    assert any("not a test of intelligence" in text for text in texts(harness))


@pytest.mark.parametrize("where", ["read", "sample", "ready", "respond", "pending", "ask"])
def test_one_may_stop_anywhere_and_is_asked_once_more(where: str) -> None:
    steps = {
        "read": ["agree"],
        "sample": ["agree", "next", "next"],
        "ready": ["agree", "next", "next", "disk0", "box"],
        "respond": ["agree", "next", "next", "disk0", "box", "next"],
        "pending": ["agree", "next", "next", "disk0", "box", "next", "disk3"],
        "ask": ["agree", "next", "next", "disk0", "box", "next", "ask"],
    }

    async def way(body: Body) -> None:
        for step in steps[where]:
            if step == "ask":
                await body.wait(21.0)
            else:
                await click(body, step, 6.0 if step == "disk3" else 0.5)
        await click(body, "stop")
        await click(body, "back")
        await click(body, "stop")
        await click(body, "stop")
        await click(body, "finish")

    harness = run(way, questionnaire_after=1)
    names = [name for name, _ in harness.states]
    first = names.index("leave")
    assert names[first - 1] == names[first + 1] == where
    assert names[first + 2 :] == ["leave", "debrief", "done"]
    assert harness.footer.reason == "participant_left"
    assert harness.on_at_the_end() == []
    assert replay_lines(harness.journal)[1] is None


def test_a_run_that_is_broken_off_has_the_intervals_that_were_open() -> None:
    async def way(body: Body) -> None:
        await begin(body)
        await click(body, "next")

    harness = run(way, stop_session_s=15)
    assert [row["disk"] for row in harness.table("intervals")] == list(range(8))
    assert {row["session"] for row in harness.table("intervals")} == {1}


def test_it_is_shown_in_the_language_that_is_asked_for() -> None:
    harness = run(whole, language="de", stop_session_s=200)
    assert any("Intelligenztest" in text for text in texts(harness))
    assert not any("intelligence" in text for text in texts(harness))
    assert "Klicken Sie für einen Punkt" in texts(harness)


def test_points_can_be_paid() -> None:
    harness = run(whole, show_up_pay=5, pay_per_point=0.5)
    assert harness.footer.carry_over["payment"] == 6.5
    assert any("3 points. Your payment is 6.50. This was" in text for text in texts(harness))


def test_everything_on_a_page_is_within_the_screen_and_nothing_that_is_pressed_overlaps() -> None:
    harness = run(whole)
    for scene in scenes_in(harness.journal):
        boxes = [(item.name, *_extent(item)) for item in scene.items if isinstance(item, Button | Tile | Disk)]
        for name, left, right, low, high in boxes:
            assert 0 <= left < right <= 1152 / 37.9, name
            assert 0 <= low < high <= 864 / 37.9, name
        for number, one in enumerate(boxes):
            for other in boxes[number + 1 :]:
                assert one[2] <= other[1] or other[2] <= one[1] or one[4] <= other[3] or other[4] <= one[3]


def _extent(item: Button | Tile | Disk) -> tuple[float, float, float, float]:
    sides = (item.diameter_cm, item.diameter_cm) if isinstance(item, Disk) else (item.width_cm, item.height_cm)
    x, y, width, height = item.x_cm, item.y_cm, *sides
    return x - width / 2, x + width / 2, y - height / 2, y + height / 2
