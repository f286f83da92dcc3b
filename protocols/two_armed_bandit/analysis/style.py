"""Style of the figures of two-armed bandits: color and name of each model, and the caption with the sample."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis.results import BanditGroup
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from rig.analysis.common.style import BLUE, GREEN, ORANGE, PINK, RED, row_of_panels
from rig.terminal.format import pluralize

BAND = 1.96
"""Half width of an error bar or of a band in standard errors: 95 %."""

MODEL_COLORS = {"rflr": BLUE, "logistic_regression": ORANGE, "sticky_hmm": GREEN, "hmm_thompson": RED, "ngram": PINK}
MODEL_NAMES = {
    "rflr": "RFLR",
    "fq": "F-Q",
    "logistic_regression": "logistic regression",
    "full_q": "full Q",
    "sticky_hmm": "sticky HMM",
    "hmm_thompson": "HMM, Thompson",
    "hmm_greedy": "HMM, greedy",
    "hmm_softmax": "HMM, softmax",
    "ngram": "n-gram (history 3)",
    "wsls": "win-stay, lose-switch",
    "random": "random",
}


def panels(
    group: BanditGroup, settings: BanditSettings, title: str, count: int, note: str, width: float
) -> tuple[Figure, list[Axes]]:
    """Build a row of panels with a title above, and a caption below: sample sizes, selection, and ``note``."""
    sessions, subjects = pluralize(group.sessions, "session"), pluralize(group.subjects, "subject")
    who = f"{sessions} of {subjects}, {pluralize(group.counts['trials'], 'trial')}"
    below = f"n = {who}; selection {settings.selection}\n{note}"
    return row_of_panels(f"{group.name}: {title}", below, count, width)
