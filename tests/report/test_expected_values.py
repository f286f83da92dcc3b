"""What is normal stands in a report by the keys of its files, each with its meaning and where it came from."""

from __future__ import annotations

from rig.core.journal.header import RecordedExpectations
from rig.records.recorded_session import read_session
from rig.report.expected_values import expected_values
from rig.report.parameters import ValueSources
from rig.report.value_origins import DEFAULT, UNKNOWN
from tests.report.conftest import Recorded


def test_channels_become_devices_and_limits_lose_their_section() -> None:
    values, docs = expected_values(
        RecordedExpectations(
            inputs={"left.beam": {"max_entries_per_min": 120, "made_up": 1}, "screen": {"short_ms": 20}},
            rewards={"feeder": {"channel": "site.beam", "max_missed": 3}},
            limits={"max_drift_ppm": 100},
        )
    )
    assert values == {
        ("expect", "inputs", "left", "max_entries_per_min"): 120,
        ("expect", "inputs", "left", "made_up"): 1,
        ("expect", "inputs", "screen", "short_ms"): 20,
        ("expect", "rewards", "feeder", "at"): "site",
        ("expect", "rewards", "feeder", "max_missed"): 3,
        ("expect", "max_drift_ppm"): 100,
    }
    assert values.keys() - docs.keys() == {("expect", "inputs", "left", "made_up")}


def test_each_value_names_the_file_that_says_it_or_is_a_default(recorded: Recorded) -> None:
    rows = {row.key: row for row in ValueSources(read_session(recorded("free_water"))).expectations()}
    assert all(row.description and row.source != UNKNOWN for row in rows.values())
    assert rows["inputs.left.max_entries_per_min"].source == "rigs/sim_nose_ports.yaml:7"
    assert rows["inputs.left.active_within_min"].source == "protocols/free_water.yaml:17"
    assert rows["max_rewards_per_trial"].source == "protocols/free_water.yaml:19"
    assert rows["rewards.left.at"].source == rows["inputs.left.short_ms"].source == DEFAULT


def test_a_key_of_a_mapping_has_the_default_of_the_mapping(recorded: Recorded) -> None:
    rows = {row.key: row for row in ValueSources(read_session(recorded("disk_bandit"))).params([])}
    assert {row.source for key, row in rows.items() if key.startswith("colors.")} == {DEFAULT}
