"""Which class a protocol's word means: a laboratory's own file, a file in a folder of protocols, what is installed."""

import json
from pathlib import Path

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.errors import ConfigError
from rig.records.journal.read import read_journal
from rig.session.recorded_code import RecordedCode, TrustedCode, select_code
from rig.session.replay import replay_lines
from rig.session.spec.task_classes import find_task, folders
from tests.cli.conftest import Rig
from tests.session.spec.task_files import YAML, write
from tests.session_ends import footer_of, header_of
from tests.tables import rows


def mistake(word: str, near: Path | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        find_task(word, near)
    (text,) = caught.value.mistakes
    return text


def test_a_word_is_what_is_installed_under_it() -> None:
    found = find_task("two_armed_bandit")
    assert (found.name, found.task, found.reference) == ("two_armed_bandit", TwoArmedBandit, None)
    assert found.origin.startswith("installed")
    assert {file.name for file in found.files} >= {"task.py", "blocks.py"}


def test_a_path_and_a_class_are_counted_from_the_file_that_names_them(tmp_path: Path) -> None:
    file = write(tmp_path / "mine" / "my_task.py")
    found = find_task("./my_task.py:Mine", file.parent)
    assert (found.name, found.task.__name__, found.files, found.reference) == (
        "my_task",
        "Mine",
        (file,),
        "my_task.py:Mine",
    )
    assert find_task("my_task.py", file.parent).task is found.task
    assert find_task(str(file)).task is found.task


def test_a_file_with_several_tasks_wants_the_class_and_keeps_their_states_apart(tmp_path: Path) -> None:
    file = write(tmp_path / "two.py", "One")
    file.write_text(file.read_text() + "\n\nclass Other(One):\n    pass\n")
    assert "has several tasks (One, Other): add :ClassName" in mistake("./two.py", tmp_path)
    assert find_task("./two.py:Other", tmp_path).name == "two.Other"
    assert "has no task Othr; did you mean 'Other'? it has: One, Other" in mistake("./two.py:Othr", tmp_path)


def test_a_bare_name_is_a_file_in_a_folder_of_protocols_beside_or_above_or_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "lab" / "protocols" / "licking.py", "Licking")
    yaml_folder = tmp_path / "lab" / "configs" / "protocols"
    yaml_folder.mkdir(parents=True)
    assert find_task("licking", yaml_folder).task.__name__ == "Licking"
    assert "protocol 'licking' is not installed" in mistake("licking", tmp_path)
    monkeypatch.chdir(tmp_path / "lab")
    assert find_task("licking").task.__name__ == "Licking"
    assert folders() == [tmp_path / "lab" / "protocols"]


def test_a_laboratorys_own_file_goes_before_what_is_installed_under_its_name(tmp_path: Path) -> None:
    write(tmp_path / "protocols" / "two_armed_bandit.py", "Bandit")
    found = find_task("two_armed_bandit", tmp_path)
    assert found.task.__name__ == "Bandit"
    assert "two_armed_bandit.py" in found.origin


def test_a_file_takes_what_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "odds_of_the_lab.py").write_text("def fair() -> float:\n    return 0.5\n")
    (tmp_path / "beside_the_lab.py").write_text("def often() -> float:\n    return 0.9\n")
    write(tmp_path / "protocols" / "fair_task.py", extra="from protocols.odds_of_the_lab import fair")
    write(tmp_path / "often_task.py", extra="from beside_the_lab import often")
    assert [file.name for file in find_task("fair_task", tmp_path).files] == ["fair_task.py", "odds_of_the_lab.py"]
    assert [file.name for file in find_task("./often_task.py", tmp_path).files] == [
        "often_task.py",
        "beside_the_lab.py",
    ]


@rows("text", "said")
def test_a_mistake_in_the_laboratorys_python_is_reported_at_its_own_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "lab_task.py").write_text(text)
    found = mistake("./lab_task.py:Mine", tmp_path)
    assert said in found
    assert "site-packages" not in found
    assert "None" not in found


@rows("old", "new", "said")
def test_a_task_is_made_of_parameters_devices_and_rows(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = write(tmp_path / "my_task.py")
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    assert said in mistake("./my_task.py", tmp_path)


@rows("tables", "said")
def test_a_further_table_is_a_file_and_a_row_of_its_own(tmp_path: Path, tables: str, said: str) -> None:
    rows = "@dataclass\nclass Spell(Row):\n    t: float\n\n\n"
    file = write(tmp_path / "my_task.py")
    text = file.read_text().replace("class Mine", f"{rows}class Mine")
    head, _, rest = text.partition("class Mine")
    line, _, body = rest.partition("\n")
    file.write_text(f"{head}class Mine{line}\n    tables = {tables}\n{body}")
    assert said in mistake("./my_task.py:Mine", tmp_path)


def test_what_a_file_prints_when_it_is_read_is_no_answer_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "loud_task.py", extra='print("here I am")')
    find_task("./loud_task.py", tmp_path)
    assert capsys.readouterr() == ("", "here I am\n")


@rows("word", "said")
def test_a_word_that_means_nothing_is_reported_what_would(tmp_path: Path, word: str, said: str) -> None:
    write(tmp_path / "my_task.py")
    assert said.format(folder=tmp_path) in mistake(word, tmp_path)


def test_a_laboratorys_own_file_runs_is_kept_with_the_records_and_replays_from_there(
    rig: Rig, data: Path, tmp_path: Path
) -> None:
    file = write(tmp_path / "lab" / "my_task.py", extra="from lab_pauses import PAUSE_S")
    (file.parent / "lab_pauses.py").write_text("PAUSE_S = 1\n")
    yaml = file.parent / "my_task.yaml"
    yaml.write_text(YAML.format(word="./my_task.py:Mine"))
    answer = rig("sim", yaml, "--model", "random", "--subject", "M1", "--start", "2026-11-21")
    assert answer.status == 0, answer.err
    session = data / "sim" / "M1" / "2026-11-21" / "001"
    assert sorted(path.name for path in (session / "config" / "lab").iterdir()) == [
        "lab_pauses.py",
        "my_task.py",
        "my_task.yaml",
    ]
    lines, header = read_journal(session), header_of(session)
    assert (header.protocol, header.task) == ("my_task", "my_task.py:Mine")
    assert "my_task" in json.loads((data / "sim" / "M1" / "state.json").read_text())
    file.write_text("1 / 0\n")
    with TrustedCode() as trusted:
        copy = select_code(header, session)
        assert isinstance(copy, RecordedCode)
        assert replay_lines(lines, copy.task(trusted.root([copy])))[1] is None
    assert rig("replay", "--trust", session).status == 0


def test_a_mistake_while_the_session_runs_is_reported_at_the_laboratorys_own_line(
    rig: Rig, data: Path, tmp_path: Path
) -> None:
    file = write(tmp_path / "wrong_task.py", body="self.carried_over['a'] += 1")
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "carried_over" in text)
    (tmp_path / "wrong_task.yaml").write_text(YAML.format(word="./wrong_task.py"))
    answer = rig("sim", tmp_path / "wrong_task.yaml", "--model", "random", "--subject", "M1", "--start", "2026-11-21")
    assert answer.status == 1
    footer = footer_of(data / "sim" / "M1" / "2026-11-21" / "001")
    assert footer.detail == f"wrong_task.py:{line}: KeyError: 'a'"


def test_an_exit_that_a_protocol_calls_for_at_the_end_is_its_fault_and_not_the_programs(
    rig: Rig, data: Path, tmp_path: Path
) -> None:
    file = write(tmp_path / "leaving.py")
    file.write_text(file.read_text() + "\n    def carry_over(self):\n        raise SystemExit(0)\n")
    (tmp_path / "leaving.yaml").write_text(YAML.format(word="./leaving.py"))
    answer = rig("sim", tmp_path / "leaving.yaml", "--model", "random", "--subject", "M1", "--start", "2026-11-21")
    assert answer.status == 1
    footer = footer_of(data / "sim" / "M1" / "2026-11-21" / "001")
    assert footer.reason == "fault"
    assert "SystemExit" in footer.detail


def test_what_a_protocol_prints_is_no_part_of_the_answer(rig: Rig, data: Path, tmp_path: Path) -> None:
    write(tmp_path / "loud.py", body="print('hello'); await self.sleep(10)")
    (tmp_path / "loud.yaml").write_text(YAML.format(word="./loud.py"))
    answer = rig("sim", tmp_path / "loud.yaml", "--model", "random", "--subject", "M1", "--json")
    assert answer.status == 0
    assert json.loads(answer.out)["sessions"][0]["protocol"] == "loud"
    assert "hello" in answer.err


ROWS = """
from __future__ import annotations
from dataclasses import dataclass
from rig import Next, Task, TaskParams, TrialRow, state

@dataclass
class Trial(TrialRow):
    kind: {kind} = None

@dataclass
class Box:
    pass

class Mine(Task[TaskParams, Box, Trial]):
    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        await self.sleep(1)
        return self.here

class Kind:
    pass
"""


def test_the_type_of_a_column_may_stand_below_the_task_and_must_be_somewhere(tmp_path: Path) -> None:
    (tmp_path / "below.py").write_text(ROWS.format(kind="Kind | None"))
    (tmp_path / "nowhere.py").write_text(ROWS.format(kind="Kint | None"))
    assert find_task("./below.py:Mine", tmp_path).task.__name__ == "Mine"
    assert "Trial: the type of a column cannot be read: name 'Kint'" in mistake("./nowhere.py:Mine", tmp_path)
