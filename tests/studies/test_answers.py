"""What an analysis says of its answer is what the answer has: a study's places are checked before it runs."""

from pathlib import Path

import pytest

from rig.analysis.common.plugin import Source
from rig.analysis.common.select_analysis import find_analysis
from rig.campaigns.session_job import run_job
from rig.campaigns.session_tables import sessions_of
from tests.campaigns.test_session_job import order

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("analysis", "protocol", "model"),
    [
        ("two_armed_bandit", "two_armed_bandit", "rflr"),
        ("sessions", "two_armed_bandit", "rflr"),
        ("delay_discounting", "delay_discounting", "rat"),
        ("disk_bandit", "disk_bandit", "pigeon"),
        ("grid_bandit", "grid_bandit", "grid_random"),
        ("risky_bandit", "risky_bandit", "grid_random"),
    ],
)
def test_an_answer_has_the_keys_that_its_analysis_names(analysis: str, protocol: str, model: str) -> None:
    of = order(protocol, model, "stop.session_s=600")
    product = run_job(of)
    assert product.tables is not None
    [recorded] = sessions_of(product.tables, of.condition.header, Path("base-001"))
    kind = find_analysis(analysis).kind
    made = kind({option.name: option.value(None) for option in kind.options})
    session, _ = made.of_session(recorded)
    report = made.report([Source(Path("base-001"), session, (), simulated=True)], fits=False)
    assert tuple(report.document()) == kind.answers
