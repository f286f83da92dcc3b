"""Habits that hide a session's end or make it unlike its replay are named with their lines."""

from pathlib import Path

import pytest

from rig.session.check.source.findings import check_source
from rig.session.spec.task_classes import find_task
from tests.session.check.source.conftest import LINE, PROTOCOL, Lab

MISTAKES = [
    ("self.note(x=random.uniform(1, 2))", "random.uniform draws without the session's seed, so a replay would draw"),
    ("self.note(x=choice([1, 2]))", "random.choice draws without the session's seed"),
    ("self.note(x=random.Random().random())", "random.Random draws without the session's seed"),
    ("import numpy as np; self.note(x=np.random.rand())", "numpy.random.rand draws without the session's seed"),
    ("import numpy as np; self.note(x=np.random.default_rng())", "numpy.random.default_rng draws without"),
    ("from uuid import uuid4; self.note(x=uuid4())", "uuid.uuid4 draws without the session's seed"),
    ("import secrets; self.note(x=secrets.token_hex())", 'draw from self.stream("name")'),
    ("time.sleep(1)", "time.sleep takes real time"),
    ("if edge.source is self.box.left.name: pass", "write edge.source == self.box.left.name"),
    ("if edge.source is not good: pass", "write edge.source != good"),
    ("try: await self.sleep(1)\nexcept: pass", "except: catches every fault and mistake around a wait, and the end of"),
    ("try: await self.sleep(1)\nexcept BaseException as error: self.note(x=error)", "except BaseException: catches"),
]

WARNINGS = [
    ("try: await self.sleep(1)\nexcept Exception: pass", "except Exception: catches every fault and mistake around a"),
    (
        "self.note(x=time.time())",
        "time.time is the computer's clock, which a replay does not repeat: ask for self",
    ),
    ("self.note(x=time.perf_counter_ns())", "time.perf_counter_ns is the computer's clock"),
    ("self.note(x=datetime.datetime.now())", "datetime.datetime.now is the computer's clock"),
    ("global LAST; LAST = 5", "global LAST is shared by all sessions of a process: write self.LAST"),
]

FINE = r"""
self.note(x=random.Random(5).random())
self.note(x=self.stream("x").uniform(1, 2))
if edge.source is None or edge.source == "left": pass
if edge is None: pass
self.note(x=datetime.timedelta(seconds=1))
try: await self.sleep(1)\nexcept TaskError: pass
try: await self.sleep(1)\nexcept BaseException: raise
try: self.note(x=1 / 0)\nexcept Exception: pass
import numpy as np; self.note(x=np.random.default_rng(5).random())
self.note(x=self.stream("x").choice([1]))
""".strip().splitlines()


@pytest.mark.parametrize(("lines", "said"), MISTAKES)
def test_a_harmful_habit_is_a_mistake_with_its_line(lab: Lab, lines: str, said: str) -> None:
    mistake, *_ = lab(lines).mistakes
    assert said in mistake
    assert mistake.location.line in (LINE, LINE + 1)


@pytest.mark.parametrize(("lines", "said"), WARNINGS)
def test_a_doubtful_habit_is_a_warning(lab: Lab, lines: str, said: str) -> None:
    found = lab(lines)
    assert found.mistakes == ()
    (warning,) = found.warnings
    assert said in warning


@pytest.mark.parametrize("lines", FINE)
def test_what_a_replay_repeats_is_no_mistake(lab: Lab, lines: str) -> None:
    found = lab(lines.replace("\\n", "\n"))
    assert (found.mistakes, found.warnings) == ((), ())


@pytest.mark.parametrize(
    ("attribute", "line", "remedies"),
    [
        ("history: list = []", "self.history.append(5)", ["write self.history = [] in prepare"]),
        ("counts = {}", "self.counts['left'] = 1", ["write self.counts = {} in prepare"]),
        ("counts = defaultdict(int)", "self.counts['left'] += 1", ["write self.counts = defaultdict(int) in prepare"]),
        ("names = ['left', 'right']", "self.note(x=self.names[0])", []),
        ("history: list = []", "self.history = []; self.history.append(5)", []),
        ("history: tuple = ()", "self.history += (5,)", []),
    ],
)
def test_an_object_of_the_class_that_the_protocol_changes_is_named(
    tmp_path: Path, attribute: str, line: str, remedies: list[str]
) -> None:
    text = PROTOCOL.replace("{body}", line).replace('    tables = {"v', f'    {attribute}\n    tables = {{"v')
    (tmp_path / "shared.py").write_text(f"from collections import defaultdict\n{text}")
    mistakes = check_source(find_task("./shared.py:Lab", tmp_path), ()).mistakes
    assert [remedy in mistake for remedy, mistake in zip(remedies, mistakes, strict=True)] == [True] * len(remedies)
