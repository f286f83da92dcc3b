"""A protocol that uses its subject is rehearsed with one of whom nothing is known."""

from pathlib import Path

import pytest

from rig.session.check.check import check
from rig.session.spec.request import SessionRequest
from tests.session.check.test_dry_run import LAB_PROTOCOL, YAML
from tests.tables import rows


def mistakes(folder: Path, body: str) -> tuple[str, ...]:
    (folder / "lab.py").write_text(LAB_PROTOCOL.format(body=body))
    (folder / "lab.yaml").write_text(f"species: mouse\n{YAML.lstrip()}")
    return check(folder / "lab.yaml", SessionRequest()).mistakes


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("self.subject.number % 2", "with a subject without a number in its name: lab.py:21: TypeError"),
        ("self.subject.weight_g * 2", "with a subject without a weight: lab.py:21: TypeError"),
        ("1 / self.subject.weight_pct", "with a subject without a weight: lab.py:21: TypeError"),
    ],
)
def test_a_fact_that_may_be_missing_is_told(tmp_path: Path, body: str, text: str) -> None:
    assert text in "\n".join(mistakes(tmp_path, body))


@rows("body")
def test_a_protocol_that_tests_for_it_or_refuses_the_session_is_right(tmp_path: Path, body: str) -> None:
    assert mistakes(tmp_path, body) == ()
