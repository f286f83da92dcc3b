"""Two tables of each subject, as CSV: what it did, and the regression that fits it (Beron et al. 2022, S1 and S2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from protocols.two_armed_bandit.analysis.rates import RATES
from protocols.two_armed_bandit.analysis.results import BanditGroup
from rig.analysis.common.subjects import POOLED
from rig.analysis.common.tables import write_file
from rig.core.errors import ConfigError
from rig.core.journal.cells import csv_text

BEHAVIOR = ("subject", "condition", "sessions", "trials", "rewards", *RATES, "flips", "tau")
WEIGHTS = (
    *("subject", "condition", "alpha", "alpha_se", "beta", "beta_se", "tau", "tau_se"),
    *("ll", "n", "at_bound"),
)


def write_subjects(folder: Path, groups: Iterable[BanditGroup]) -> Iterator[str]:
    """Write ``subjects.csv`` and ``weights.csv``, a row per subject and condition; yield their paths.

    An unknown number is an empty cell. Raises ``ConfigError``.
    """
    conditions = [group for group in groups if group.name != POOLED]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--subject-tables {folder}: cannot be created: {error.strerror}: wanted a folder") from None
    for name, header, rows in (("subjects", BEHAVIOR, _behavior), ("weights", WEIGHTS, _weights)):
        text = csv_text([header, *(row for group in conditions for row in rows(group))])
        yield write_file("--subject-tables", str(folder / f"{name}.csv"), text)


def _behavior(group: BanditGroup) -> Iterator[list[str]]:
    for own in group.by_subject:
        rates = (_cell(own.rates[name]) for name in RATES)
        counts = (str(own.counts[name]) for name in ("trials", "rewards"))
        yield [own.subject, group.name, str(own.sessions), *counts, *rates, str(own.tau.flips), _cell(own.tau.overall)]


def _weights(group: BanditGroup) -> Iterator[list[str]]:
    for subject, fit in group.fits.rflr_of_subject.items() if group.fits else ():
        if fit is None:
            yield [subject, group.name, *[""] * (len(WEIGHTS) - 2)]
        else:
            numbers = (fit.alpha, fit.alpha_se, fit.beta, fit.beta_se, fit.tau, fit.tau_se, fit.ll)
            yield [subject, group.name, *map(_cell, numbers), str(fit.n), str(int(fit.at_bound))]


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"
