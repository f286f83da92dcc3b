"""What goes on beside a wait: a function at each event, in every state, and a function after a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig.core.errors import TaskError
from rig.core.model.events import Edge
from rig.core.task.states import Next, state
from sim_hardware.link_model import LinkFaults
from tests.harness import EdgeAt, FaultHarness, nose_pokes, run_with_faults
from tests.rules import pin_trace_oracle as oracle
from tests.rules.faults import inject
from tests.session_specs import PortTask, Visit, nose_ports, task_spec

LATE = LinkFaults(latency_s=0.05, jitter_s=0.02)
LINKS = pytest.mark.parametrize("link", [LinkFaults(), LATE], ids=["at once", "50 ms late"])


def check_session(harness: FaultHarness) -> None:
    """Hold a session against what is promised of all, but for the rows, which are the tests' own."""
    if harness.outcome is None:
        oracle.nothing_happened(harness)
        return
    oracle.the_journal_is_whole(harness)
    oracle.states_partition_the_session(harness)
    oracle.every_valve_is_off(harness)
    oracle.rewards_are_the_openings(harness)
    oracle.a_cut_journal_counts_enough(harness)
    oracle.limits_hold(harness)
    harness.assert_replay_agrees()


class Watching(PortTask):
    """Each poke is counted in every state; a light changes while a wait goes on."""

    def prepare(self) -> None:
        self.pokes = 0
        box = self.box
        self.whenever(box.left.poked, box.center.poked, box.right.poked, do=self.count)

    def count(self, poke: Edge) -> None:
        self.pokes += 1
        self.log.append(("poke", poke.source, poke.t_us, self.now_us))
        if poke.source == "right":
            self.do(self.box.right.light.pulse(0.05))

    def change(self) -> None:
        self.box.left.light.off()
        self.box.center.light.on()
        self.log.append(("timer", self.now_us))

    @state(to=("ready", "work"), can_end=True)
    async def ready(self) -> Next:
        poke = await self.first(self.box.center.poked)
        self.begin_trial(Visit())
        self.log.append(("state", poke.t_us, self.now_us))
        return self.work

    @state(to=("ready",))
    async def work(self) -> Next:
        with self.box.left.light, self.after(0.3, self.change):
            poke = await self.react((self.box.left.poked, self.drop("left")), within=0.5)
        self.box.center.light.off()
        self.log.append(("state", poke and poke.t_us, self.now_us))
        self.end_trial()
        return self.ready


def watched(*edges: EdgeAt, link: LinkFaults | None = None, **settings: Any) -> FaultHarness:
    return run_with_faults(
        task_spec(Watching, rig=settings.pop("rig", nose_ports())), edges, faults=link or LinkFaults(), **settings
    )


def orders_at(harness: FaultHarness, t_us: int) -> list[str]:
    return [text for at_us, text in harness.orders if at_us == t_us]


@LINKS
def test_each_event_is_counted_once_whether_a_wait_takes_or_skips_it(link: LinkFaults) -> None:
    edges = nose_pokes(
        (1_000_000, "right", 10_000),
        (2_000_000, "center", 10_000),
        (2_100_000, "right", 10_000),
        (2_200_000, "left", 9),
    )
    harness = watched(*edges, (3_000_000, "left", 1), (3_100_000, "left", 0), link=link)
    pokes = [entry[1:] for entry in harness.log if entry[0] == "poke"]
    assert pokes == [
        ("right", 1_000_000, 1_000_000),
        ("center", 2_000_000, 2_000_000),
        ("right", 2_100_000, 2_100_000),
        ("left", 3_000_000, 3_000_000),
    ], "a poke of 9 us is none, and the task time of each is its stamp"
    check_session(harness)


@LINKS
def test_its_orders_are_a_batch_of_the_event_while_the_wait_goes_on(link: LinkFaults) -> None:
    edges = nose_pokes((2_000_000, "center", 10_000), (2_100_000, "right", 10_000), (2_200_000, "left", 50_000))
    harness = watched(*edges, link=link)
    assert orders_at(harness, 2_100_000) == ["pulse right.light 50000"]
    assert ("state", 2_200_000, 2_200_000) in harness.log, "the wait goes on and its reflex stays armed"
    assert len(harness.openings("left.valve")) == 1
    check_session(harness)


@LINKS
@pytest.mark.parametrize(
    ("left_us", "expected"),
    [
        (2_300_000, [("state", 2_300_000, 2_300_000)]),
        (2_300_001, [("timer", 2_300_000), ("state", 2_300_001, 2_300_001)]),
        (2_500_000, [("timer", 2_300_000), ("state", 2_500_000, 2_500_000)]),
        (2_500_001, [("timer", 2_300_000), ("state", None, 2_500_000)]),
    ],
)
def test_a_timer_acts_before_the_first_event_after_its_time(
    left_us: int, expected: list[Any], link: LinkFaults
) -> None:
    harness = watched(*nose_pokes((2_000_000, "center", 10_000), (left_us, "left", 50_000)), link=link)
    begun = harness.log.index(("state", 2_000_000, 2_000_000))
    log = [entry for entry in harness.log[begun + 1 :] if entry[0] != "poke"]
    assert log == expected
    changed = ["left.light off", "center.light on"] if expected[0][0] == "timer" else []
    assert [text for text in orders_at(harness, 2_300_000) if text in ("left.light off", "center.light on")][
        : len(changed)
    ] == changed
    check_session(harness)


def test_a_timer_is_dropped_with_its_block() -> None:
    harness = watched(*nose_pokes((2_000_000, "center", 10_000), (2_100_000, "left", 50_000)))
    assert not [entry for entry in harness.log if entry[0] == "timer"]


class Blocks(PortTask):
    """Timers over several waits, at one time, at a wait's own deadline, and late."""

    def says(self, word: str) -> Callable[[], None]:
        return lambda: self.log.append((word, self.now_us))

    @state(to=("several",), can_end=True)
    async def several(self) -> Next:
        await self.first(self.box.center.poked)
        with self.after(0.25, self.says("b")), self.after(0.25, self.says("c")), self.after(0.05, self.says("a")):
            for _ in range(3):
                await self.sleep(0.1)
                self.log.append(("slept", self.now_us))
        with self.after(0.1, self.says("at the deadline")), self.after(0, self.says("at once")):
            await self.first(self.box.left.poked, within=0.1)
        self.log.append(("over", self.now_us))
        return self.several


@LINKS
def test_a_timer_lasts_over_the_waits_of_its_block_and_comes_before_the_end_of_one(link: LinkFaults) -> None:
    edges = nose_pokes((1_000_000, "center", 10_000))
    harness = run_with_faults(task_spec(Blocks), edges, faults=link)
    assert harness.log == [
        ("a", 1_050_000),
        ("slept", 1_100_000),
        ("slept", 1_200_000),
        ("b", 1_250_000),
        ("c", 1_250_000),
        ("slept", 1_300_000),
        ("at once", 1_300_000),
        ("at the deadline", 1_400_000),
        ("over", 1_400_000),
    ]
    check_session(harness)


def test_a_pause_moves_a_timer_as_it_moves_a_wait() -> None:
    class Resting(PortTask):
        @state(to=("rest",), can_end=True)
        async def rest(self) -> Next:
            with self.after(2.0, self.box.left.light.on):
                await self.sleep(3.0)
            self.log.append(self.now_us)
            return self.rest

    def ask(what: str) -> Callable[[FaultHarness], object]:
        return lambda harness: harness.session.request(what)

    harness = run_with_faults(task_spec(Resting), (), (1.0, ask("pause")), (5.0, ask("resume")))
    lit = [t_us for t_us, text in harness.orders if text == "left.light on"]
    began = harness.states[0][1]
    assert lit[0] == pytest.approx(began + 6_000_000, abs=20_000)
    assert harness.log[0] == began + 3_000_000
    check_session(harness)


def test_a_late_edge_does_not_make_a_wait_lose_the_one_that_came_before_it() -> None:
    # A beam's clearing is reported at once, its breaking only after 20 ms: the timer is due between the two stamps.
    class Late(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            await self.first(self.box.center.poked)
            with self.after(0.1, lambda: self.log.append(("timer", self.now_us))):
                edge = await self.first(self.box.right.freed, within=1.0)
            self.log.append((edge and edge.channel, self.now_us))
            return self.here

    rig = nose_ports(beam_min_on_us=20_000, beam_lockout_us=1_000)
    edges = [(500_000, "right", 1), (1_000_000, "center", 1), (1_099_000, "left", 1), (1_101_000, "right", 0)]
    harness = run_with_faults(task_spec(Late, rig=rig), edges)
    assert harness.log[:2] == [("timer", 1_100_000), ("right.beam", 1_101_000)]
    harness.assert_replay_agrees()


def test_an_error_in_a_function_ends_the_session_with_its_line_and_the_lights_go_off() -> None:
    class Broken(PortTask):
        def prepare(self) -> None:
            self.whenever(self.box.right.poked, do=self.spoil)

        def spoil(self, poke: Edge) -> None:
            raise ValueError("spoilt")

        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            with self.box.left.light:
                await self.first(self.box.left.poked)
            return self.here

    harness = run_with_faults(task_spec(Broken), nose_pokes((1_000_000, "right", 10_000)))
    assert harness.outcome is not None
    assert harness.outcome.reason == "fault"
    assert "test_beside_the_waits.py" in harness.outcome.detail
    assert "spoilt" in harness.outcome.detail
    assert harness.openings("left.light")[-1].duration_us is not None


# --- what is refused ----------------------------------------------------------------------------------------------


class Refusing(PortTask):
    """Does in ``prepare`` or in a state what its subclass says."""

    def at_first(self) -> None:
        """Do it in ``prepare``."""

    def then(self) -> None:
        """Do it in a state."""

    def prepare(self) -> None:
        self.at_first()

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        self.then()
        await self.first(self.box.left.poked, within=1.0)
        return self.here

    async def helper(self) -> None:
        await self.sleep(1)


REFUSED_AT_FIRST: dict[str, tuple[Callable[[Any], object], str]] = {
    "no event": (lambda task: task.whenever(do=print), "of which events"),
    "a device": (lambda task: task.whenever(task.box.left, do=print), "box.left is a Port, not an edge"),
    "a level": (lambda task: task.whenever(task.box.left.busy, do=print), "is a level, not an edge"),
    "called at once": (lambda task: task.whenever(task.box.left.poked, do=task.box.left.light.on()), "do is None"),
    "no function": (lambda task: task.whenever(task.box.left.poked, do=3), "wanted an action or a function"),
    "a state": (lambda task: task.whenever(task.box.left.poked, do=task.here), "wanted a plain function"),
    "a helper": (lambda task: task.whenever(task.box.left.poked, do=task.helper), "wanted a plain function"),
    "without the event": (
        lambda task: task.whenever(task.box.left.poked, do=task.box.left.light.on),
        "is called with the event, and takes something else",
    ),
    "with an event": (lambda task: task.after(1.0, lambda poke: None), "is called with nothing"),
    "a negative time": (lambda task: task.after(-1.0, task.box.left.light.on), "wanted 0 or more"),
}


@pytest.mark.parametrize("case", REFUSED_AT_FIRST)
def test_what_cannot_be_called_is_refused_where_it_is_written(case: str) -> None:
    act, text = REFUSED_AT_FIRST[case]
    task = type("Refused", (Refusing,), {"at_first": act})
    harness = run_with_faults(task_spec(task), ())
    assert isinstance(harness.error or (harness.outcome and harness.outcome.failure), TaskError)
    assert text in str(harness.error or (harness.outcome and harness.outcome.detail))


REFUSED_IN_A_STATE: dict[str, tuple[Callable[[Any], object], str]] = {
    "whenever": (lambda task: task.whenever(task.box.left.poked, do=print), "call it in prepare"),
    "a timer alone": (lambda task: task.after(1.0, task.box.left.light.on), "write `with self.after(...):`"),
    "a reflex alone": (
        lambda task: task.reflex((task.box.left.poked, task.drop("left"))),
        "write `with self.reflex(...):`",
    ),
}


@pytest.mark.parametrize("case", REFUSED_IN_A_STATE)
def test_what_would_do_nothing_is_refused_with_its_line(case: str) -> None:
    act, text = REFUSED_IN_A_STATE[case]
    harness = run_with_faults(task_spec(type("Refused", (Refusing,), {"then": act})), ())
    assert harness.outcome is not None
    assert text in harness.outcome.detail
    assert harness.outcome.detail.startswith("test_beside_the_waits.py:")


REFUSED_WHEN_CALLED: dict[str, tuple[Callable[[Any, Edge], object], str]] = {
    "an action that nothing does": (lambda task, poke: task.drop("left"), "self.do(...) does it"),
    "a state": (lambda task, poke: task.here, "only a state goes to another one"),
    "a trial": (lambda task, poke: task.begin_trial(Visit()), "only a state does"),
    "a wait": (lambda task, poke: task.sleep(1.0), "was not awaited"),
}


@pytest.mark.parametrize("case", REFUSED_WHEN_CALLED)
def test_what_only_a_state_may_do_is_refused_when_a_function_does_it(case: str) -> None:
    act, text = REFUSED_WHEN_CALLED[case]

    def prepare(task: Any) -> None:
        task.whenever(task.box.right.poked, do=partial(act, task))

    task = type("Refused", (Refusing,), {"at_first": prepare})
    harness = run_with_faults(task_spec(task), nose_pokes((1_500_000, "right", 10_000)))
    assert harness.outcome is not None
    assert text in harness.outcome.detail


def test_an_action_may_stand_in_place_of_a_function() -> None:
    class Clicking(PortTask):
        def prepare(self) -> None:
            self.whenever(self.box.center.poked, do=self.drop("right"))

        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            with self.after(1.0, self.box.left.light.pulse(0.2)):
                await self.sleep(30)
            return self.here

    harness = run_with_faults(task_spec(Clicking), nose_pokes((2_000_000, "center", 10_000)))
    assert [opening.duration_us for opening in harness.openings("left.light")] == [200_000]
    assert len(harness.openings("right.valve")) == 1
    check_session(harness)


# --- whatever happens ---------------------------------------------------------------------------------------------


class Anywhere(PortTask):
    """Trials of several waits, with timers at the very deadlines, and a count of all pokes."""

    def prepare(self) -> None:
        ports = (self.box.left, self.box.center, self.box.right)
        # What came before the first state is no event of this session's states.
        self.pokes, self.timers = self.entries(*ports), 0
        self.whenever(*(port.poked for port in ports), do=self.count)

    def count(self, poke: Edge) -> None:
        assert self.now_us >= poke.t_us
        self.pokes += 1
        if poke.source == "right":
            self.do(self.drop("right"))

    def tick(self) -> None:
        self.timers += 1
        self.box.center.light.on()

    def check(self) -> None:
        box = self.box
        assert self.pokes == self.entries(box.left, box.center, box.right), "each poke that was read was counted"

    @state(to=("work",), can_end=True)
    async def ready(self) -> Next:
        self.check()
        with self.after(0.2, self.tick):
            await self.first(self.box.center.poked, within=0.4)
        self.box.center.light.off()
        return self.work

    @state(to=("ready",))
    async def work(self) -> Next:
        began_us = self.now_us
        row = self.begin_trial(Visit())
        with self.after(0.1, self.tick), self.box.left.light, self.after(0.2, self.tick):
            poke = await self.react((self.box.left.poked, self.drop("left")), within=0.2)
            self.check()
            await self.sleep(until_s=began_us / 1e6 + 0.25)
        row.outcome = f"{poke and poke.t_us} {self.timers} {self.pokes}"
        self.box.center.light.off()
        self.end_trial()
        return self.ready


NEAR_US = (0, 1, 99_999, 100_000, 100_001, 199_999, 200_000, 200_001, 250_000, 400_000)
EDGES = st.lists(
    st.tuples(
        st.integers(0, 25).map(lambda n: n * 200_000),
        st.sampled_from(NEAR_US),
        st.sampled_from(("left", "center", "right")),
    ),
    max_size=12,
)
MISHAPS = st.lists(
    st.tuples(
        st.integers(0, 50).map(lambda n: n / 10),
        st.sampled_from(["stall", "block_input", "silence", "delay", "reset", "stop", "stop_now", "reward left"]),
        st.sampled_from([0.0005, 0.02, 0.3, 2.2]),
    ),
    max_size=2,
)


def anywhere(visits: list[tuple[int, int, str]], mishaps: list[tuple[float, str, float]], link: LinkFaults) -> None:
    edges = nose_pokes(*((1 + at_us + near_us, place, 30_000) for at_us, near_us, place in visits))
    happenings = [(at_s, partial(inject, kind=kind, amount=amount)) for at_s, kind, amount in mishaps]
    harness = run_with_faults(
        task_spec(Anywhere, stop={"session_s": 6, "grace_s": 1}), edges, *happenings, faults=link, t_max=200
    )
    assert not isinstance(harness.outcome and harness.outcome.failure, AssertionError)
    check_session(harness)


links = st.builds(
    LinkFaults,
    latency_s=st.sampled_from([0.0005, 0.0, 0.003, 0.3]),
    jitter_s=st.sampled_from([0.0, 0.004]),
    drop=st.sampled_from([0.0, 0.0, 1e-2]),
    seed=st.integers(0, 2),
)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(EDGES, MISHAPS, links)
def test_whatever_happens_each_poke_counts_once_and_a_replay_decides_the_same(
    visits: list[tuple[int, int, str]], mishaps: list[tuple[float, str, float]], link: LinkFaults
) -> None:
    anywhere(visits, mishaps, link)
