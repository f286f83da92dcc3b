"""Recorded sessions of virtual subjects, made once for all tests of reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rig.cli.main import main

START = ("--start", "2026-11-20T09:00", "--seed", "1")
SESSIONS = {
    "two_armed_bandit": ("--model", "rflr", "--set", "stop.session_s=180"),
    "delay_discounting": ("--model", "rat", "--set", "stop.session_s=600"),
    "disk_bandit": ("--model", "pigeon", "--set", "stop.session_s=300"),
    "disk_bandit_human": ("--model", "human", "--set", "stop.session_s=120"),
    "grid_bandit": ("--model", "gp_ucb", "--set", "stop.session_s=200"),
    "risky_bandit": ("--model", "gp_pos", "--set", "stop.session_s=200"),
    "free_water": ("--model", "random", "--set", "stop.session_s=60"),
}
"""A short session of each protocol: its virtual subject, and its length."""

Recorded = Callable[[str], Path]


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Return the folder of a recorded session of a protocol; tests do not change it."""
    data = tmp_path_factory.mktemp("recorded")

    @cache
    def of(protocol: str) -> Path:
        assert main(["sim", protocol, *SESSIONS[protocol], *START, "--subject", protocol, "--data", str(data)]) == 0
        return data / "sim" / protocol / "2026-11-20" / "001"

    return of
