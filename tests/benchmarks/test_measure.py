import json
import os
import subprocess
import sys
from subprocess import PIPE
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as command
from benchmarks.measure import Measure, Options, Others, family_s, in_quiet, interleaved


def test_a_number_holds_when_the_median_of_its_rounds_is_what_it_must_be() -> None:
    assert Measure("x", (1.0, 3.0, 90.0), at_most=3).holds
    assert not Measure("x", (1.0, 3.1, 3.2), at_most=3).holds
    assert Measure("x", (1.6, 1.8, 1.7), at_least=1.7).holds
    assert not Measure("x", (1.6, 1.8), at_least=1.75).holds
    assert Measure("x", (5.0,)).holds


def test_a_number_shows_its_median_its_spread_and_its_bound() -> None:
    number = Measure("x", (2.0, 1.0, 4.0), at_most=6, unit=" MB")
    assert number.measured == "2.00 MB (1.00-4.00)"
    assert number.must_be == "<= 6 MB"
    assert Measure("x", (2.0,), at_least=1.7).measured == "2.00"
    assert Measure("x", (2.0,), at_least=1.7).must_be == ">= 1.7"


def test_rounds_are_interleaved() -> None:
    order: list[str] = []

    def cost(name: str, seconds: float) -> float:
        order.append(name)
        return seconds

    ratios = interleaved(lambda key: cost(f"a{key}", 6.0), lambda key: cost(f"b{key}", 2.0), (1, 2))
    assert order == ["a1", "b1", "a2", "b2"]
    assert ratios == [3.0, 3.0]


def test_disturbed_rounds_are_done_again() -> None:
    turns = iter([(1.0, 0.9), (2.0, 0.0), (3.0, 0.5), (4.0, 0.1)])
    used, note = in_quiet(lambda: next(turns), 2)
    assert used == [2.0, 4.0]
    assert note.startswith("2 of 4 rounds were quiet")


def test_on_a_machine_that_is_never_quiet_every_round_counts_and_the_note_says_so() -> None:
    used, note = in_quiet(lambda: (2.0, 1.5), 2)
    assert len(used) == 8
    assert note == "0 of 8 rounds were quiet; in the counted rounds other programs used 1.50 cores"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_work_of_our_own_processes_is_not_that_of_others() -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    with Others() as others:
        before_s = family_s()
        with subprocess.Popen([sys.executable, "-c", busy], stdin=PIPE, stdout=PIPE) as worker:
            assert worker.stdout is not None
            worker.stdout.readline()
            while_it_runs_s = family_s() - before_s
            worker.communicate(b"\n")
        assert 0.25 < while_it_runs_s <= family_s() - before_s < 5
    assert others.cores < (os.cpu_count() or 1)


def run(monkeypatch: pytest.MonkeyPatch, measure: Measure, *arguments: str) -> int:
    def measured(options: Options) -> list[Measure]:
        return [measure]

    monkeypatch.setattr(command, "import_module", lambda name: SimpleNamespace(measure=measured))
    return command.main(["--only", "full_stack", *arguments])


def test_the_exit_status_says_whether_every_number_holds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, Measure("works", (1.0,), at_most=2)) == 0
    assert run(monkeypatch, Measure("does not", (3.0,), at_most=2)) == 1
    printed = capsys.readouterr().out
    assert "holds" in printed
    assert "does not hold" in printed


def test_json_is_all_that_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, Measure("works", (1.0, 2.0), at_most=2, note="why"), "--json")
    (number,) = json.loads(capsys.readouterr().out)["full_stack"]
    assert number["what"] == "works"
    assert (number["median"], number["min"], number["max"], number["holds"]) == (1.5, 1.0, 2.0, True)


def test_a_benchmark_that_is_not_there_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main(["--only", "nothing"])
    assert caught.value.code == 2
    assert "journal_line" in capsys.readouterr().err
