"""``rig run --boxes``: ask what is to be asked, start each box's session as a program of its own, and show them all."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rig.cli import common
from rig.cli.run.box_answers import BoxAnswers, answered_words
from rig.cli.run.boxes_view import leave_boxes, show_boxes
from rig.cli.run.top_up_after import confirm_top_ups
from rig.cli.terminal.screen_layout import say
from rig.cli.terminal.window import DetachedWindow
from rig.config import find
from rig.core.errors import ConfigError, RigError
from rig.platform.processes import PYTHON, is_running, start_mark
from rig.session.read_boxes import Boxes, BoxPlan
from rig.supervisor.box import Box
from rig.supervisor.started import StartedSession, StartedSessions, this_computer
from rig.supervisor.supervise import Wakeup
from rig.system.control_socket import running
from rig.system.processes import start_detached
from rig.system.settings import load_settings
from rig.system.statuses import WRONG_INPUT
from rig.window.launch import WindowRequest

OF_ALL = frozenset(
    {
        *("boxes", "only", "today", "yes", "experimenter", "data", "json", "leave", "window", "theme"),
        *("command", "run", "box_of_rig"),
    }
)
"""The arguments that hold for all boxes; the others belong into the file."""


def run_boxes(arguments: argparse.Namespace) -> int:
    """Run the boxes. Raises ``ConfigError`` before anything has started, with all mistakes of the file."""
    if wrong := [name for name, value in vars(arguments).items() if name not in OF_ALL and value]:
        option = wrong[0] if wrong[0] == "protocol" else f"--{wrong[0].replace('_', '-')}"
        raise ConfigError(
            f"{option}: with --boxes, what a box runs is in its file, and an answer for one box is "
            "--today BOX.KEY=VALUE, such as --today box_1.weight_g=24.1"
        )
    boxes = Boxes(find("boxes", arguments.boxes), load_settings(), arguments.only)
    meant = [plan for plan in boxes.plans if not arguments.only or plan.name in arguments.only]
    answers = BoxAnswers.parse(arguments.today, [plan.name for plan in meant])
    _check_free(boxes, meant, common.data_folder(arguments).absolute())
    return _Run(arguments, boxes, answers).run(meant)


def _check_free(boxes: Boxes, meant: Sequence[BoxPlan], data: Path) -> None:
    """Check that no subject is in a session that runs. Raises ``ConfigError`` with a line for each that is."""
    in_session = {
        (status.get("subject"), status.get("simulated")): status
        for _, status in running()
        if status["ok"] and Path(str(status.get("folder"))).absolute().is_relative_to(data)
    }
    mistakes = [
        boxes.error_at(
            plan.name, "subject", f"{plan.subject} is in a running session{_named(status)}: `rig session attach`"
        )
        for plan in meant
        if (status := in_session.get((plan.subject, plan.simulated))) is not None
    ]
    if mistakes:
        raise ConfigError(*mistakes)


def _named(status: Mapping[str, object]) -> str:
    return f" ({status['box']})" if status.get("box") else ""


class _Run:
    """The boxes of one file; those that run already are shown, too."""

    def __init__(self, arguments: argparse.Namespace, boxes: Boxes, answers: BoxAnswers) -> None:
        self._arguments = arguments
        self._answers = answers
        self._data = common.data_folder(arguments).absolute()
        self._sessions = StartedSessions(self._data)
        self._wakeup = Wakeup()
        self._plans = {plan.name: plan for plan in boxes.plans}
        self._boxes = [Box(plan.name, plan.subject, self._wakeup.set, self._sessions.folder_of) for plan in boxes.plans]
        self._began = common.now()
        self._words: dict[str, tuple[str, ...]] = {}

    def run(self, meant: Sequence[BoxPlan]) -> int:
        """Start each box that is meant after all questions were answered, and show them to the end."""
        self._words = {plan.name: words for plan in meant if (words := self._ready(plan)) is not None}
        self._take_up({plan.name for plan in meant})
        for box in self._boxes:
            if (line := self._words.get(box.name)) is not None:
                self._start(box, line)
        with DetachedWindow(self._window() if self._arguments.window else None) as window:
            window.start(self._data)
            if self._arguments.leave:
                return leave_boxes([box for box in self._boxes if box.name in self._words or box.reason])
            status = show_boxes(self._boxes, self._wakeup, self._restart, as_json=self._arguments.json)
        confirm_top_ups(self._boxes, self._data, self._arguments.experimenter)
        return status

    def _window(self) -> Callable[[Path], WindowRequest]:
        names, theme = [box.name for box in self._boxes], self._arguments.theme
        return lambda data: WindowRequest(boxes_data=str(data), boxes=names, theme=theme)

    def _box(self, name: str) -> Box:
        return next(box for box in self._boxes if box.name == name)

    def _ready(self, plan: BoxPlan) -> tuple[str, ...] | None:
        """Return the words of a box's session with its answers; None for one that is refused, which says why."""
        try:
            return answered_words(plan, self._arguments, self._answers.of(plan.name), self._data)
        except RigError as error:
            say(f"{plan.name}: not started: {error}", file=sys.stderr)
            self._box(plan.name).refuse(str(error), WRONG_INPUT)
            return None

    def _take_up(self, meant: set[str]) -> None:
        """Show the other boxes of the file that run already."""
        for started in self._sessions.newest():
            plan = self._plans.get(started.box)
            taken = plan is not None and started.box not in meant and plan.subject == started.subject
            if taken and is_running(started.pid, started.mark):
                self._box(started.box).begin(started)

    def _start(self, box: Box, words: Sequence[str]) -> None:
        now = common.now()
        log = self._sessions.new_log(box.name, now)
        command = [PYTHON, "-P", "-m", "rig.cli.main", "run", *words]
        try:
            process = start_detached(command, log, self._plans[box.name].cpus)
        except OSError as error:
            box.refuse(f"its program cannot be started: {error.strerror}", WRONG_INPUT)
            return
        started = StartedSession(
            box.name,
            box.subject,
            process.pid,
            str(log),
            now.isoformat(),
            host=this_computer(),
            mark=start_mark(process.pid),
        )
        self._sessions.add(started)
        box.begin(started, process)

    def _restart(self, box: Box) -> str:
        """Start another session of a box from the table, where nothing can be asked; return what was done."""
        plan = self._plans[box.name]
        words = self._words.get(box.name)
        if words is None or common.now().date() != self._began.date():  # answers are those of one day
            words = answered_words(plan, self._arguments, (), self._data, asks=False)
        self._start(box, [word for word in words if word != "--new"])
        return "starting"
