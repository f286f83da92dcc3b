"""Rules as scripts: of time and order in ``plots.yaml``; of rewards and of the end in ``sessions.yaml``.

The oracle of pin traces judges each of these sessions too.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.rules.pin_trace_oracle import check_session
from tests.rules.plots import judge_plot, read_plots
from tests.session_scripts import Named, judge, read_cases

HERE = Path(__file__).parent


@pytest.mark.parametrize(("case", "link"), list(read_plots(HERE / "plots.yaml")))
def test_each_wait_gets_what_the_rules_say(case: Mapping[str, Any], link: Mapping[str, Any]) -> None:
    judge_plot(case, link)


@pytest.mark.parametrize("named", list(read_cases(HERE / "sessions.yaml")))
def test_a_session_keeps_the_rules(named: Named) -> None:
    harness = judge(named)
    assert harness is not None
    check_session(harness)
    if harness.footer.complete:
        delivered = [line.amount for line in harness.rewards if line.status == "delivered"]
        assert sum(delivered) == 2.5 * len(harness.valve_openings)
