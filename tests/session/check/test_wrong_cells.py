"""A wrong cell is an error of a rehearsal, a simulation and a test, with its line; a real session goes on."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.core.journal.kinds import Note
from rig.core.model.rig_spec import SimulationOptions
from rig.live.progress import Progress
from rig.records.journal.read import read_journal
from rig.session.check.check import check
from rig.session.replay import replay_lines
from rig.session.run import run_session as module
from rig.session.run.run_session import SessionResult, run_session
from rig.session.spec.build import spec_from_file
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.testing import SessionHarness, poke
from tests.session.real_driver import RealBoardDriver

TASK = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
YAML = "protocol: ./lab.py\nsimulation: {rig: sim_nose_ports}\nstop: {session_s: 60, max_rewards: 50}\n"
LINES = TASK.splitlines()
BODY_LINE = LINES.index("        {body}") + 1
RECORD_LINE = LINES.index("        self.record(Exit(exit_.t_s, {after}))") + 1

WRONG = {
    "row.choice = poke": "Trial.choice is Edge(t_us=",
    "row.choice = poke.source.upper()": "Trial.choice is 'LEFT', wanted '', 'left' or 'right'; did you mean 'left'?",
    "row.pokes = poke.level == 1": "Trial.pokes is True, wanted a whole number; write int(...)",
    "row.t_in = poke.t_us": "wanted seconds of the session, now ",
    "row.outcome = 'late'": "Trial.outcome is 'late', wanted 'rewarded', 'unrewarded', 'early' or 'interrupted'",
    "row.chioce = 'left'": "id you mean 'choice'?",
}

Lab = Callable[..., Path]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    def written(body: str = "pass", after: str = "exit_.after_s(poke.t_s)") -> Path:
        (tmp_path / "lab.py").write_text(TASK.format(body=body, after=after))
        (tmp_path / "lab.yaml").write_text(YAML)
        return tmp_path / "lab.yaml"

    return written


def spec_of(path: Path) -> SessionSpec:
    return spec_from_file(path, SessionRequest(seed=1))


def test_a_base_column_that_is_declared_again_keeps_its_place_and_the_words_of_every_row_are_right(lab: Lab) -> None:
    assert check(lab(), SessionRequest()).mistakes == ()


@pytest.mark.parametrize(("body", "text"), WRONG.items())
def test_a_wrong_cell_is_a_mistake_of_the_protocol_at_the_line_that_set_it(lab: Lab, body: str, text: str) -> None:
    (mistake,) = check(lab(body), SessionRequest()).mistakes
    assert f"lab.py:{BODY_LINE}: " in mistake
    assert text in mistake


@pytest.mark.parametrize(("body", "text"), WRONG.items())
def test_a_wrong_cell_ends_a_test(lab: Lab, body: str, text: str) -> None:
    session = SessionHarness(spec_of(lab(body)))
    session.run([*poke(1.0, "left")])
    assert session.outcome is not None
    assert session.outcome.reason == "fault"
    assert f"lab.py:{BODY_LINE}: " in session.outcome.detail
    assert text in session.outcome.detail


def test_a_wrong_cell_of_a_further_table_is_a_mistake_at_the_line_that_records_it(lab: Lab) -> None:
    (mistake,) = check(lab(after="exit_"), SessionRequest()).mistakes
    assert f"lab.py:{RECORD_LINE}: in state" in mistake
    assert "Exit.after_s is Edge(" in mistake
    assert mistake.endswith("wanted a number; did you mean .t_s?")


def test_a_column_without_a_default_after_one_with_a_default_is_told_with_the_remedy(lab: Lab) -> None:
    path = lab()
    file = path.with_name("lab.py")
    file.write_text(file.read_text().replace("    t: float\n", "    t: float = 0.0\n"))
    with pytest.raises(ConfigError, match=r"'after_s' has no default, and a field above it has one: write it above"):
        spec_of(path)


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_driver", lambda name: RealBoardDriver())


def ran(path: Path) -> SessionResult:
    edges = tuple(
        (second * 1_000_000 + us, "left", level) for second in (1, 2, 3) for us, level in ((0, 1), (90_000, 0))
    )
    simulation = SimulationOptions("scripted", {"edges": edges}, 1)  # type: ignore[dict-item]
    start = datetime.datetime(2026, 11, 21, 9, 0)
    request = SessionRequest(data=path.parent / "data", subject="M1", seed=1, start=start, simulation=simulation)
    return run_session(replace(spec_of(path), request=request))


def test_a_wrong_cell_ends_a_simulated_session(lab: Lab) -> None:
    outcome = ran(lab("row.choice = poke")).outcome
    assert (outcome.reason, outcome.rows) == ("fault", 0)


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("body", WRONG)
def test_a_real_session_goes_on_with_a_warning_for_each_column_and_replays_the_same(lab: Lab, body: str) -> None:
    result = ran(lab(body))
    assert (result.outcome.reason, result.outcome.rows, result.outcome.rewards) == ("time_limit", 3, 3)
    lines = read_journal(result.folder)
    column = body.split()[0].removeprefix("row.")
    notes = [line for line in lines if isinstance(line, Note) and line.what.startswith("wrong_cell")]
    assert [note.what for note in notes] == ["wrong_cell", "wrong_cells"]
    assert (notes[0].fields["column"], notes[1].fields["cells"]) == (f"trials.{column}", {f"trials.{column}": 3})
    progress = Progress()
    for line in lines:
        progress.take(line)
    warnings = [warning.text for warning in progress.warnings]
    assert [text for text in warnings if text.startswith(f"column trials.{column} is ")]
    assert f"wrong cells: trials.{column} in 3 rows" in warnings
    assert replay_lines(lines, result.spec.found)[1] is None


@pytest.mark.usefixtures("real")
def test_a_real_session_writes_a_value_that_is_no_json_as_its_text(lab: Lab) -> None:
    result = ran(lab("row.choice = self"))
    assert result.outcome.reason == "time_limit"
    assert all(row["choice"].endswith(".Lab object>") for row in result.rows)
    assert replay_lines(read_journal(result.folder), result.spec.found)[1] is None
