"""A wrong object in a wait, an answer, a comparison or a question is named with its line, also where no dry run is."""

import pytest

from tests.session.check.source.conftest import LINE, Lab

NEVER = "which are never equal: compare names, such as poke.source"

WRONG = [
    ("await self.first(good)", "self.first: good is a Port, not an edge: write good.poked or good.freed"),
    ("await self.first(good.light, box.right.light, within=5)", "good.light is a Light, not an edge: wanted such as"),
    ("await self.first(good.busy)", "good.busy is a level, not an edge: an edge is a change, such as box.left.poked"),
    ("await self.first(good.drop(1))", "good.drop(1) is an action, not an edge: self.do(action) orders an action"),
    ("await self.first(good.is_clear)", "good.is_clear is a bool, not an edge"),
    ('await self.first("left")', "'left' is a str, not an edge: wanted such as box.left.poked"),
    ("await self.first([good.poked])", "is a list, not an edge: give an edge each, with * before what holds several"),
    ("await self.first(*self.sides)", "self.sides is a Port, not an edge"),
    (
        "await self.first(box.hopper)",
        "box.hopper is a Hopper, not an edge: write box.hopper.entered or box.hopper.left",
    ),
    ("await self.first(box.screen)", "not an edge: write box.screen.touched or"),
    ("await self.first(good.poked, within='5')", "self.first: within: '5' is not a number: wanted a number of seconds"),
    ("await self.first(good.poked, within=-1)", "self.first: within: -1 s: wanted 0 or more"),
    (
        "await self.until(good.poked)",
        "self.until: good.poked is an edge, not a level: a level is such as box.left.free",
    ),
    ("await self.until(good)", "good is a Port, not a level: write good.busy or good.free"),
    ("await self.sleep('1')", "self.sleep: '1' is not a number"),
    ("await self.sleep(-1)", "self.sleep: -1 s: wanted 0 or more"),
    ("await self.quiet(1, good.poked)", "good.poked is an edge, not a device that a subject enters: write the device"),
    ("await self.quiet(good, 1)", "self.quiet: good is not a number"),
    ("await self.wait_clear(good.light)", "good.light is a Light, not a device that a subject enters: wanted such as"),
    ("self.require_clear(good.free)", "good.free is a level, not a device"),
    ("self.holds(good.poked)", "self.holds: good.poked is an edge, not a level"),
    ("await self.react((good, good.drop(1)))", "self.react: good is a Port, not an edge: write good.poked or"),
    ("await self.react(good.poked)", "self.react: good.poked has no action: write (good.poked, action), or NOTHING"),
    ("await self.react(good.drop(1))", "is an action without its edge: write (box.left.poked, action)"),
    ("await self.react((good.poked, None))", "None is not an action: NOTHING is the action that does nothing"),
    (
        "await self.react((good.poked, good.light.on()))",
        "good.light.on() is None, not an action: NOTHING is the action",
    ),
    ("await self.react((good.poked, good.drop))", "good.drop is a method, not an action: call it: good.drop(...)"),
    ("await self.react((good.poked, self.train))", "not an action: write self.train.start_action or self.train.stop"),
    ("await self.react([(good.poked, NOTHING)])", "is a pair of an edge and an action: write * before a list of pairs"),
    ("await self.react((good.poked, good.drop(1), 3))", "an answer is a pair of an edge and an action"),
    ("await self.react(*[(port, port.drop(1)) for port in self.sides])", "not an edge"),
    ("with self.reflex((good.busy, good.drop(1))): await self.first(good.poked)", "good.busy is a level, not an edge"),
    ("self.do(good.poked)", "self.do: good.poked is an edge, not an action: await self.first(edge) waits for an edge"),
    ("self.do(good)", "self.do: good is a Port, not an action: write good.drop(...)"),
    ("self.do(good.light)", "good.light is a Light, not an action: write good.light.pulse(...)"),
    ("self.do(good.light.on())", "good.light.on() is None, not an action"),
    ("self.do(self.train)", "not an action: write self.train.start_action or self.train.stop_action"),
    ("self.do(self.train.start)", "self.train.start is a method, not an action: call it"),
    ("self.do(self.train.start())", "self.train.start() is None, not an action"),
    (
        "self.x = self.sequence((good.drop(1), 0)); self.x.start()",
        "an entry begins with its time: write (seconds, action)",
    ),
    ("self.x = self.sequence(good.drop(1)); self.x.start()", "an action without its time: write (seconds, action)"),
    ("self.x = self.sequence([(0, good.drop(1))]); self.x.start()", "write * before a list of pairs"),
    ("self.x = self.sequence((0, good.poked)); self.x.start()", "good.poked is an edge, not an action"),
    ("self.x = self.sequence(('0', good.drop(1))); self.x.start()", "'0' is not a number"),
    ("self.train.load((good.drop(1), 0))", "an entry begins with its time"),
    ("if edge == good.poked: pass", f"compares an event with a pattern, {NEVER}"),
    ("if good.poked == edge: pass", f"compares a pattern with an event, {NEVER}"),
    ("if edge.source == good: pass", f"compares a name with a device, {NEVER}"),
    ("if edge == 'left': pass", f"compares an event with a name, {NEVER}"),
    ("if edge in (good.poked, box.right.poked): pass", f"compares an event with a pattern, {NEVER}"),
    ("if edge.source is good.poked: pass", f"compares a name with a pattern, {NEVER}"),
    ("if good.poked: pass", "good.poked is a pattern, neither true nor false: ask self.holds(box.left.busy)"),
    ("while good.busy: await self.sleep(1)", "good.busy is a pattern, neither true nor false"),
    ("if not good.free: pass", "good.free is a pattern, neither true nor false"),
    ("if self.holds: pass", "self.holds is not called, and is always true: write self.holds(...)"),
    ("await good.drop(1)", "await good.drop(1): an action takes no time of the task: write self.do(good.drop(1))"),
    ("await good.poked", "await good.poked: a pattern is waited for with await self.first(good.poked)"),
    ("await good.light.on()", "await good.light.on(): it does not wait: leave out await"),
    ("await self.wait_long", "await self.wait_long: it is not called: write await self.wait_long(...)"),
    ("await self.work()", "a state is returned, not awaited: write return self.work"),
    ("with good: pass", "with good: it has no block; a light has one, and self.reflex(...)"),
    ("with good.drop(1): pass", "with good.drop(1): it has no block"),
    ("return self.work()", "return self.work(): a state is returned and not called: write return self.work"),
    ("return 'work'", "a state returns the next state, not its name: write return self.work"),
    ("return good.drop(1)", "return good.drop(1): wanted the next state, such as return self.work"),
    ("return", "return None: wanted the next state"),
]

FINE = """
await self.first(*(port.poked for port in self.sides), within=p.ul)
await self.first(box.screen.pecked, until_s=self.now_s + 5)
await self.first(box.tray.dropped, good.poked)
await self.until(good.free, box.right.free, within=5)
await self.quiet(1, *self.sides, since_s=self.now_s)
await self.quiet(0.5, *self.its_ports)
await self.react(*[(port.poked, self.reward(port)) for port in self.sides], (good.freed, CANCEL))
await self.react(*((port.poked, port.drop(1) if edge else NOTHING) for port in self.sides))
await self.react((good.poked, self.train.start_action))
self.do(self.train.stop_action)
self.train.load((0, good.drop(1)), (1, box.speaker.tone(100, 1)))
self.x = self.sequence(*[(0.1 * n, good.light.pulse(0.01)) for n in range(3)]); self.x.start()
if edge is not None and edge.source == "left": pass
if edge == edge or good == box.right or good.poked == box.right.poked: pass
if box.laser: box.laser.pulse
if await self.until(good.free) == good.free: pass
if self.holds(good.busy) or good.is_clear: pass
while not good.entries: await self.sleep(1)
await self.sleep(0 if edge else 5)
return (self.work, self.rest)[0]
return self.work if edge else self.rest
port = self.stream("x").choice(self.sides); await self.first(port.poked)
port = max(self.sides, key=str); await self.first(port.poked)
""".strip().splitlines()
FINE.remove("if box.laser: box.laser.pulse")


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_a_wrong_object_is_named_with_its_line_and_what_would_be_right(lab: Lab, line: str, said: str) -> None:
    mistake, *others = lab(line).mistakes
    assert said in mistake
    assert {each.location.line for each in (mistake, *others)} == {LINE}


@pytest.mark.parametrize("line", FINE)
def test_what_is_right_is_no_mistake(lab: Lab, line: str) -> None:
    assert lab(line) == lab("pass")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            'if edge.source == "lefft": pass',
            "edge.source is never 'lefft': no device has this name; did you mean 'left'?",
        ),
        ('if "rihgt" == edge.source: pass', "edge.source is never 'rihgt'"),
        ('if edge.source in ("left", "top"): pass', "edge.source is never 'top'"),
        ('match edge.source:\n    case "left" | "midle": pass', "edge.source is never 'midle'"),
    ],
)
def test_the_name_of_no_device_is_a_warning(lab: Lab, line: str, said: str) -> None:
    found = lab(line)
    (warning,) = found.warnings
    assert said in warning
    assert warning.location.line == LINE + line.count("\n")
    assert found.mistakes == ()


def test_the_name_of_a_device_that_only_the_rig_has_is_no_warning(lab: Lab) -> None:
    assert lab('if edge.source in ("left", "camera", "laser"): pass').warnings == ()


NO_ALARM = [
    "def inner():\n    return 5\nself.note(x=inner())",
    "later = lambda: 5; self.note(x=later())",
    "self.edge = (); self.edge = good.poked; await self.first(self.edge)",
    "self.helper.device = self.pick; self.pick = None; self.helper.task.pick = good.poked; await self.first(self.pick)",
    "def wait_for(device: Device): return self.quiet(1, device)\nawait wait_for(good)",
    "def wait_for(pattern): return self.first(pattern)\nawait wait_for(good.poked)",
    "port = None\nfor port in self.sides: pass\nif port: await self.first(port.poked)",
    "edges = []\nedges.append(good.poked); await self.first(*edges)",
    "answers = []\nanswers += [(good.poked, NOTHING)]; await self.react(*answers)",
    "global LAST\nLAST = good.drop(1)",
    "import asyncio; names = {'left': 5}; await self.sleep(names['left'])",
    "within = None if edge else 5.0; await self.first(good.poked, within=within)",
    "action = good.drop(1)\ndef again(): self.do(action)\nagain()",
    "match edge:\n    case None: pass\n    case other: self.note(x=other.source)",
    "self.its_ports",
]


@pytest.mark.parametrize("lines", NO_ALARM)
def test_what_the_source_does_not_say_raises_no_alarm(lab: Lab, lines: str) -> None:
    assert lab(lines) == lab("pass")
