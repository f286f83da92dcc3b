"""Rules of rewards and of the end as scripts, in ``sessions.yaml``; the oracle of pin traces judges each one too."""

from pathlib import Path

import pytest

from tests.rules.pin_trace_oracle import check_session
from tests.session_scripts import Named, judge, read_cases


@pytest.mark.parametrize("named", read_cases(Path(__file__).parent / "sessions.yaml"))
def test_a_session_keeps_the_rules(named: Named) -> None:
    harness = judge(named)
    assert harness is not None
    check_session(harness)
    if harness.footer["complete"]:
        delivered = [line["amount"] for line in harness.rewards if line["status"] == "delivered"]
        assert sum(delivered) == 2.5 * len(harness.valve_openings)
