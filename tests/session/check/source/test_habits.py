"""Habits that hide a session's end or make it unlike its replay are named with their lines."""

from pathlib import Path

from rig.session.check.source.findings import check_source
from rig.session.spec.task_classes import find_task
from tests.session.check.source.conftest import LINE, PROTOCOL, Lab
from tests.tables import rows


@rows("lines", "said")
def test_a_harmful_habit_is_a_mistake_with_its_line(lab: Lab, lines: str, said: str) -> None:
    mistake, *_ = lab(lines).mistakes
    assert said in mistake
    assert mistake.location.line in (LINE, LINE + 1)


@rows("lines", "said")
def test_a_doubtful_habit_is_a_warning(lab: Lab, lines: str, said: str) -> None:
    found = lab(lines)
    assert found.mistakes == ()
    (warning,) = found.warnings
    assert said in warning


@rows("lines")
def test_what_a_replay_repeats_is_no_mistake(lab: Lab, lines: str) -> None:
    found = lab(lines.replace("\\n", "\n"))
    assert (found.mistakes, found.warnings) == ((), ())


@rows("attribute", "line", "remedies")
def test_an_object_of_the_class_that_the_protocol_changes_is_named(
    tmp_path: Path, attribute: str, line: str, remedies: list[str]
) -> None:
    text = PROTOCOL.replace("{body}", line).replace('    tables = {"v', f'    {attribute}\n    tables = {{"v')
    (tmp_path / "shared.py").write_text(f"from collections import defaultdict\n{text}")
    mistakes = check_source(find_task("./shared.py:Lab", tmp_path), ()).mistakes
    assert [remedy in mistake for remedy, mistake in zip(remedies, mistakes, strict=True)] == [True] * len(remedies)
