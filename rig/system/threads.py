"""The number of threads of numerical libraries."""

from __future__ import annotations

import os

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Variables from which numerical libraries take their number of threads, when they are loaded."""


def use_one_thread() -> None:
    """Set numerical libraries that are loaded later, and those of new processes, to one thread.

    Threads that share out matrices of 40 x 40 wait for each other: such a fit took 7 times the processor time. And the
    last bits of a result depend on the number of threads. The environment may set another one.
    """
    for name in THREADS:
        os.environ.setdefault(name, "1")
