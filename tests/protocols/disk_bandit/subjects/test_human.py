"""A person at the eight disks: pages, clicks, points and answers."""

import math
import statistics
from itertools import pairwise
from typing import Any

import pytest

from protocols.disk_bandit.subjects.human import (
    ANSWERS,
    BLOCK_S,
    REMEMBERED_BLOCKS,
    HumanModelParams,
    HumanPecker,
    session_of,
)
from protocols.disk_bandit.subjects.human_parameters import traits_of
from rig.core.model.scene import Disk, Scene, Text, Tile
from sim_hardware.driver import make_model
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec

SHORT = {"session_s": 60, "sessions": 3, "questionnaire_after": 2}


def run(
    seed: int = 1, cut: frozenset[str] = frozenset(), set: dict[str, Any] | None = None, **options: Any
) -> FaultHarness:
    """Let a person take part."""
    prepared = protocol_spec("disk_bandit_human", **(SHORT if set is None else set))

    async def live(body: Body) -> None:
        await make_model("human", options).live(body)

    return run_harness(prepared, live, seed=seed, cut=cut, loop=lambda: VirtualLoop(t_max=8000))


@pytest.fixture(scope="module")
def whole() -> FaultHarness:
    """Six sessions of six minutes."""
    return run(set={"session_s": 360})


def test_it_takes_part_to_the_end_and_answers_what_it_is_asked() -> None:
    harness = run()
    assert harness.footer.reason == "task_finished"
    assert {row["session"] for row in harness.rows} == {0, 1, 2, 3}
    answers = harness.table("answers")
    assert [answer["answer"] for answer in answers] == list(ANSWERS)
    assert all(answer["t_answered"] - answer["t_asked"] > 5 for answer in answers)
    assert [note.fields["given"] for note in harness.notes("consent")] == [True]
    assert not harness.notes("stopped_by_participant")


def test_it_takes_its_points_in_its_own_time(whole: FaultHarness) -> None:
    harness = whole
    took = [
        point["t_collected"] - point["t_lit"] for point in harness.table("points") if point["t_collected"] is not None
    ]
    assert len(took) > 600
    seen = [seconds for seconds in took if seconds < 5]
    assert statistics.median(seen) == pytest.approx(0.8 + 0.55, abs=0.15)


def test_it_clicks_as_often_as_people_did(whole: FaultHarness) -> None:
    harness = whole
    clicks = [row for row in harness.rows if row["session"] and row["on_target"] and row["phase"] == "respond"]
    assert len(clicks) == pytest.approx(2067, rel=0.05)


def test_it_chooses_better_with_time_and_better_than_by_chance(whole: FaultHarness) -> None:
    harness = whole
    rows = [row for row in harness.rows if row["session"] == 1 and row["on_target"]]
    early, late = (
        statistics.fmean(math.log(row["vi_s"]) for row in rows if low <= row["block"] < high)
        for low, high in ((1, 3), (6, 13))
    )
    chance = statistics.fmean(math.log(3 * 3**power) for power in range(8))
    assert late < early < chance
    assert len({row["vi_s"] for row in harness.rows if row["session"] == 6}) >= 7


def test_it_samples_every_disk_and_the_poorest_by_its_share_of_clicks_on_any_disk(whole: FaultHarness) -> None:
    """Six standard errors of a share of about 2000 clicks."""
    rows = [row for row in whole.rows if row["session"] and row["on_target"] and row["phase"] == "respond"]
    poorest = sum(row["vi_s"] == 6561 for row in rows) / len(rows)
    least = HumanModelParams().explore / 8
    assert abs(poorest - least) < 6 * math.sqrt(least * (1 - least) / len(rows)) + 0.005


def test_theta_grows_in_every_session_and_begins_later_in_the_first_one() -> None:
    params = HumanModelParams()

    def theta(session: int, t_s: float) -> float:
        person = HumanPecker(params)
        person.session = session
        return person.matters(t_s).today

    assert theta(1, 0) == pytest.approx(params.theta_max * (1 - math.exp(-(BLOCK_S - params.late_s) / params.tau_s)))
    assert theta(2, 0) == pytest.approx(params.theta_max * (1 - math.exp(-BLOCK_S / params.tau_s)))
    assert theta(1, 330) == pytest.approx(params.theta_max, rel=0.01)
    for session in (1, 2):
        course = [theta(session, BLOCK_S * block) for block in range(12)]
        assert all(later > sooner for sooner, later in pairwise(course))


def test_before_it_begins_to_grow_theta_is_nothing() -> None:
    person = HumanPecker(HumanModelParams(late_s=45))
    person.session = 1
    assert person.matters(0).today == 0
    assert person.matters(BLOCK_S).today > 0


def test_the_session_before_has_a_weight_in_the_first_minute_alone() -> None:
    params = HumanModelParams()
    weights = [HumanPecker(params).matters(BLOCK_S * block) for block in range(5)]
    carried = [weight.before / weight.today for weight in weights]
    assert carried == pytest.approx([params.carry_over] * REMEMBERED_BLOCKS + [0, 0, 0])


def test_a_person_of_a_name_has_its_own_theta_and_speed() -> None:
    params, traits = HumanModelParams(subject="P07"), traits_of("P07", 1.0)
    person, average = HumanPecker(params), HumanPecker(HumanModelParams())
    person.session = average.session = 2
    theta = traits.theta * params.theta_max * (1 - math.exp(-BLOCK_S / (traits.tau * params.tau_s)))
    assert person.matters(0) == pytest.approx((theta, theta * params.carry_over, 0))
    alike = HumanPecker(HumanModelParams(subject="P07", spread=0))
    alike.session = 2
    assert alike.matters(0) == average.matters(0) != person.matters(0)


def test_without_a_picture_it_does_nothing() -> None:
    harness = run(cut=frozenset({"screen.picture"}), set={**SHORT, "session_s": 60})
    assert harness.rows == []


def test_it_reads_the_session_from_the_counters() -> None:
    def scene(*colors: str, hint: str = "") -> Scene:
        counters = [
            Tile(x_cm=2.5 * place, y_cm=9, width_cm=2, height_cm=1, color=color, text="0")
            for place, color in enumerate(colors)
        ]
        said = (Text(x_cm=1, y_cm=5, width_cm=9, height_cm=2, text=hint),) if hint else ()
        disk = Disk(x_cm=5, y_cm=5, diameter_cm=2, color="#ffffff", name="disk0")
        return Scene(items=(disk, *reversed(counters), *said))

    gray, white = "#606060", "#ffffff"
    assert session_of(scene(gray, gray, white)) == 3
    assert session_of(scene(white)) == 1
    assert session_of(scene(gray, gray, hint="Try it")) == 0
    assert session_of(scene()) == 1
