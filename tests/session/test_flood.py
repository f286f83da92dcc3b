"""A beam that floods during a session: it is muted and named, and the session goes on."""

from __future__ import annotations

from rig.core.journal.kinds import FAULTS
from rig.core.model.events import Flood
from tests.expectations.rig_faults import floods
from tests.harness import FaultHarness, nose_pokes, run_harness
from tests.session_specs import protocol_spec

FLOOD_S, FLOOD_FOR_S = 22.5, 1.0


def flooded_bandit() -> FaultHarness:
    """Run a bandit whose left beam floods while its mouse works at the other ports."""
    pokes = nose_pokes(
        *((t_s * 1_000_000, "center", 200_000) for t_s in range(2, 40, 4)),
        *((t_s * 1_000_000, "right", 400_000) for t_s in range(3, 40, 4)),
    )
    spec = protocol_spec(p_high=1.0, p_low=1.0, allow_asymmetric="true", iti_min_s=1, stop_session_s=45)
    return run_harness(spec, pokes, arrange=floods("left", FLOOD_S, FLOOD_FOR_S))


def test_a_session_goes_on_while_a_beam_floods_and_the_other_ports_pay() -> None:
    harness = flooded_bandit()
    muted, quiet = harness.of_kind(Flood)
    assert len(harness.of_kind(*FAULTS)) == 2
    assert (muted.channel, quiet.channel) == ("left.beam", "left.beam")
    assert 35_000 <= muted.edges_per_s <= 40_000
    assert quiet.edges_per_s == 0
    paid = [line.t_us for line in harness.rewards if line.source == "right"]
    assert [t_us for t_us in paid if FLOOD_S * 1e6 < t_us < (FLOOD_S + FLOOD_FOR_S) * 1e6]
    assert [t_us for t_us in paid if t_us > (FLOOD_S + FLOOD_FOR_S) * 1e6]
    assert harness.opened("left") == []
    assert harness.footer.reason == "time_limit"
    harness.assert_replay_agrees()
