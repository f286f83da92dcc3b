"""Plug-ins of ``rig analyze`` for the grid bandit and the risky bandit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protocols.searching.tables.grid_long import COLUMNS as LONG
from protocols.searching.tables.grid_wide import COLUMNS as WIDE
from rig.analysis.common.plugin import Analysis, Option, Source, above_zero, count

if TYPE_CHECKING:
    from protocols.searching.analysis.report import GridReport
    from protocols.searching.analysis.rounds import GridVisit
    from protocols.searching.grids.places import Grid
    from protocols.searching.grids.reward_scales import RewardRange
    from rig.records.recorded_session import RecordedSession

COLUMNS = ("round", "trial", "tile", "x", "y", "latent", "drawn", "shown", "kept", "threshold", "horizon", "condition")


def models(word: str) -> tuple[str, ...]:
    """Parse names of models with commas, ``grid``, ``risky`` or ``all``. Raises ``ValueError``."""
    from protocols.searching.analysis.models import GRID_MODELS, MODELS, RISKY_MODELS

    sets = {"grid": GRID_MODELS, "risky": RISKY_MODELS, "all": tuple(MODELS)}
    names = tuple(dict.fromkeys(name for each in word.split(",") for name in sets.get(each, (each,))))
    if not set(names) <= set(MODELS):
        raise ValueError(f"names of models with commas, of {', '.join((*sets, *MODELS))}")
    return names


def reward_range(word: str) -> RewardRange:
    """Parse the range of a table's rewards. Raises ``ValueError``."""
    from protocols.searching.analysis.reward_range import parsed_range

    return parsed_range(word)


def grid_size(word: str) -> Grid:
    """Parse the size of a table's grids. Raises ``ValueError``."""
    from protocols.searching.analysis.table_sizes import parsed_size

    return parsed_size(word)


FIT_OPTIONS = (
    Option("--fit", "fit models by cross-validation: grid, risky, all, or names with commas", "MODELS", models),
    Option("--jobs", "processes for the fits (default: 1; 0: none); results do not depend on it", "N", count, 1),
    Option(
        "--fits",
        "keep each fit in this file, and go on from it: a run that was stopped loses nothing",
        "FILE",
        str,
        writes=True,
    ),
    Option("--seed", "random seed (default: 1)", "SEED", count, 1),
)

ANSWERS = ("selection", "bonus", "groups", "comparisons", "sets", "fits", "fitted_rounds", "recovery", "sessions")


class GridBanditAnalysis(Analysis["GridVisit"]):
    """Rewards by trial, search distances, and models of learning and choice (Wu et al. 2017)."""

    about = "the grid bandit"
    columns = COLUMNS
    file_columns = WIDE
    other_file_columns = (LONG,)
    protocols = ("grid_bandit",)
    separates = ("payoff", "environment", "horizons", "language")
    answers = ANSWERS
    options = (
        *FIT_OPTIONS,
        Option(
            "--range",
            "range of a table's rewards without noise (default: its columns z_low and z_high, else 0,100)",
            "LOW,HIGH",
            reward_range,
        ),
        Option("--grid", "size of a table's grids in tiles (default: by its tiles)", "WIDTH,HEIGHT", grid_size),
        Option("--recovery", "simulate N people with each of five models, and fit all models to them", "N", count, 0),
    )

    def of_session(self, session: RecordedSession) -> tuple[GridVisit, Sequence[str]]:
        """Return the rounds of a session that ``rig`` recorded."""
        from protocols.searching.analysis.recorded import of_session

        return of_session(session), ()

    def of_file(self, path: Path) -> GridVisit:
        """Read the rounds of a public table, wide or long."""
        from protocols.searching.analysis.public import of_file

        return of_file(path, self.given["range"], self.given["grid"])

    def report(self, sources: Sequence[Source[GridVisit]], *, fits: bool) -> GridReport:
        """Return the report of the sessions; ``fits`` adds tests and models."""
        from protocols.searching.analysis.report import GridReport

        return GridReport.of(sources, self.given, fits=fits, risky=False)


class RiskyBanditAnalysis(Analysis["GridVisit"]):
    """Rewards and rounds survived, SafeOpt's sets, and models of learning and choice (Schulz et al. 2018)."""

    about = "the risky bandit"
    columns = COLUMNS
    protocols = ("risky_bandit",)
    separates = ("below", "threshold", "risks", "language")
    answers = ANSWERS
    options = (
        *FIT_OPTIONS,
        Option("--lambda", "lambda of the kernel for SafeOpt's sets (default: that of the session)", "L", above_zero),
    )

    def of_session(self, session: RecordedSession) -> tuple[GridVisit, Sequence[str]]:
        """Return the rounds of a session that ``rig`` recorded."""
        from protocols.searching.analysis.recorded import of_session

        return of_session(session), ()

    def report(self, sources: Sequence[Source[GridVisit]], *, fits: bool) -> GridReport:
        """Return the report of the sessions; ``fits`` adds tests and models."""
        from protocols.searching.analysis.report import GridReport

        return GridReport.of(sources, self.given, fits=fits, risky=True)
