"""The types of arrays in an alignment."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Levels: TypeAlias = NDArray[np.int8]
"""0 and 1."""
Places: TypeAlias = NDArray[np.intp]
"""Places of edges in other arrays, from 0."""
Flags: TypeAlias = NDArray[np.bool_]
