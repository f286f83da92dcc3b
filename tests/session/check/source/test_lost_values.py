"""What a protocol makes and throws away is named with its line, as a missing await is."""

import pytest

from tests.session.check.source.conftest import LINE, Lab

THROWN = "only makes an action, and it is thrown away: write self.do("

LOST = [
    ("good.drop(p.ul)", f"good.drop(p.ul) {THROWN}good.drop(p.ul))"),
    ("self.box.left.drop(2.5)", THROWN),
    ("box.speaker.tone(8000, 100)", THROWN),
    ("box.speaker.ramp(1000, 100, 50, 5, 0.1)", THROWN),
    ("good.light.pulse(1)", THROWN),
    ("box.laser.pulse(0.01)", THROWN),
    ("box.laser.flashes(500, 5, 50)", THROWN),
    ("box.tray.pellets(1)", THROWN),
    ("box.hopper.food(3)", THROWN),
    ("self.train.start_action", THROWN),
    ('Pulse("left.light", us=5)', THROWN),
    ('Set("left.light", on=True)', THROWN),
    ("NOTHING", THROWN),
    ("self.reward(good)", THROWN),
    ("self.helper.action()", THROWN),
    ("self.helper.unwritten()", THROWN),
    ('self.ports["left"].drop(1)', THROWN),
    ("getattr(self.box, edge.source).drop(1)", THROWN),
    ("self.ports[edge.source].drop(1)", THROWN),
    ("for port in self.sides: port.light.pulse(1)", THROWN),
    ("for port in self.its_ports: port.light.pulse(1)", THROWN),
    ("for name, port in self.ports.items(): port.drop(1)", THROWN),
    ("[port.drop(1) for port in self.sides]", THROWN),
    ("good.drop(1) if edge else None", THROWN),
    ("edge and good.drop(1)", THROWN),
    ("eval('good').drop(1)", THROWN),
    ("reward = good.drop(1)", "the action reward is never used, so it is not done: write self.do(good.drop(1))"),
    ("tone = box.speaker.tone(8000, 100)", "the action tone is never used"),
    ("good.poked", "good.poked is a pattern, and nothing waits for it: await self.first(...)"),
    ("good.free", "good.free is a pattern, and nothing waits for it"),
    ("good.light.on", "good.light.on is not called, so it does nothing: write good.light.on()"),
    ("self.end_trial", "self.end_trial is not called"),
    ("good.light", "good.light alone on a line does nothing"),
    ("edge.source", "edge.source alone on a line does nothing"),
    (
        "self.trial.choice == edge.source",
        "compares and does nothing with the answer; `=` assigns: self.trial.choice = ",
    ),
    ("self.reflex((good.poked, NOTHING))", "does nothing without its block: write with self.reflex("),
    ("box.lamp.time_out()", "does nothing without its block: write with box.lamp.time_out():"),
    ("out = box.lamp.time_out()", "does nothing without its block"),
    ("self.sequence((0, good.drop(1)))", "loads a sequence that nothing can start: give it a name, and start() it"),
    ("Trial()", "makes a row that no table gets: write self.begin_trial(Trial())"),
    ("row = Trial()", "the row row is never used, and no table gets it"),
    ("Visit(3.0)", "makes a row that no table gets"),
    ("self.work()", "self.work() does not go to the state: write return self.work"),
    ("following = self.work()", "self.work() does not go to the state: write return self.work"),
    ("self.sleep(1)", "self.sleep(1) is not awaited, so it waits for nothing: write await self.sleep(1)"),
    ("self.first(good.poked)", "is not awaited"),
    ("self.wait_long()", "self.wait_long() is not awaited"),
    ("poke = self.first(good.poked)", "is not awaited, so it waits for nothing: write poke = await self.first("),
    ("Scene.of()", "makes a scene that is not shown: write box.screen.show(Scene.of())"),
    ('TaskError("x")', "is not raised: write raise TaskError('x')"),
    ("self.work", "self.work alone does not go to the state: write return self.work"),
    (
        "if self.first(good.poked, within=1) is None: pass",
        "is not awaited, so it waits for nothing: write (await ",
    ),
    ("self.trial.choice = self.first(good.poked).source", "is not awaited"),
    ("poke = self.first(good.poked); self.trial.choice = poke.source", "write poke = await self.first(good.poked)"),
    ("await self.do(good.drop(1))", "await self.do(good.drop(1)): it does not wait: leave out await"),
    ("await good.drop(1)", "await good.drop(1): an action takes no time of the task: write self.do(good.drop(1))"),
    ("await good.poked", "await good.poked: a pattern is waited for with await self.first(good.poked)"),
    ("await good.light.on()", "await good.light.on(): it does not wait: leave out await"),
    ("await self.sleep", "await self.sleep: it is not called: write await self.sleep(...)"),
    ("await self.work()", "a state is returned, not awaited: write return self.work"),
    ("return self.work()", "return self.work(): a state is returned and not called: write return self.work"),
    ("return self.work() if edge else self.rest", "a state is returned and not called: write return self.work"),
    ("return 'work'", "a state returns the next state, not its name: write return self.work"),
    ("return good.drop(1)", "write self.do(good.drop(1)) before it"),
    ("return self.wait_long()", "return self.wait_long(): it is not awaited"),
    ("return", "return None: wanted the next state"),
    ("with self.reflex((good.poked, NOTHING)): good.light.on()", "nothing waits in its block, so it ends at once"),
    ("with good.light, self.after(1, good.light.off): pass", "put the wait into it"),
    ("with good.light: self.do(good.drop(1))", "with good.light: nothing waits in its block, so it ends at once"),
    ("with box.lamp: self.do(good.drop(1))", "with box.lamp: nothing waits in its block"),
    ("with box.lamp.time_out(): self.do(good.drop(1))", "with box.lamp.time_out(): nothing waits in its block"),
    ("order = [1]; self.stream('x').shuffled(order)", "only returns a value, and it is thrown away: write name = self"),
    ("draw = self.stream('x'); draw.choice([1])", "draw.choice([1]) only returns a value"),
    ("sorted([2, 1])", "sorted([2, 1]) only returns a value"),
    ("edge.after_s(1.0)", "edge.after_s(1.0) only returns a value"),
    ("self.holds(good.free)", "self.holds(good.free) only returns a value"),
    ("self.entries(good)", "self.entries(good) only returns a value"),
]

FINE = """
self.do(good.drop(p.ul))
action = good.drop(1) if edge else NOTHING; await self.react((good.poked, action))
answers = [(port.poked, port.drop(1)) for port in self.sides]; await self.react(answers[0])
actions = {name: port.drop(1) for name, port in self.ports.items()}; self.do(actions[edge.source])
drops = [good.drop(1), good.drop(2)]; self.do(drops[0])
with self.reflex((good.poked, good.drop(1))): await self.first(good.poked)
with good.light, box.lamp.time_out(): await self.sleep(1)
good.light.on(); box.hopper.feed(3); box.screen.clear()
box.screen.show(Scene.of())
row = self.begin_trial(Trial())
self.begin_trial(Trial()); self.record(Visit(1.0)); self.end_trial()
_ = good.drop(1)
self.stream("x").random()
self.helper.pay()
self.train.stop()
waiting = self.first(good.poked); await waiting
train = self.sequence((0, good.drop(1))); train.start()
self.later = good.drop(1); self.do(self.later)
waited_s = await self.wait_long()
print("hello"); [].append(1)
self.stream("x").random(); order = self.stream("x").shuffled([1]); self.note(x=order)
with good.light: await self.sleep(1)
with box.lamp: await self.sleep(1)
assert edge.source == "left"
"a text"; ...
await self.wait_long()
return (self.work, self.rest)[0]
return self.work if edge else self.rest
await self.react((good.poked, self.train.start_action))
self.queue = []; self.queue.clear()
good.light.on() if edge else good.light.off()
self.its_ports
wait = self.first(good.poked) if edge else self.sleep(1); await wait
global LAST\\nLAST = good.drop(1)
action = good.drop(1)\\ndef again(): self.do(action)\\nagain()
def wait_for(pattern): return self.first(pattern)\\nawait wait_for(good.poked)
""".strip().splitlines()


@pytest.mark.parametrize(("line", "said"), LOST)
def test_what_is_thrown_away_is_named_with_its_line_and_the_remedy(lab: Lab, line: str, said: str) -> None:
    (mistake,) = lab(line).mistakes
    assert said in mistake
    assert mistake.location.line == LINE
    assert mistake.location.file.endswith("lab.py")


@pytest.mark.parametrize("line", FINE)
def test_what_is_used_is_no_mistake(lab: Lab, line: str) -> None:
    assert lab(line.replace("\\n", "\n")).mistakes == ()


def test_an_action_that_is_made_to_see_whether_it_may_be_is_no_mistake(lab: Lab) -> None:
    tried = "try:\n    box.hopper.food(30)\nexcept TaskError as error:\n    raise ConfigError(str(error)) from None"
    assert lab(tried).mistakes == ()
    (mistake,) = lab("try:\n    box.hopper.food(3)\nfinally:\n    pass").mistakes
    assert THROWN in mistake


def test_a_method_of_the_protocols_own_may_have_the_name_of_an_action(lab: Lab) -> None:
    (mistake,) = lab("eval('self.own').drop(1)").mistakes
    assert THROWN in mistake
    own = "def drop(ul): ...\n"
    assert lab(f"{own}eval('self.own').drop(1)").mistakes == ()
    (mistake,) = lab(f"{own}self.box.left.drop(1)").mistakes
    assert THROWN in mistake
