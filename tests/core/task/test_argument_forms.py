"""A wrong object is refused where the protocol gives it, with what would be right."""

import pytest

from rig.core.errors import TaskError
from rig.core.model.actions import CANCEL, NOTHING, Pulse, RewardAction
from rig.core.model.events import Edge, Touch
from rig.core.model.patterns import EdgePattern, LevelPattern, ScreenPattern
from rig.core.task.argument_forms import check_answers, check_devices, check_events, check_levels, check_ordered
from rig.devices import Feeder, FeederConfig, Hopper, HopperConfig, Light, Port, PortConfig, TtlIn, TtlInConfig
from tests.core.task.task_bench import TaskBench

PORT = Port("left", PortConfig(kind="port", beam=2, light=3))
LIGHT, HOPPER = Light("cue", 3), Hopper("grain", HopperConfig(kind="hopper", pin=4))
POKED, FREE = EdgePattern("left.beam", 1), LevelPattern("left.beam", 0)
PECK = ScreenPattern("screen.peck")
ACT = Pulse("left.light", 1000)
EDGE = Edge(5, "left.beam", 1, 0, 1)


@pytest.fixture
def task():
    return TaskBench().task


WRONG = [
    (
        lambda task: task.first(PORT),
        "self.first: box.left is a Port, not an edge: write box.left.poked or box.left.fre",
    ),
    (lambda task: task.first(LIGHT), "box.cue is a Light, not an edge: wanted such as box.left.poked"),
    (lambda task: task.first(HOPPER), "write box.grain.entered or box.grain.left"),
    (lambda task: task.first(FREE), "'left.beam=0' is a level, not an edge: an edge is a change, such as"),
    (lambda task: task.first(ACT), "'pulse left.light 1000' is an action, not an edge: self.do(action) orders"),
    (lambda task: task.first([POKED]), "is a list, not an edge: give an edge each, with * before what holds several"),
    (lambda task: task.first(None), "None is not an edge: a device has None in place of a part"),
    (lambda task: task.first(True), "True is a bool, not an edge"),
    (lambda task: task.first("left"), "'left' is a str, not an edge"),
    (lambda task: task.first(POKED, within="5"), "within is '5', a str: wanted a number"),
    (lambda task: task.first(POKED, within=True), "within is True, a bool: wanted a number"),
    (lambda task: task.first(POKED, until_s="5"), "a time is '5', a str: wanted a number"),
    (lambda task: task.first(POKED, within=-1), "within is -1 s: wanted 0 or more"),
    (lambda task: task.until(POKED), "self.until: 'left.beam+' is an edge, not a level: a level is such as"),
    (lambda task: task.until(PORT), "write box.left.busy or box.left.free"),
    (lambda task: task.holds(POKED), "self.holds: 'left.beam+' is an edge, not a level"),
    (lambda task: task.sleep("1"), "sleep is '1', a str: wanted a number"),
    (lambda task: task.quiet(1, POKED), "is an edge, not a device that a subject enters: write the device alone"),
    (lambda task: task.quiet(PORT, 1), "1 is an int, not a device that a subject enters"),
    (lambda task: task.wait_clear(LIGHT), "self.wait_clear: box.cue is a Light, not a device"),
    (lambda task: task.require_clear(LIGHT), "self.require_clear: box.cue is a Light, not a device"),
    (lambda task: task.entries(POKED), "self.entries: 'left.beam+' is an edge, not a device"),
    (lambda task: task.last_entry_s(POKED), "self.last_entry_s: 'left.beam+' is an edge, not a device"),
    (
        lambda task: task.react(POKED),
        "self.react: 'left.beam+' has no action: write ('left.beam+', action), or NOTHING",
    ),
    (lambda task: task.react(POKED, ACT), "'left.beam+' has no action"),
    (lambda task: task.react(ACT), "is an action without its edge: write (box.left.poked, action)"),
    (lambda task: task.react((PORT, ACT)), "self.react: box.left is a Port, not an edge: write box.left.poked"),
    (lambda task: task.react((POKED, None)), "None is not an action: NOTHING is the action that does nothing"),
    (lambda task: task.react((POKED, LIGHT.on)), "on is a method, not an action: call it: on(...)"),
    (lambda task: task.react((POKED, POKED)), "is an edge, not an action: await self.first(edge) waits for an edge"),
    (lambda task: task.react([(POKED, ACT), (POKED, ACT), 3]), "write * before a list of pairs"),
    (
        lambda task: task.react(PORT),
        "box.left is a Port, not a pair of an edge and an action: write (box.left.poked, ac",
    ),
    (lambda task: task.react((POKED, ACT), (POKED, NOTHING)), "left.beam+ has two actions, and the board does one"),
    (lambda task: task.reflex((POKED, None)), "self.reflex: None is not an action"),
    (lambda task: task.do(POKED), "self.do: 'left.beam+' is an edge, not an action"),
    (lambda task: task.do(FREE), "self.do: 'left.beam=0' is a level, not an action"),
    (lambda task: task.do(PORT), "self.do: box.left is a Port, not an action: write box.left.drop(...)"),
    (lambda task: task.do(LIGHT), "write box.cue.pulse(...)"),
    (lambda task: task.do(None), "what returns None, such as light.on(), acts when it is called"),
    (
        lambda task: task.do(task.sequence((0, ACT))),
        "LoadedSequence is not an action: write LoadedSequence.start_action or LoadedSequence.stop_a",
    ),
    (lambda task: task.sequence((ACT, 0)), "self.sequence: an entry begins with its time: write (seconds, action)"),
    (lambda task: task.sequence(ACT), "is an action without its time: write (seconds, action), such as (0, action)"),
    (
        lambda task: task.sequence([(0, ACT), (1, ACT), (2, ACT)]),
        "an entry is a pair, (seconds, action): write * before",
    ),
    (lambda task: task.sequence((0, POKED)), "a sequence's entry: 'left.beam+' is an edge, not an action"),
    (lambda task: task.sequence(("0", ACT)), "an entry's time is '0', a str: wanted a number"),
    (lambda task: task.sequence((-1, ACT)), "an entry's time is -1 s: wanted 0 or more"),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_wrong_object_is_refused_at_the_call(task, call, said):
    with pytest.raises(TaskError) as caught:
        call(task)
    assert said in str(caught.value)


def test_what_is_right_passes():
    check_events("first", (POKED, PECK, PORT.poked, TtlIn("camera", TtlInConfig(kind="ttl_in", pin=2)).rose))
    check_levels("until", (FREE, PORT.busy))
    check_devices("quiet", (PORT, HOPPER))
    check_ordered("do", RewardAction(Pulse("left.valve", 1000), "left", 2.5))
    check_answers("react", ((POKED, ACT), [PORT.freed, CANCEL]))


NEVER = [
    lambda: EDGE == POKED,
    lambda: POKED == EDGE,
    lambda: EDGE != POKED,
    lambda: EDGE == "left",
    lambda: EDGE in (POKED, PORT.freed),
    lambda: EDGE == FREE,
    lambda: POKED == FREE,
    lambda: EDGE.source == POKED,
    lambda: EDGE.source == PORT,
    lambda: EDGE == PORT,
    lambda: "left" in (PORT, HOPPER),
    lambda: Touch(0, "down", 0, 0, 0, 0, 0, 0, "go", False, True, 0, 0) == "go",
]


@pytest.mark.parametrize("compare", NEVER, ids=range(len(NEVER)))
def test_what_is_never_equal_is_not_compared(compare):
    with pytest.raises(TaskError, match=r"never equal: compare names, such as poke\.source == \"left\""):
        compare()


def test_what_may_be_equal_is_compared():
    assert Edge(5, "left.beam", 1, 0, 1) == EDGE != Edge(5, "left.beam", 0, 0, 1)
    assert (EDGE != None, EDGE == None) == (True, False)  # noqa: E711
    assert PORT.poked == POKED == ("left.beam", 1) != PORT.freed
    assert ("left.beam", 1) in {POKED: 1}
    assert PORT.free == FREE
    assert PORT in (HOPPER, PORT)
    assert PORT != HOPPER
    assert POKED is not None


@pytest.mark.parametrize("pattern", [POKED, FREE, PECK])
def test_a_pattern_is_neither_true_nor_false(pattern):
    with pytest.raises(TaskError, match=r"is neither true nor false: ask self\.holds"):
        bool(pattern)


FEEDER = Feeder("tray", FeederConfig(kind="feeder", pin=4, measured={"date": "2026-11-03", "pulses": 9, "pellets": 9}))
NO_NUMBERS = [
    lambda: LIGHT.pulse("1"),
    lambda: FEEDER.pellets("1"),
    lambda: FEEDER.pellets(True),
    lambda: HOPPER.food("3"),
]


@pytest.mark.parametrize("call", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_a_number_of_a_device_is_a_number(call):
    with pytest.raises(TaskError, match="wanted a number"):
        call()


def test_pellets_are_whole():
    with pytest.raises(TaskError, match=r"tray: 1\.5 pellets: wanted a whole number"):
        FEEDER.pellets(1.5)
