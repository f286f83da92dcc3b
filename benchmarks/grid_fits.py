"""Processor time of the cross-validated fits of one model of search to 80 people with 240 clicks each.

``--rounds N`` fits N people, by default 8, and multiplies: the time of a person hardly differs from another's.
"""

from __future__ import annotations

import os
import time

import numpy as np

from benchmarks.measure import Measure, Options
from protocols.searching.analysis.cross_validation import cross_validate
from protocols.searching.analysis.fit_problems import problems
from protocols.searching.analysis.recovery import simulated_person

PEOPLE = 80
"""Those of Wu et al. 2017."""
FITTED = 8
MOST_MIN = 15
MODEL = "gp_ucb"
SIMULATED = ("gp_ucb", "local_gp_ucb", "local_search", "random")


def measure(options: Options) -> list[Measure]:
    """Return the minutes of one core; needs one thread for each process, as the workers of ``rig analyze`` have."""
    seed = options.seeds[0] if options.seeds else 1
    count = options.rounds or FITTED
    minutes = tuple(_seconds(number, seed) * PEOPLE / 60 for number in range(count))
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "all")
    note = f"{count} people were fitted, and their time multiplied; OPENBLAS_NUM_THREADS: {threads}"
    return [Measure(f"fits of {MODEL} to {PEOPLE} people", minutes, at_most=MOST_MIN, unit=" min", note=note)]


def _seconds(number: int, seed: int) -> float:
    person = simulated_person(
        SIMULATED[number % len(SIMULATED)], number, "smooth", np.random.default_rng([seed, number])
    )
    begin = time.process_time()
    for problem in problems(person, [MODEL], risky=False):
        cross_validate(problem)
    return time.process_time() - begin
