"""The values of one source as they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from rig.records.sampled.history import ValueHistory
from rig.records.tables.sampled import scaled
from rig.views.sampled_values import ValueRow


@pytest.mark.parametrize("scale", [0.1, 0.0008, 3.14159265358979, 0.000123456789012])
def test_a_curve_has_the_values_of_the_table(scale: float) -> None:
    values = np.array([3, -1116, 2**31 - 1, -(2**31), 123_456_789], dtype=np.int32)
    history = ValueHistory(1_000)
    history.add(1_000_000 * np.arange(len(values), dtype=np.int64), values.astype(np.int64))
    row = ValueRow("wheel", history.lengths, scale)
    low, high = row.extremes(1e6 * np.arange(-1, 2 * len(values)) / 2)
    assert low[1::2].tolist()[: len(values)] == high[1::2].tolist()[: len(values)] == scaled(values, scale).tolist()
    assert np.isnan(low[2::2]).all()
