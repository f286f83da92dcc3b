"""What differs between the tasks of two sessions, and what of it another stage or a comment explains."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.header import Header
from rig.records.session.task_version import TaskVersion, change_of_session, change_since, group_by_task, group_lines
from tests.journal_lines import HEADER, made
from tests.past_sessions import write_session

CODE = """\
class Tones:
    '''Two tones.'''

    async def choose(self):
        return self.left if self.high else self.right
"""
INVERTED = CODE.replace("left if", "right if").replace("else self.right", "else self.left")
COMMENTED = (
    f"# The good side is on the left.\n{CODE.replace('Two tones', 'Two tones of 0.1 s').replace('(self)', '( self )')}"
)


def ran(folder: Path, number: int, code: str = CODE, **header: Any) -> TaskVersion:
    """Return the version of a session of a day in November, with a copy of its code."""
    place = folder / f"{number:03d}"
    copy = place / "config" / "protocols" / "tones.py"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(code.encode())
    facts = {"protocol": "tones", "code": {"tones.py": hashlib.sha256(code.encode()).hexdigest()}, **header}
    return TaskVersion.of(f"2026-11-20/{number:03d}", header_of(**facts), place)


def header_of(**fields: Any) -> Header:
    line = made("header", **{**HEADER, **fields})
    assert isinstance(line, Header)
    return line


def test_the_same_code_and_parameters_are_no_change(tmp_path: Path) -> None:
    first = ran(tmp_path, 1, params={"tone_ms": 200})
    assert change_since(ran(tmp_path, 2, params={"tone_ms": 200}), [first]).texts == ()


def test_the_first_session_of_a_protocol_has_nothing_to_differ_from(tmp_path: Path) -> None:
    assert change_since(ran(tmp_path, 1), []).texts == ()
    assert change_since(ran(tmp_path, 2), [ran(tmp_path, 3, protocol="other", code="x = 1\n")]).texts == ()


def test_an_inverted_side_in_the_code_is_told_by_its_file(tmp_path: Path) -> None:
    change = change_since(ran(tmp_path, 2, INVERTED), [ran(tmp_path, 1)])
    assert change.unexpected == ("the code differs from 2026-11-20/001: tones.py",)


def test_comments_docstrings_and_layout_are_told_as_such_and_pool(tmp_path: Path) -> None:
    first, second = ran(tmp_path, 1), ran(tmp_path, 2, COMMENTED)
    change = change_since(second, [first])
    assert change.unexpected == ()
    assert change.expected == ("comments or layout differ from 2026-11-20/001: tones.py",)
    assert len(group_by_task([first, second])) == 1


def test_a_file_with_the_line_ends_of_windows_is_the_same_code_with_another_checksum(tmp_path: Path) -> None:
    first, second = ran(tmp_path, 1), ran(tmp_path, 2, CODE.replace("\n", "\r\n"))
    change = change_since(second, [first])
    assert change.unexpected == ()
    assert change.expected == ("comments or layout differ from 2026-11-20/001: tones.py",)
    assert len(group_by_task([first, second])) == 1


@pytest.mark.parametrize("copied", ["", "x = ("], ids=["none", "another text"])
def test_without_a_copy_that_was_recorded_another_hash_is_another_code(tmp_path: Path, copied: str) -> None:
    first, second = ran(tmp_path, 1), ran(tmp_path, 2, COMMENTED)
    copy = second.folder / "config" / "protocols" / "tones.py"
    copy.write_text(copied) if copied else copy.unlink()
    assert change_since(second, [first]).unexpected == ("the code differs from 2026-11-20/001: tones.py",)


def test_a_new_and_a_lost_file_are_named(tmp_path: Path) -> None:
    first, second = (
        TaskVersion.of(f"2026-11-20/00{number}", header_of(code={"a.py": "1", name: "2"}), tmp_path)
        for number, name in ((1, "old.py"), (2, "new.py"))
    )
    assert change_since(second, [first]).unexpected == (
        "the code differs from 2026-11-20/001: new.py (new), old.py (gone)",
    )


def test_parameters_are_told_by_name_with_the_old_and_the_new_value(tmp_path: Path) -> None:
    first = ran(tmp_path, 1, params={"tone_ms": 200, "laser": {"on": False}, "gone": 1, "same": [1]})
    second = ran(tmp_path, 2, params={"tone_ms": 100, "laser": {"on": True}, "new": None, "same": [1]})
    assert change_since(second, [first]).unexpected == (
        "parameters differ from 2026-11-20/001: tone_ms 200 -> 100, laser.on false -> true, gone 1 -> (absent), "
        "new (absent) -> null",
    )


def test_of_many_parameters_the_first_are_named_and_the_others_counted(tmp_path: Path) -> None:
    before, after = ({f"p{number}": value for number in range(20)} for value in (1, 2))
    (text,) = change_since(ran(tmp_path, 2, params=after), [ran(tmp_path, 1, params=before)]).unexpected
    assert text.endswith("p7 1 -> 2, and 12 more")


def staged(stage: str) -> dict[str, Any]:
    return {"name": "course", "stage": stage, "from": None, "why": "so", "sessions": [], "override": None}


def test_another_stage_explains_parameters_and_not_code(tmp_path: Path) -> None:
    first = ran(tmp_path, 1, params={"window_s": 5}, curriculum=staged("easy"))
    second = ran(tmp_path, 2, INVERTED, params={"window_s": 2}, curriculum=staged("hard"))
    change = change_since(second, [first])
    assert change.unexpected == ("the code differs from 2026-11-20/001: tones.py",)
    assert change.expected == (
        "stage easy of course -> stage hard of course: parameters differ from 2026-11-20/001: window_s 5 -> 2",
    )


def test_a_stage_is_compared_with_its_own_last_session(tmp_path: Path) -> None:
    first = ran(tmp_path, 1, params={"window_s": 2}, curriculum=staged("hard"))
    probe = ran(tmp_path, 2, params={"window_s": 9}, curriculum=staged("probe"))
    back = ran(tmp_path, 3, params={"window_s": 2}, curriculum=staged("hard"))
    assert change_since(back, [probe, first]).texts == ()
    edited = ran(tmp_path, 4, params={"window_s": 3}, curriculum=staged("hard"))
    assert change_since(edited, [probe, first]).unexpected == (
        "parameters differ from 2026-11-20/001: window_s 2 -> 3",
    )


def test_another_file_of_the_same_task_explains_its_parameters(tmp_path: Path) -> None:
    first, second = (
        ran(tmp_path, number, params={"p": p}, variant=name) for number, p, name in ((1, 0.9, "easy"), (2, 0.8, "hard"))
    )
    assert change_since(second, [first]).texts == ("easy -> hard: parameters differ from 2026-11-20/001: p 0.9 -> 0.8",)


def test_the_past_of_a_session_is_what_lies_before_it_in_its_subjects_folder(tmp_path: Path) -> None:
    for day, value in ((1, 1), (2, 2), (4, 4)):
        folder = write_session(tmp_path / "M1", day, ran={"params": {"x": value}})
    write_session(tmp_path / "M1", 3, ran={"params": {"x": 9}, "simulated": True})
    third = tmp_path / "M1" / "2026-11-03" / "001"
    assert change_of_session(third, header_of(params={"x": 3})).unexpected == (
        "parameters differ from 2026-11-02/001: x 2 -> 3",
    ), "neither a later session nor a simulated one is its past"
    assert change_of_session(folder, header_of(params={"x": 2})).texts == ()
    assert change_of_session(tmp_path / "copied", header_of()).texts == ()


def test_sessions_are_grouped_by_what_they_ran(tmp_path: Path) -> None:
    versions = [ran(tmp_path, number, params={"ul": ul}) for number, ul in enumerate((2, 3, 2, 2, 2), start=1)]
    assert [[each.session[-1] for each in group.versions] for group in group_by_task(versions)] == [
        ["1", "3", "4", "5"],
        ["2"],
    ]
    assert list(group_lines(group_by_task(versions))) == [
        "4 sessions of tones (2026-11-20/001, 2026-11-20/003, 2026-11-20/004, and 1 more)",
        "1 session of tones (2026-11-20/002): ul 2 -> 3",
    ]
    assert len(group_by_task(versions, {"ul"})) == 1


def test_strange_names_of_files_are_no_reason_to_fail(tmp_path: Path) -> None:
    version = TaskVersion.of("x", header_of(code={"../x.py": "0", "": "1"}), tmp_path)
    other = TaskVersion.of("y", header_of(code={"..": "2", "\0": "3", "": "4"}), tmp_path)
    assert change_since(version, [other]).unexpected


def test_equal_numbers_are_the_same_parameters_and_others_are_compared_with_no_other_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[TaskVersion] = []
    monkeypatch.setattr(TaskVersion, "changed_code", lambda version, other: compared.append(other) or [])
    values = [*range(500), *map(float, range(500)), [1, 2.0], [1.0, 2], {"on": True}]
    versions = [
        TaskVersion(f"s{number}", "tones", "tones", "", {}, {"x": value}, tmp_path)
        for number, value in enumerate(values)
    ]
    assert [len(group.versions) for group in group_by_task(versions)] == [2] * 501 + [1]
    assert len(compared) == 501, "a campaign with other parameters in each session is grouped in linear time"
