"""A name that ends in another unit than is wanted is named with its line and the factor."""

import pytest

from tests.session.check.source.conftest import LINE, Lab

WRONG = [
    ("await self.sleep(p.delay_ms)", "p.delay_ms is in ms, wanted s: write p.delay_ms / 1000"),
    ("await self.sleep(self.params.delay_ms)", "self.params.delay_ms is in ms, wanted s"),
    ("await self.first(good.poked, within=p.delay_ms)", "p.delay_ms is in ms, wanted s"),
    (
        "await self.first(good.poked, until_s=self.now_us)",
        "in us, wanted s: write self.now_us / 1000000",
    ),
    ("await self.quiet(p.delay_ms, good)", "p.delay_ms is in ms, wanted s"),
    ("self.do(good.drop(p.n_pellets))", "p.n_pellets is in pellets, wanted ul"),
    ("self.do(box.tray.pellets(p.drop_ul))", "p.drop_ul is in ul, wanted pellets"),
    ("self.do(box.speaker.tone(8000, p.hold_s))", "p.hold_s is in s, wanted ms: write p.hold_s * 1000"),
    ("box.hopper.feed(max(p.delay_ms, 5))", "is in ms, wanted s"),
    ("self.x = self.sequence((p.delay_ms, good.drop(1))); self.x.start()", "p.delay_ms is in ms, wanted s"),
    ("self.x = self.sequence(*[(t_ms, NOTHING) for t_ms in range(3)]); self.x.start()", "t_ms is in ms, wanted s"),
    ("hold_s = p.delay_ms; self.note(x=hold_s)", "p.delay_ms is in ms, wanted s"),
    ("self.light_s: float = p.delay_ms", "p.delay_ms is in ms, wanted s"),
    ("self.light_s += p.delay_ms", "p.delay_ms is in ms, wanted s"),
    ("self.trial.t_s = edge.t_us", "edge.t_us is in us, wanted s"),
    ("self.do(Pulse('left.light', us=p.delay_ms))", "p.delay_ms is in ms, wanted us: write p.delay_ms * 1000"),
    ("if self.now_s > p.delay_ms: pass", "p.delay_ms is in ms, wanted s"),
    ("self.note(x=self.now_s + p.delay_ms)", "p.delay_ms is in ms, wanted s"),
    ("self.note(x=to_s(p.delay_ms))", "p.delay_ms is in ms, wanted us"),
]

FINE = """
await self.sleep(p.delay_ms / 1000)
await self.sleep(p.hold_s + 2 * p.hold_s)
await self.first(good.poked, until_s=self.now_s + p.hold_s)
await self.first(good.poked, until_s=exact_s(edge.t_s + 5))
self.do(box.speaker.tone(8000, p.hold_s * 1000))
self.do(good.drop(p.ul)); self.do(box.tray.pellets(p.n_pellets))
hold_ms = p.hold_s * 1000; self.note(x=hold_ms)
t_s = to_s(edge.t_us); self.note(x=t_s)
ul_by_ms = {1: 2}; x_ul = ul_by_ms[p.delay_ms]; self.note(x=x_ul)
x_min = p.hold_s; self.note(x=x_min)
pokes_per_s = 3 / p.hold_s; self.note(x=pokes_per_s)
waited_s = self.elapsed_s(self.now_s); self.note(x=waited_s)
p_s = edge.after_s(self.now_s); self.note(x=p_s)
first_s, second_ms = p.hold_s, p.delay_ms; self.note(x=(first_s, second_ms))
self.light_s = 5; self.light_s *= 2
""".strip().splitlines()


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_a_wrong_unit_is_named_with_its_line_and_the_factor(lab: Lab, line: str, said: str) -> None:
    mistake, *_ = lab(line).mistakes
    assert said in mistake
    assert mistake.location.line == LINE


@pytest.mark.parametrize("line", FINE)
def test_a_right_unit_is_no_mistake(lab: Lab, line: str) -> None:
    found = lab(line)
    assert (found.mistakes, found.warnings) == ((), ())


def test_a_parameter_without_a_unit_is_a_warning_at_its_own_line(lab: Lab) -> None:
    (warning,) = lab("await self.sleep(p.pause)").warnings
    assert "p.pause is given in s, and its name has no unit: name it pause_s" in warning
    assert 0 < (warning.location.line or 0) < LINE


@pytest.mark.parametrize("name", ["until_s", "at_s", "since_s"])
def test_a_length_in_place_of_a_session_time_is_a_warning(lab: Lab, name: str) -> None:
    (warning,) = lab(f"await self.first(good.poked, {name}=p.hold_s)").warnings
    assert f"{name} is a session time, counted from the session's start, and p.hold_s looks like a length" in warning
    assert warning.location.line == LINE
