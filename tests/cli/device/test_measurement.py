"""The dialog of a calibration: what is typed, what is answered, and which curve results."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import LinkLostError
from rig.devices.calibration import Calibration
from rig.maintenance.valves import measurement as module
from rig.maintenance.valves.bursts import Burst
from rig.maintenance.valves.curve import Curve, reasons_to_refuse
from rig.maintenance.valves.measurement import Measurement
from rig.maintenance.valves.partial_file import PartialFile
from rig.maintenance.valves.target import ValveTarget
from rig.maintenance.valves.weights import ScaleWeigher, StoppedError, TypedWeigher

OPENINGS_MS = {500: 20, 150: 45, 90: 70, 60: 120}
"""The open time of each number of drops: the question names the drops only."""
ORDER = (150, 500, 60, 90, 90, 60, 500, 150)
BURSTS = [Burst(OPENINGS_MS[pulses] * 1000, pulses) for pulses in ORDER]
KNOWN = Calibration("left_2026-11-20", "left", "2026-11-20", ((20_000, 1.0), (120_000, 7.5)))


def true_mg(pulses: int) -> float:
    return round(pulses * 0.065 * (OPENINGS_MS[pulses] - 4), 1)


class Person:
    """A person who does what each prompt says; ``keys`` are typed instead, by the number of the prompt.

    A key W is the true weight. ``asked`` is what was on the screen.
    """

    def __init__(self, keys: dict[int, str | Sequence[str]] | None = None) -> None:
        self._keys = {
            number: [typed] if isinstance(typed, str) else list(typed) for number, typed in (keys or {}).items()
        }
        self._waiting: list[str] = []
        self._number = 0
        self.asked: list[str] = []

    def __call__(self, question: str) -> str:
        self.asked.append(question)
        if not self._waiting:
            self._waiting = self._keys.pop(self._number, [""])
            self._number += 1
        key = self._waiting.pop(0)
        drops = re.search(r"of the (\d+) drops", question)
        if drops is not None:
            self._pulses = int(drops[1])
        return f"{true_mg(self._pulses)} mg" if key == "W" or (key == "" and "Enter" not in question) else key


@pytest.fixture
def given_bursts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The bursts that the board has given."""
    given: list[tuple[str, int]] = []

    def give(bench: Any, valve: ValveTarget, burst: Burst, weigher: Any, seed: int) -> None:
        given.append((valve.device, burst.pulses))

    monkeypatch.setattr(module, "give_burst", give)
    return given


BENCH: Any = SimpleNamespace(
    word="box",
    rig=SimpleNamespace(name="box"),
    print=print,
    tell=lambda *lines: sys.stderr.writelines(f"{line}\n" for line in lines),
)


def valve(name: str, known: Calibration | None = KNOWN) -> ValveTarget:
    return ValveTarget(name, f"{name}.valve", 1_000_000, name, name, known)


def measured(
    folder: Path, ask: Callable[[str], str | None], valves: Sequence[ValveTarget] = (valve("left"),)
) -> Measurement:
    pairs = {}
    for each in valves:
        partial = PartialFile(
            folder / f"{each.device}.partial.jsonl", {"bursts": [[b.open_us, b.pulses] for b in BURSTS]}
        )
        partial.open()
        pairs[each] = (BURSTS, partial)
    return Measurement(BENCH, TypedWeigher(ask), 1.0, pairs, lambda each: 1)


def curve_of(folder: Path, person: Person, known: Calibration | None = KNOWN) -> Curve:
    measurement = measured(folder, person, [valve("left", known)])
    measurement.run(lambda: measurement.left_s)
    (curve,) = measurement.curves.values()
    return curve


# Each dialog: the prompts at which something else is typed than Enter and the true weight, what is shown then, and
# the number of bursts that the board gives. Prompt 2n waits for the vial of burst n, 2n + 1 asks for its weight.
DIALOGS: dict[str, tuple[dict[int, Any], str, int]] = {
    "nothing else": ({}, "1.0", 8),
    "a weight without its unit": ({1: ("251", "W")}, "'251' has no unit", 8),
    "a slip is doubted, and typed again": ({3: ("18 mg", "W")}, "28 times less than last time (1.00 ul)", 8),
    "a weight of the vial too": ({3: ("518 g", "W")}, "cannot be right", 8),
    "undone at the next vial": ({4: ("u", "W", "")}, "weight of the 500 drops", 8),
    "undone at the next weight": ({5: ("u", "W", "W")}, "weight of the 60 drops", 8),
    "undone, and its drops given again": ({4: ("u", "r", "", "W", "")}, "", 9),
    "spilled": ({5: ("r", "", "W")}, "", 9),
    "undone three times": ({6: ("u", "u", "u", "W", "W", "W", "")}, "", 8),
    "the last weight of all": ({16: ("u", "W", "")}, "All weights of box are in", 8),
    "u without a weight": ({0: ("u", "")}, "'u' is not Enter alone", 8),
}


@pytest.mark.parametrize(("keys", "shown", "bursts"), DIALOGS.values(), ids=DIALOGS.keys())
def test_every_dialog_ends_with_the_same_curve(
    tmp_path: Path,
    given_bursts: list[tuple[str, int]],
    capsys: pytest.CaptureFixture[str],
    keys: dict[int, Any],
    shown: str,
    bursts: int,
) -> None:
    person = Person(keys)
    curve = curve_of(tmp_path, person)
    assert list(reasons_to_refuse(curve)) == []
    assert [point.ul for point in curve.points] == pytest.approx(
        [true_mg(pulses) / pulses for pulses in (500, 150, 90, 60)]
    )
    assert shown in "".join(person.asked) + capsys.readouterr().err
    assert len(given_bursts) == bursts


def test_undo_and_the_same_weight_are_no_undo(
    tmp_path_factory: pytest.TempPathFactory, given_bursts: list[tuple[str, int]]
) -> None:
    plain = curve_of(tmp_path_factory.mktemp("plain"), Person())

    @given(st.lists(st.tuples(st.integers(1, 15), st.integers(1, 3)), max_size=4, unique_by=lambda undo: undo[0]))
    @settings(max_examples=20)
    def check(undone: list[tuple[int, int]]) -> None:
        given_bursts.clear()
        keys: dict[int, Any] = {}
        for prompt, times in undone:
            many = min(times, prompt // 2)
            keys[prompt] = (*["u"] * many, *["W"] * many, "" if prompt % 2 == 0 else "W")
        assert curve_of(tmp_path_factory.mktemp("undone"), Person(keys)) == plain
        assert len(given_bursts) == len(BURSTS)

    check()


def test_a_doubtful_weight_that_is_typed_twice_is_taken(tmp_path: Path, given_bursts: list[Any]) -> None:
    person = Person({1: ("18 mg", "18 mg"), 16: "n", 17: "q"})
    with pytest.raises(StoppedError):
        curve_of(tmp_path, person)
    assert '"mg": 18.0' in (tmp_path / "left.partial.jsonl").read_text()


@pytest.mark.parametrize("known", [KNOWN, None], ids=["measured last week", "never measured"])
def test_the_burst_that_is_wrong_is_named_and_repeated_alone(
    tmp_path: Path, given_bursts: list[tuple[str, int]], capsys: pytest.CaptureFixture[str], known: Calibration | None
) -> None:
    person = Person({7: ("450 mg", "450 mg"), 16: ("", "r", "", "W")})
    curve = curve_of(tmp_path, person, known)
    assert list(reasons_to_refuse(curve)) == []
    err = capsys.readouterr().err
    assert "left: burst 4 is wrong: 450 mg for 90 drops of 70 ms are 5.00 ul a drop, 1" in err
    assert " % more than " in err
    assert given_bursts.count(("left", 90)) == 3
    assert len(given_bursts) == 9


def test_both_bursts_of_an_open_time_may_be_wrong(tmp_path: Path, given_bursts: list[Any]) -> None:
    wrong = ("90 mg", "90 mg")
    person = Person({7: wrong, 9: wrong, 16: ("", "W"), 17: ("", "W")})
    assert list(reasons_to_refuse(curve_of(tmp_path, person))) == []
    assert len(given_bursts) == 8


def test_a_valve_that_gives_less_of_everything_has_no_wrong_burst(
    tmp_path: Path, given_bursts: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    known = Calibration("left", "left", "2026-11-20", tuple((us, 1.3 * ul) for us, ul in KNOWN.points))
    curve_of(tmp_path, Person(), known)
    err = capsys.readouterr().err
    assert "% less than last time" in err
    assert "is wrong" not in err


def test_undo_reaches_the_valve_before(
    tmp_path: Path, given_bursts: list[tuple[str, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person({15: ("400 mg",), 16: ("u", "W", "")})
    measurement = measured(tmp_path, person, [valve("left"), valve("right")])
    measurement.run(lambda: measurement.left_s)
    left, right = measurement.curves.values()
    assert left == right
    assert "left: the weight of burst 8 is taken back" in capsys.readouterr().err
    assert len(given_bursts) == 16


def test_undo_reaches_a_weight_of_before_a_restart(tmp_path: Path, given_bursts: list[Any]) -> None:
    with pytest.raises(StoppedError):
        curve_of(tmp_path, Person({3: ("450 mg",), 4: "q"}))
    person = Person({0: ("u", "W", "")})
    assert list(reasons_to_refuse(curve_of(tmp_path, person))) == []
    assert len(given_bursts) == 8


def test_a_valve_that_fails_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def give(bench: Any, valve: ValveTarget, burst: Burst, weigher: Any, seed: int) -> None:
        if valve.device == "left":
            raise LinkLostError("the cable is out")

    monkeypatch.setattr(module, "give_burst", give)
    measurement = measured(tmp_path, Person(), [valve("left"), valve("right")])
    measurement.run(lambda: measurement.left_s)
    assert [each.device for each in measurement.curves] == ["right"]
    assert [each.device for each in measurement.failed] == ["left"]
    assert "left: the cable is out" in capsys.readouterr().err


def test_the_time_that_is_left_shrinks_with_each_burst(tmp_path: Path, given_bursts: list[Any]) -> None:
    left: list[float] = []
    measurement = measured(tmp_path, Person())

    def left_s() -> float:
        left.append(measurement.left_s)
        return left[-1]

    measurement.run(left_s)
    steps: Iterator[float] = (before - after for before, after in pairwise(left))
    assert list(steps) == pytest.approx([burst.lasts_s + 20 for burst in BURSTS[:-1]])
    assert left[-1] == pytest.approx(BURSTS[-1].lasts_s + 20)


def test_with_a_scale_the_drops_of_a_weight_that_was_taken_back_are_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    on_pan = [0.0]

    class Pan:
        def stable_mg(self) -> float:
            return on_pan[0]

    def give(bench: Any, valve: ValveTarget, burst: Burst, weigher: Any, seed: int) -> None:
        given.append(burst.pulses)
        on_pan[0] += true_mg(burst.pulses)

    monkeypatch.setattr(module, "give_burst", give)
    # Three questions for each burst: vial on the scale, under the valve, back on the scale.
    keys = {5: "u", 10: "u"}
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return keys.get(len(asked) - 1, "")

    measurement = measured(tmp_path, answer)
    measurement._weigher = ScaleWeigher(Pan(), answer, in_place=False)
    measurement.run(lambda: measurement.left_s)
    (curve,) = measurement.curves.values()
    assert [point.ul for point in curve.points] == pytest.approx(
        [true_mg(pulses) / pulses for pulses in (500, 150, 90, 60)]
    )
    assert given == [150, 500, 150, 150, *ORDER[1:]]
