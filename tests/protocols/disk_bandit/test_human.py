"""The eight disks with people: intervals of a study, and what is on the screen. Whole visits are in a script."""

from collections.abc import Callable, Coroutine
from typing import Any

from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Button, Disk, Tile
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.protocols.disk_bandit.human_disks import FIRST_PAGES, QUICK, SAME, click, whole
from tests.session_scripts import subject_of
from tests.session_specs import protocol_spec

Way = Callable[[Body], Coroutine[Any, Any, None]]
WHOLE = subject_of(whole(0.0))
"""From the first page to the last."""


async def begin(body: Body) -> None:
    """Go as far as the first session."""
    for name in (*FIRST_PAGES, "next"):
        await click(body, name)


def run(way: Way, **values: Any) -> FaultHarness:
    """Play a run of three sessions of 20 s, with fixed intervals of 5 s unless ``values`` say otherwise."""
    return run_harness(protocol_spec("disk_bandit_human", **{**QUICK, "vi_s": SAME, **values}), way)


def test_intervals_are_those_of_the_study_for_every_participant() -> None:
    def assignment(seed: int, study: int) -> Any:
        harness = run_harness(protocol_spec("disk_bandit_human", study_seed=study, stop_session_s=1), seed=seed)
        return harness.notes("assignment")[0].fields["vi_s"]

    first = assignment(1, 1)
    assert first == assignment(2, 1) != assignment(1, 2)
    assert len(first) == 6
    assert all(sorted(order) == [3, 9, 27, 81, 243, 729, 2187, 6561] for order in first)


def test_each_session_knows_what_the_disks_had_in_the_one_before() -> None:
    harness = run(WHOLE, vi_s="[5,6,7,8,9,10,11,12]")
    of_session = {row["session"]: row for row in harness.rows if row["phase"] == "respond"}
    assert of_session[1]["prev_vi_s"] is None
    assert of_session[2]["prev_vi_s"] == of_session[1]["vi_s"]
    assert of_session[3]["prev_vi_s"] == of_session[2]["vi_s"]
    assert {row["block"] for row in harness.rows} == {1}


def test_a_point_that_is_not_taken_when_the_session_ends_is_lost() -> None:
    async def way(body: Body) -> None:
        await begin(body)
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


def test_everything_on_a_page_is_within_the_screen_and_nothing_that_is_pressed_overlaps() -> None:
    harness = run(WHOLE)
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
