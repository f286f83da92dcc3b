"""Edges of a signal with faults: found at the two levels between which it changes, whatever the blocks are."""

import numpy as np
import pytest

from rig.align.readers.analog import SignalEdges, signal_edges
from tests.align.recordings import codes

RATE_HZ = 1000
SECONDS = 300
SENT = codes(hours=SECONDS / 3600)
PLACES = np.ceil(SENT.t_us * 1e-6 * RATE_HZ).astype(int)
RANDOM = np.random.default_rng(1)


def volts() -> np.ndarray:
    at = np.searchsorted(PLACES, np.arange(SECONDS * RATE_HZ), side="right") - 1
    return np.where(at >= 0, SENT.levels[at.clip(0)], 0) * 3.3


def edges(data: np.ndarray, size: int = 50_000) -> SignalEdges:
    found = signal_edges(lambda: [data[at : at + size] for at in range(0, len(data), size)], len(data))
    assert found is not None
    return found


def hum() -> np.ndarray:
    return 0.4 * np.sin(2 * np.pi * 50 * np.arange(SECONDS * RATE_HZ) / RATE_HZ)


def artifacts(height: float) -> np.ndarray:
    data = np.zeros(SECONDS * RATE_HZ)
    data[RANDOM.integers(0, len(data), 100)] = height
    return data


@pytest.mark.parametrize(
    "fault",
    [
        np.zeros(1),
        RANDOM.normal(0, 0.3, SECONDS * RATE_HZ),
        hum(),
        hum() + RANDOM.normal(0, 0.1, SECONDS * RATE_HZ),
        np.linspace(-0.8, 0.8, SECONDS * RATE_HZ),
    ],
    ids=["none", "noise", "hum", "hum and noise", "drift"],
)
def test_noise_hum_and_drift_move_no_edge(fault: np.ndarray) -> None:
    found = edges(volts() + fault)
    inside = PLACES < SECONDS * RATE_HZ
    assert found.places.tolist() == PLACES[inside].tolist()
    assert found.levels.tolist() == SENT.levels[inside].tolist()


@pytest.mark.parametrize("height", [10.0, 100.0, -1e6])
def test_artifacts_move_no_threshold_and_are_told(height: float) -> None:
    found = edges(volts() + artifacts(height))
    assert set(found.places.tolist()) <= set(PLACES.tolist())
    assert len(found.places) > 0.95 * (PLACES < SECONDS * RATE_HZ).sum()
    assert "far from both levels" in found.notes[0]


@pytest.mark.parametrize("size", [97, 999, 4096, 10**9])
def test_the_edges_do_not_depend_on_the_blocks(size: int) -> None:
    data = (volts() + RANDOM.normal(0, 0.2, SECONDS * RATE_HZ))[:20_000]
    data[5000:5010] = np.nan
    whole, parts = edges(data), edges(data, size)
    assert parts.places.tolist() == whole.places.tolist()
    assert parts.levels.tolist() == whole.levels.tolist()


def test_slow_edges_count_at_their_middle_and_are_told() -> None:
    width = 12
    found = edges(np.convolve(volts(), np.full(width, 1 / width))[: SECONDS * RATE_HZ])
    apart = np.abs(found.places[:, None] - PLACES[None, :]).min(axis=1)
    assert apart.max() <= width // 2 + 1
    assert "its edges are slow" in found.notes[0]
