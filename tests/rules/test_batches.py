"""What a state queues between two awaits is one batch, with one stamp; exits of ``with`` belong to the next one."""

from __future__ import annotations

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.journal.kinds import Command, OutputDone
from rig.core.task.states import Next, state
from tests.harness import FaultHarness, nose_pokes, run_with_faults
from tests.session_specs import PortTask, task_spec


def lights(harness: FaultHarness) -> list[tuple[int, str, int]]:
    return [change for change in harness.trace if change[1].endswith(".light")]


def test_a_batch_is_executed_in_one_pass_and_the_exits_of_with_belong_to_the_next_one() -> None:
    class Blink(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            with self.box.left.light, self.box.center.light:
                await self.first(self.box.left.poked)
            self.box.right.light.on()
            await self.first(self.box.right.poked)
            return self.here

    harness = run_with_faults(task_spec(Blink, stop={"session_s": 3}), [(1_000_000, "left", 1)])
    assert [len(line.orders) for line in harness.of_kind(Command)] == [2, 3]
    changes = lights(harness)
    assert {t_us for t_us, _, _ in changes[:2]} == {6_000}
    assert len({t_us for t_us, _, _ in changes[2:5]}) == 1
    assert sorted(change[1:] for change in changes[2:5]) == [
        ("center.light", 0),
        ("left.light", 0),
        ("right.light", 1),
    ]


def test_armings_go_before_outputs_whatever_the_state_wrote_first() -> None:
    class Order(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            with self.box.left.light, self.reflex((self.box.left.poked, self.drop("left"))):
                self.box.right.light.on()
                await self.first(self.box.left.poked)
            return self.here

    harness = run_with_faults(task_spec(Order, stop={"session_s": 3}))
    assert [order.partition(" ")[0] for _, order in harness.orders] == ["arm", "left.light", "right.light"]


def test_a_line_is_written_before_its_bytes_leave_and_an_event_before_it_is_acknowledged() -> None:
    def watch(harness: FaultHarness) -> None:
        write, acknowledge = harness.rig.transport.write, harness.rig.board._forget_events

        def at_the_board(heard: int) -> None:
            numbers = [line.number for line in harness.journal if hasattr(line, "number")]
            unnumbered = len(harness.of_kind(OutputDone))
            assert heard <= max([0, *numbers]) + unnumbered
            acknowledge(heard)

        def leaving(data: bytes) -> None:
            sent.append(len(harness.of_kind(Command)))
            write(data)

        harness.rig.transport.write = leaving  # type: ignore[method-assign]
        harness.rig.board._forget_events = at_the_board  # type: ignore[method-assign]

    sent: list[int] = []
    edges = nose_pokes((1_500_000, "center", 100_000), (2_000_000, "left", 100_000), (2_300_000, "right", 100_000))
    harness = run_with_faults(task_spec(TwoArmedBandit, {"p_high": 1, "start_high_side": "left"}), edges, arrange=watch)
    assert harness.error is None
    assert sorted(set(sent)) == list(range(len(harness.of_kind(Command)) + 1))


def test_a_light_goes_off_even_while_a_session_is_being_ended() -> None:
    harness = run_with_faults(
        task_spec(TwoArmedBandit), [(2_000_000, "center", 1)], (2.5, lambda harness: harness.request("stop"))
    )
    assert harness.on_at(2_400_000) == {"left.light", "right.light"}
    assert harness.on_at(2_510_000) == set()
