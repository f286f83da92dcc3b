"""What runs without an error and is hardly meant so is a warning of the rehearsal, with its line and the remedy."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.model.shares import Share
from rig.core.task.trial_row import TrialRow
from rig.session.check.check import FileReport, check
from rig.session.spec.request import SessionRequest
from tests.tables import rows

PROTOCOL = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
LINE = next(number for number, line in enumerate(PROTOCOL.splitlines(), 1) if "{body}" in line)
Lab = Callable[[str], FileReport]

MISTAKES = {
    "with port.light:\n            with port.light: await self.sleep(1)\n        self.end_trial()": (
        f"the light of left is on already, since lab.py:{LINE}, and the end of this `with` switches it off", 1
    ),
    "if poke: port.light.on()\n        else: port.light.off()\n        self.end_trial()": (
        "the light of left is sometimes still on when state 'ready' begins", 0
    ),
    "self.end_trial(); self.do(port.drop(2.5))": ("the reward is given in no trial, so no row counts it", 0),
    "await self.until(port.free); await self.first(port.freed); self.end_trial()": (
        "left is free already, so the wait lasts until the next exit: self.until(left.free) ends at once", 0
    ),
    "await self.first(port.freed, until_s=10); self.end_trial()": ("until_s is over already, by more than a second", 0),
    "open('/dev/null').close(); self.end_trial()": ("opens the file '/dev/null', which the journal does not have", 0),
}  # fmt: skip
OUT_OF_ORDER = {
    "self.end_trial(); self.end_trial()": "self.end_trial() while no trial is open",
    "self.end_trial(); row.outcome = 'late'": "the row gets outcome after self.end_trial()",
    "self.end_trial(); visit = Visit(); self.record(visit); visit.t = 5.0": "the row gets t after self.record(row)",
    "if poke: self.end_trial()": f"self.begin_trial while the trial of lab.py:{LINE - 2} is open: end that one first",
}


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Return a function that checks a protocol with this body in its second state."""

    def report(body: str) -> FileReport:
        (tmp_path / "lab.py").write_text(PROTOCOL.format(body=body))
        path = tmp_path / "lab.yaml"
        path.write_text(
            "protocol: ./lab.py\nsimulation: {rig: sim_nose_ports}\nstop: {session_s: 300, max_rewards: 500}\n"
        )
        return check(path, SessionRequest())

    return report


@pytest.mark.parametrize("body", MISTAKES)
def test_what_is_hardly_meant_so_is_a_warning_with_its_line(lab: Lab, body: str) -> None:
    text, below = MISTAKES[body]
    report = lab(body)
    assert report.mistakes == ()
    assert [f"lab.py:{LINE + below}: {text}" in warning for warning in report.warnings] == [True]


@rows("body")
def test_what_is_right_is_no_warning(lab: Lab, body: str) -> None:
    report = lab(body)
    assert (report.mistakes, report.warnings) == ((), ())


@pytest.mark.parametrize("body", OUT_OF_ORDER)
def test_trials_out_of_order_are_mistakes(lab: Lab, body: str) -> None:
    assert any(OUT_OF_ORDER[body] in mistake for mistake in lab(body).mistakes)


OWN_OUTCOMES = "row.outcome = 'late' if poke is None else 'early'; self.end_trial()"
_STAY_EMPTY = "TrialRow.shares stay empty: shares are of trials with the outcome 'rewarded' or 'unrewarded'"


@pytest.mark.parametrize(("body", "texts"), [("self.end_trial()", []), (OWN_OUTCOMES, [_STAY_EMPTY])])
def test_shares_of_which_no_trial_is_counted_are_a_warning(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, body: str, texts: list[str]
) -> None:
    monkeypatch.setattr(TrialRow, "shares", {"p": Share("outcome", "changes")})
    warnings = lab(body).warnings
    assert [text in warning for text, warning in zip(texts, warnings, strict=True)] == [True] * len(texts)
