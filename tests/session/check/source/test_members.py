"""A name that a device, a row, the parameters or the task does not have is named, whatever the dry run reaches."""

from pathlib import Path

import pytest

from rig.session.build.task_classes import find_task
from rig.session.check.source.findings import check_source
from tests.session.check.source.conftest import LINE, PROTOCOL, Lab

UNKNOWN = [
    ("await self.first(good.pokd)", "good has no 'pokd': did you mean 'poked'?"),
    ("self.box.lefft.light.on()", "self.box has no 'lefft': did you mean 'left'? it has hopper, lamp, laser, left"),
    ("self.do(box.speaker.tune(1000, 50))", "box.speaker has no 'tune': did you mean 'tone'?"),
    ("good.light.on_for(1)", "good.light has no 'on_for'"),
    ("self.note(x=p.ull)", "p has no 'ull': did you mean 'ul'?"),
    ("self.note(x=edge.sorce)", "edge has no 'sorce': did you mean 'source'?"),
    ("self.row.choise = edge.source", "self.row has no 'choise': did you mean 'choice'?"),
    ("self.no_such_thing += 1", "self has no 'no_such_thing'"),
    ("await self.frist(good.poked)", "self has no 'frist': did you mean 'first'?"),
    ("self.helper_.pay()", "self has no 'helper_': did you mean 'helper'?"),
    ('x = self.stream("x").bernouli(0.5); self.note(x=x)', "has no 'bernouli': did you mean 'bernoulli'?"),
    ("self.train.begin()", "self.train has no 'begin'"),
    ("self.ports['left'].drops(2)", "self.ports['left'] has no 'drops': did you mean 'drop'?"),
]

FINE = [
    "self.count = 0; self.count += 1",
    "self.helper.more = 5; self.note(x=self.helper.more)",
    "self.note(x=good.name, y=box.tray.drop_s, z=box.screen.width_cm, hz=box.speaker.tones, s=box.screen.scene)",
    "self.row.choice = edge.source; self.note(x=self.row.columns(), d=p.model_dump())",
    "setattr(self, 'more', 5); self.note(x=self.more)",
    "self.note(t=edge.t_s, r=self.rewards, n=self.trial_number, d=self.drawn, c=self.carried_over)",
    "for device in (box.hopper, box.tray): self.note(x=getattr(device, 'light', None))",
]


@pytest.mark.parametrize(("line", "said"), UNKNOWN)
def test_a_name_that_an_object_does_not_have_is_named_with_the_one_probably_meant(
    lab: Lab, line: str, said: str
) -> None:
    (mistake,) = lab(line).mistakes
    assert said in mistake
    assert mistake.location.line == LINE


@pytest.mark.parametrize("line", FINE)
def test_a_name_that_an_object_may_have_is_no_mistake(lab: Lab, line: str) -> None:
    assert lab(line) == lab("pass")


OTHER = """

@dataclass
class Other:
    tone: Speaker


class More(Task[Params, Other, Trial]):
    @state(to=("only",))
    async def only(self) -> Next:
        {line}
        return self.only
"""


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("its_own", "self.do(self.box.tone.tone(1000, 50))", []),
        ("lost", "self.box.tone.tone(1000, 50)", ["only makes an action"]),
        ("of_the_first", "self.box.left.light.on()", ["self.box has no 'left': it has tone"]),
    ],
)
def test_two_tasks_of_one_file_have_boxes_of_their_own(tmp_path: Path, name: str, line: str, said: list[str]) -> None:
    text = PROTOCOL.replace("{body}", "pass") + OTHER.replace("{line}", line)
    (tmp_path / f"{name}.py").write_text(text)
    found = check_source(find_task(f"./{name}.py:Lab", tmp_path), ())
    assert [word in mistake for word, mistake in zip(said, found.mistakes, strict=True)] == [True] * len(said)
