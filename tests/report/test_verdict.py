"""A verdict is that of the most serious reason, and names all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.expectations.finding import Finding, Severity, verdict_of
from rig.report.verdict import Reason, judged, whole
from rig.report.verdict_part import MOST_ALIKE, verdict_part
from tests.report.found_markup import FoundMarkup

findings = st.lists(
    st.builds(
        Finding,
        st.integers(0, 10**9),
        st.sampled_from(["flicker", "link"]),
        st.text(max_size=5),
        st.sampled_from(Severity),
    )
)


@given(findings)
def test_the_verdict_of_findings_is_that_of_the_expectations(found: list[Finding]) -> None:
    verdict = judged(map(Reason.of, found))
    assert verdict.verdict == verdict_of(each.severity for each in found)
    assert len(verdict.reasons) == len(found)
    assert len(verdict.serious) == sum(each.severity is not Severity.NOTE for each in found)


def test_the_most_serious_reasons_come_first() -> None:
    verdict = judged([whole("a", "third", "note"), whole("b", "second"), whole("c", "first", "bad")])
    assert [reason.text for reason in verdict.reasons] == ["first", "second", "third"]


@pytest.mark.parametrize(("reasons", "word"), [([], "good"), (["note"], "good"), (["note", "bad"], "bad")])
def test_a_note_leaves_a_session_good(reasons: list[str], word: str) -> None:
    assert judged(Reason(t_us=1, rule="r", text="t", severity=each) for each in reasons).verdict == word  # type: ignore[arg-type]


def test_reasons_of_one_rule_that_repeat_are_counted() -> None:
    many = [Reason(t_us=place, rule="collection", text=f"<b>{place}</b>", severity="suspicious") for place in range(10)]
    found = FoundMarkup(verdict_part(judged(many)))
    assert found.names.count("li") == MOST_ALIKE + 1
    assert f"collection: {10 - MOST_ALIKE} more" in found.text
    assert "at 0:00: <b>0</b>" in found.text
