"""The colors of the window, light and dark, and how large its words are."""

from __future__ import annotations

from dataclasses import dataclass

from rig.window.lamp import Level
from rig.window.session_lanes import Group

HUGE_PX, LARGE_PX, NORMAL_PX, SMALL_PX, LEGEND_PX, TINY_PX = 44, 26, 19, 15, 14, 12
"""Heights of letters. On a usual screen of 96 pixels per inch the numbers of ``HUGE_PX`` are 8 mm high: 14 minutes of
arc at 2 m, nearly three times what a normal eye resolves (5 minutes, ISO 8596)."""

LIGHT_SHADES = ("#0072b2", "#c46a00", "#009e73", "#d55e00", "#2a91cf", "#b94a90", "#8a7d00", "#000000")
DARK_SHADES = ("#3a9bdc", "#e69f00", "#1dbf90", "#f27a32", "#7cc8f2", "#e08cbb", "#f0e442", "#ffffff")
"""Blue, orange, green, vermillion, sky blue, reddish purple, yellow, and black or white: the palette of Okabe and Ito
(2008), in the order of charts. Darker on white and lighter on black than theirs, where a color lacked contrast."""


@dataclass(frozen=True)
class Theme:
    """Colors as ``#rrggbb``; ``palette`` are those of the marks of a chart."""

    name: str
    background: str
    surface: str
    text: str
    faint: str
    line: str
    palette: tuple[str, ...]
    levels: dict[Level, str]

    def color(self, place: int) -> str:
        """Return the color of a chart's mark."""
        return self.palette[place % len(self.palette)]

    def lane_color(self, group: Group) -> str:
        """Return the color of a group of lanes."""
        return self.faint if group is Group.STATE else self.palette[_LANES[group]]

    @property
    def value_color(self) -> str:
        """Return the color of sampled values: that of the inputs, which their thresholds are."""
        return self.lane_color(Group.INPUT)


_LANES = {Group.INPUT: 0, Group.OUTPUT: 1, Group.REWARD: 2, Group.TRIAL: 5, Group.NOTE: 3}
"""The place in the palette of each group of lanes but the states, which are gray: they are on all the time."""


LIGHT = Theme(
    "light",
    background="#ffffff",
    surface="#f0f2f4",
    text="#16191d",
    faint="#59626c",
    line="#c3c9cf",
    palette=LIGHT_SHADES,
    levels={
        Level.OK: "#00734f",
        Level.WARNING: "#b87700",
        Level.FAILURE: "#c4321c",
        Level.WAITING: "#59626c",
        Level.ENDED: "#0063a0",
    },
)
DARK = Theme(
    "dark",
    background="#14171a",
    surface="#22272c",
    text="#f2f4f5",
    faint="#a3adb7",
    line="#454d55",
    palette=DARK_SHADES,
    levels={
        Level.OK: "#2bc596",
        Level.WARNING: "#f0c13c",
        Level.FAILURE: "#ff7452",
        Level.WAITING: "#a3adb7",
        Level.ENDED: "#6cbcf2",
    },
)


def style_sheet(theme: Theme) -> str:
    """Return Qt's style sheet of a theme."""
    return f"""
        QWidget {{ background: {theme.background}; color: {theme.text}; font-size: {NORMAL_PX}px; }}
        QTabBar::tab {{ background: {theme.surface}; color: {theme.text}; padding: 8px 18px; margin-right: 2px;
            border-bottom: 4px solid {theme.surface}; }}
        QTabBar::tab:selected {{ border-bottom: 4px solid {theme.levels[Level.ENDED]}; font-weight: bold; }}
        QTabWidget::pane {{ border: none; }}
        QPushButton {{ background: {theme.surface}; border: 2px solid {theme.line}; border-radius: 6px;
            padding: 7px 16px; }}
        QPushButton:hover {{ border-color: {theme.text}; }}
        QPushButton:focus {{ border: 3px solid {theme.levels[Level.ENDED]}; }}
        QPushButton#glove {{ padding: 2px; font-size: {SMALL_PX}px; }}
        QPushButton:disabled {{ color: {theme.faint}; border-color: {theme.surface}; }}
        QPushButton:checked {{ border-color: {theme.levels[Level.ENDED]}; }}
        QLineEdit {{ background: {theme.surface}; border: 2px solid {theme.levels[Level.ENDED]}; border-radius: 6px;
            padding: 6px; }}
        QLabel#faint {{ color: {theme.faint}; font-size: {SMALL_PX}px; }}
        QLabel#fact, QLabel#look, QLabel#answer {{ font-size: {SMALL_PX}px; }}
        QLabel#mistakes {{ color: {theme.levels[Level.FAILURE]}; font-size: {SMALL_PX}px; font-weight: bold; }}
        QLabel#answer, QLabel#question {{ font-weight: bold; }}
        QLabel#command {{ min-height: 24px; }}
        QLabel#command, QPlainTextEdit {{ font-family: monospace; font-size: {LEGEND_PX}px; }}
        QPlainTextEdit {{ background: {theme.surface}; border: none; }}
        QComboBox {{ background: {theme.surface}; border: 2px solid {theme.line}; border-radius: 6px; padding: 6px; }}
        QComboBox QLineEdit {{ border: none; padding: 0; }}
        QComboBox:focus {{ border: 3px solid {theme.levels[Level.ENDED]}; }}
        QLabel#title {{ font-size: {SMALL_PX}px; font-weight: bold; }}
        QLabel#large {{ font-size: {LARGE_PX}px; }}
        QLabel#huge {{ font-size: {HUGE_PX}px; font-weight: bold; }}
        QProgressBar {{ background: {theme.surface}; border: none; border-radius: 4px; max-height: 10px; }}
        QProgressBar::chunk {{ background: {theme.levels[Level.ENDED]}; border-radius: 4px; }}
        QToolTip {{ background: {theme.surface}; color: {theme.text}; }}
    """
