"""A parameter that is changed during a session is checked as its file is checked before one."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import field_validator

from protocols.disk_bandit.params import Params as DiskParams
from protocols.two_armed_bandit.params import Params as BanditParams
from rig import HopperSeconds, Live, TaskParams
from rig.core.engine.reward_ledger import RewardLimits
from rig.core.errors import ConfigError
from rig.core.model.live import live_names
from rig.devices.hopper import Hopper, HopperConfig
from rig.session.spec.param_changes import ParamChanges
from tests.session_specs import NOSE_PORTS

DEVICES = NOSE_PORTS.build()


class Grain(TaskParams):
    """A time for which a hopper is up."""

    hopper_s: Annotated[HopperSeconds, Live] = 3.0


class Odd(TaskParams):
    """A parameter whose own check has a mistake."""

    n: Annotated[int, Live] = 1

    @field_validator("n")
    @classmethod
    def _divides(cls, n: int) -> int:
        return 10 // n


def refused(params: TaskParams, text: str, devices: Any = DEVICES, **limits: float) -> str:
    with pytest.raises(ConfigError) as error:
        ParamChanges(devices, RewardLimits(**limits))(params, text)  # type: ignore[arg-type]
    return str(error.value)


def test_only_the_named_parameter_changes() -> None:
    params = BanditParams(p_high=0.7, laser={"p": 0.5})  # type: ignore[arg-type]
    changed = ParamChanges(DEVICES, RewardLimits())(params, " reward_ul = 3.25 ")
    assert changed == params.model_copy(update={"reward_ul": 3.25})


def test_a_volume_beyond_the_calibration_is_refused_with_its_range() -> None:
    said = "reward_ul: valve 'both' (calibration measured of 2026-11-03): 0.6 µl is not in the measured range, 0.8 to"
    assert said in refused(BanditParams(), "reward_ul=0.6")


def test_a_hopper_refuses_a_time_that_it_may_not_be_up() -> None:
    hopper = Hopper("hopper", HopperConfig(kind="hopper", pin=3, max_up_s=10))
    assert refused(Grain(), "hopper_s=12", {"hopper": hopper}).startswith("hopper_s: hopper: up for 12 s: wanted")
    assert "one reward would be 9 s, and this session may give 8 s in all" in refused(
        Grain(), "hopper_s=9", {"hopper": hopper}, max_access_s=8
    )


def test_values_that_must_agree_are_judged_together() -> None:
    laser = {"p": 0.5, "at": "initiation", "delay_ms": 5000}
    params = BanditParams(laser=laser, max_dwell_s=4)  # type: ignore[arg-type]
    assert "a trial is over 4100 ms after that poke" in refused(params, "choice_window_s=0.1")


def test_a_mistake_of_the_protocol_s_own_check_is_a_refusal() -> None:
    said = "the protocol cannot check this value: ZeroDivisionError: "
    assert refused(Odd(), "n=0").startswith(said)


def test_the_shipped_tasks_mark_what_a_technician_may_change() -> None:
    assert live_names(BanditParams) == ["choice_window_s", "iti_min_s", "initiation_timeout_s", "reward_ul"]
    assert live_names(DiskParams) == ["autoshape_iti_s", "autoshape_free_after_s", "not_entered_alert"]
