"""What is normal: read from the rig's and the protocol's file, checked, and written into the header by channel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.core.journal.codec import decode, encode
from rig.core.journal.header import RecordedExpectations
from rig.session.spec.build import build_spec, load_rig_spec
from rig.session.spec.request import SessionRequest

RIG = """boards: {sim: {driver: sim}}
devices:
  left: {kind: port, beam: 6, light: 10, valve: 3, calibration: sim_left}
  right: {kind: port, beam: 7, light: 9, valve: 4, calibration: sim_right}
  food: {kind: feeder, pin: 11, measured: {date: 2026-11-03, pulses: 100, pellets: 100}}
  zone: {kind: zone, x_cm: 0, y_cm: 0, radius_cm: 20}
  tracker: {kind: tracker, camera: 0, px_per_cm: 2, x_px: 320, y_px: 400}
screen: {px_per_cm: 26.2}
"""
PROTOCOL = """protocol: free_water
simulation: {rig: mine}
params: {reward_ul: 2.5}
stop: {session_s: 60, max_ul: 100}
"""
Lab = Callable[[str, str], SessionRequest]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Write a rig and a protocol, each with a section ``expect``; return the request for a session."""
    monkeypatch.chdir(tmp_path)
    for folder in ("rigs", "protocols"):
        (tmp_path / "configs" / folder).mkdir(parents=True)

    def write(rig: str, protocol: str) -> SessionRequest:
        (tmp_path / "configs/rigs/mine.yaml").write_text(RIG + rig)
        (tmp_path / "configs/protocols/mine.yaml").write_text(PROTOCOL + protocol)
        return SessionRequest("mine")

    return write


def expected(request: SessionRequest) -> RecordedExpectations:
    header = build_spec(request).header
    assert decode(encode(header)) == header
    return header.expect


def mistakes(request: SessionRequest) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        build_spec(request)
    return list(caught.value.mistakes)


def test_without_a_section_nothing_is_expected(lab: Lab) -> None:
    assert expected(lab("", "")) == RecordedExpectations()


def test_names_of_devices_become_channels(lab: Lab) -> None:
    rates = "left: {max_entries_per_min: 9}, zone: {hz: 1}, tracker: {hz: 60}, screen: {hz: 2}"
    found = expected(lab(f"expect: {{inputs: {{{rates}}}}}\n", ""))
    assert list(found.inputs) == ["left.beam", "zone.zone", "tracker", "screen"]
    assert found.inputs["left.beam"]["max_entries_per_min"] == 9
    assert (found.rewards, found.limits) == ({}, {})


def test_the_protocol_overrides_the_rig_key_by_key(lab: Lab) -> None:
    rig = "expect: {inputs: {left: {max_entries_per_min: 9, short_ms: 5}}, max_drift_ppm: 100, max_decision_ms: 50}\n"
    protocol = "expect: {inputs: {left: {max_entries_per_min: 7}}, max_decision_ms: null}\n"
    found = expected(lab(rig, protocol))
    assert found.inputs["left.beam"] == {
        "max_entries_per_min": 7,
        "short_ms": 5,
        "tolerance_hz": 1,
        "active_within_min": 5,
    }
    assert found.limits == {"max_drift_ppm": 100}


def test_null_lets_an_input_rest_for_the_whole_session(lab: Lab) -> None:
    found = expected(lab("", "expect: {inputs: {left: {active_within_min: null}}}\n"))
    assert found.inputs["left.beam"]["active_within_min"] is None


def test_a_reward_is_collected_at_the_device_itself_or_at_another(lab: Lab) -> None:
    found = expected(lab("expect: {rewards: {left: {min_stay_s: 1}, food: {at: zone, visit_within_s: 9}}}\n", ""))
    assert {name: said["channel"] for name, said in found.rewards.items()} == {
        "left": "left.beam",
        "food": "zone.zone",
    }


def test_every_wrong_name_is_told_at_its_line_with_the_names_that_are_right(lab: Lab) -> None:
    rig = "expect:\n  inputs:\n    letf: {max_entries_per_min: 9}\n  rewards:\n    zone: {min_stay_s: 1}\n"
    protocol = "expect:\n  rewards:\n    food: {min_stay_s: 1}\n    left: {at: middle}\n"
    text = "\n".join(mistakes(lab(rig, protocol)))
    for part in (
        "rigs/mine.yaml:11: expect.inputs.letf: no such input on this rig; did you mean 'left'? accepted: left, right",
        "rigs/mine.yaml:13: expect.rewards.zone: no such source of rewards on this rig; accepted: left, right, food",
        "protocols/mine.yaml:7: expect.rewards.food: 'food' has no input that sees the subject",
        "protocols/mine.yaml:8: expect.rewards.left.at: 'middle' has no input that sees the subject",
    ):
        assert part in text


def test_bounds_that_contradict_each_other_are_told_in_one_file_and_across_both(lab: Lab) -> None:
    both = "expect: {inputs: {left: {min_entries_per_min: 9, max_entries_per_min: 5}}}\n"
    (mistake,) = mistakes(lab(both, ""))
    assert "min_entries_per_min is 9, more than max_entries_per_min (5)" in mistake
    least, most = (
        f"expect: {{inputs: {{left: {{{said}}}}}}}\n" for said in ("min_entries_per_min: 9", "max_entries_per_min: 5")
    )
    (mistake,) = mistakes(lab(least, most))
    assert mistake.startswith("configs/protocols/mine.yaml:5: expect.inputs.left: together with the rig's: ")


def test_an_unknown_key_is_a_mistake(lab: Lab) -> None:
    (mistake,) = mistakes(lab("expect: {max_drift_pmm: 100}\n", ""))
    assert "expect.max_drift_pmm" in mistake
    assert "max_drift_ppm" in mistake


def test_a_rig_is_checked_without_a_protocol_too(lab: Lab) -> None:
    lab("expect: {inputs: {letf: {hz: 9}}}\n", "")
    with pytest.raises(ConfigError, match="no such input on this rig"):
        load_rig_spec("mine")


def test_the_header_names_the_devices_that_the_protocol_uses(lab: Lab) -> None:
    assert build_spec(lab("", "")).header.box == ["left", "right"]
