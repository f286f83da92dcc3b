"""Choices around swaps of the ports, as curves with bands: of subjects, of models, of agents. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.two_armed_bandit.analysis.blocks import BlockCurve
from protocols.two_armed_bandit.analysis.generative import SUBJECTS
from protocols.two_armed_bandit.analysis.results import BanditGroup
from protocols.two_armed_bandit.analysis.settings import BanditSettings
from protocols.two_armed_bandit.analysis.study import Study
from protocols.two_armed_bandit.analysis.style import BAND, MODEL_COLORS, MODEL_NAMES, panels
from rig.analysis.common.arrays import Floats
from rig.analysis.common.style import OBSERVED, SKY, from_zero, legend_above, whole_ticks

AGENT_COLORS = {**MODEL_COLORS, "hmm_greedy": SKY}


def draw_swaps(high: Axes, switch: Axes, observed: BlockCurve, models: Iterable[tuple[str, str, BlockCurve]]) -> None:
    """Draw P(high port) and P(switch) around swaps: dots are observed; models have a name, a color and a curve."""
    high.plot(observed.position, observed.p_high, "o", ms=4, color=OBSERVED, label="observed")
    switch.plot(observed.position, observed.p_switch, "o", ms=4, color=OBSERVED)
    for name, color, curve in models:
        _trace(high, curve, curve.p_high, curve.p_high_se, color, name)
        _trace(switch, curve, curve.p_switch, curve.p_switch_se, color, name)
    for axes, label in ((high, "P(high port)"), (switch, "P(switch)")):
        axes.axvline(-0.5, color="gray", lw=0.8, ls="--")
        axes.set(xlabel="position (trials; 0 is the first after the swap)", ylabel=label)
        from_zero(axes)
        whole_ticks(axes.xaxis)
    legend_above(high, 3)


def _trace(axes: Axes, curve: BlockCurve, mean: Floats, se: Floats, color: str, name: str) -> None:
    axes.plot(curve.position, mean, color=color, label=name)
    axes.fill_between(curve.position, mean - BAND * se, mean + BAND * se, color=color, alpha=0.2, lw=0)


def swaps_of_agents(group: BanditGroup, settings: BanditSettings, found: Study) -> Figure:
    """Draw the subjects and simulated agents around swaps (after figure 6B)."""
    note = f"simulated sessions of fitted policies; bands: 95 % of {settings.resamples} resamples of these"
    figure, (high, switch) = panels(group, settings, "subjects and agents around a swap of the ports", 2, note, 12)
    curves = {agent.name: agent.around_flip for agent in found.played}
    shown = [(MODEL_NAMES[name], color, curves[name]) for name, color in AGENT_COLORS.items() if name in curves]
    draw_swaps(high, switch, curves[SUBJECTS], shown)
    return figure
