"""The Qt application of the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from rig.core.errors import ConfigError
from rig.system.settings import boxes_by_rig, load_settings
from rig.window.launch import WindowRequest
from rig.window.launcher.commands import Commands
from rig.window.launcher.launcher_window import LauncherWindow
from rig.window.launcher.program import Program
from rig.window.launcher.roster import Roster
from rig.window.main_window import MainWindow
from rig.window.running_sessions import RunningSessions
from rig.window.targets import BoxTargets, NamedTargets, RunningTargets, Targets
from rig.window.theme import DARK, LIGHT, Theme


def run(arguments: Sequence[str]) -> int:
    """Show the window until it is closed."""
    request = WindowRequest.parse(arguments[1])
    application = QApplication(list(arguments[:1]))
    application.setApplicationName("rig")
    if request.boxes_file:
        launcher = _launcher(request)
        launcher.start()
        return application.exec()
    sessions = RunningSessions()
    sessions.start()
    targets = _targets(request, sessions)
    window = MainWindow(targets, sessions, _theme(request.theme), with_wall=not request.journals, boxes=_boxes())
    window.start()
    return application.exec()


def _launcher(request: WindowRequest) -> LauncherWindow:
    commands = Commands(request.boxes_file, request.options, request.experimenter)
    return LauncherWindow(commands, Roster(Path(request.boxes_data)), Program, _theme(request.theme))


def _targets(request: WindowRequest, sessions: RunningSessions) -> Targets:
    if request.journals:
        return NamedTargets([Path(journal) for journal in request.journals])
    if request.boxes_data:
        return BoxTargets(Path(request.boxes_data), request.boxes)
    return RunningTargets(sessions)


def _boxes() -> dict[str, str]:
    """Return the name of the box of each rig; none if the settings are wrong, which the command has reported."""
    try:
        return boxes_by_rig(load_settings())
    except ConfigError:
        return {}


def _theme(name: str) -> Theme:
    if name in ("light", "dark"):
        return DARK if name == "dark" else LIGHT
    return DARK if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT
