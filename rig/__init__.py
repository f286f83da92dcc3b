"""The vocabulary of a protocol: the only names one may need. A notebook needs `load`, which reads recorded sessions."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # a type checker takes it for true; the module typing is a third of what `rig --version` imports
if TYPE_CHECKING:
    from typing import Any

    from rig.core.errors import ConfigError, NotReadyError, RigError, TaskError
    from rig.core.model.actions import CANCEL, NOTHING, Action, Pulse, Ramp, Set, Tone, Train
    from rig.core.model.columns import Column
    from rig.core.model.events import Edge, FrameShown, Hover, Key, Touch
    from rig.core.model.live import Live
    from rig.core.model.patterns import EdgePattern, LevelPattern, ScreenPattern
    from rig.core.model.plot_area import PlotArea
    from rig.core.model.reward import Reward, RewardStatus
    from rig.core.model.reward_types import GivenAt, HopperSeconds, Pellets, RewardVolume
    from rig.core.model.rows import OneOf, Row
    from rig.core.model.scene import Button, Color, Disk, Dot, Image, Item, Line, Scene, Text, Tile
    from rig.core.model.shares import Share
    from rig.core.model.subject import Subject
    from rig.core.model.units import exact_s, to_s, to_us
    from rig.core.model.views import (
        Choices,
        Cumulative,
        Histogram,
        Numbers,
        Outcomes,
        Places,
        Raster,
        RunningShare,
        SharesBy,
        Spans,
        Track,
    )
    from rig.core.task.random_streams import RandomStreams, Stream
    from rig.core.task.sequence import LoadedSequence
    from rig.core.task.states import Next, state
    from rig.core.task.task import Task, TaskParams
    from rig.core.task.trial_row import TrialRow
    from rig.devices import (
        Feeder,
        Hopper,
        Houselight,
        Light,
        Needs,
        Port,
        Speaker,
        Touchscreen,
        Tracker,
        TtlIn,
        TtlOut,
        Valve,
        Zone,
    )
    from rig.export.load import load as load

# Looked up on first use: `rig --version` must not wait for pydantic.
_HOMES = {
    "rig.core.model.actions": ("CANCEL", "NOTHING", "Action", "Pulse", "Ramp", "Set", "Tone", "Train"),
    "rig.export.load": ("load",),
    "rig.core.errors": ("ConfigError", "NotReadyError", "RigError", "TaskError"),
    "rig.core.model.columns": ("Column",),
    "rig.core.model.events": ("Edge", "Key", "FrameShown", "Hover", "Touch"),
    "rig.core.model.live": ("Live",),
    "rig.core.model.patterns": ("EdgePattern", "LevelPattern", "ScreenPattern"),
    "rig.core.model.plot_area": ("PlotArea",),
    "rig.core.model.reward": ("Reward", "RewardStatus"),
    "rig.core.model.scene": ("Button", "Color", "Disk", "Dot", "Image", "Item", "Line", "Scene", "Text", "Tile"),
    "rig.core.model.shares": ("Share",),
    "rig.core.model.subject": ("Subject",),
    "rig.core.task.states": ("Next", "state"),
    "rig.core.task.random_streams": ("Stream", "RandomStreams"),
    "rig.core.task.sequence": ("LoadedSequence",),
    "rig.core.model.reward_types": ("GivenAt", "HopperSeconds", "Pellets", "RewardVolume"),
    "rig.core.model.rows": ("OneOf", "Row"),
    "rig.core.task.task": ("Task", "TaskParams"),
    "rig.core.task.trial_row": ("TrialRow",),
    "rig.core.model.units": ("exact_s", "to_s", "to_us"),
    "rig.core.model.views": (
        *("Choices", "Cumulative", "Histogram", "Numbers", "Outcomes", "Places", "Raster", "RunningShare"),
        *("SharesBy", "Spans", "Track"),
    ),
    "rig.devices": (
        *("Feeder", "Hopper", "Houselight", "Light", "Needs", "Port", "Speaker", "Touchscreen", "Tracker", "TtlIn"),
        *("TtlOut", "Valve", "Zone"),
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CANCEL",
    "NOTHING",
    "Action",
    "Button",
    "Choices",
    "Color",
    "Column",
    "ConfigError",
    "Cumulative",
    "Disk",
    "Dot",
    "Edge",
    "EdgePattern",
    "Feeder",
    "FrameShown",
    "GivenAt",
    "Histogram",
    "Hopper",
    "HopperSeconds",
    "Houselight",
    "Hover",
    "Image",
    "Item",
    "Key",
    "LevelPattern",
    "Light",
    "Line",
    "Live",
    "LoadedSequence",
    "Needs",
    "Next",
    "NotReadyError",
    "Numbers",
    "OneOf",
    "Outcomes",
    "Pellets",
    "Places",
    "PlotArea",
    "Port",
    "Pulse",
    "Ramp",
    "RandomStreams",
    "Raster",
    "Reward",
    "RewardStatus",
    "RewardVolume",
    "RigError",
    "Row",
    "RunningShare",
    "Scene",
    "ScreenPattern",
    "Set",
    "Share",
    "SharesBy",
    "Spans",
    "Speaker",
    "Stream",
    "Subject",
    "Task",
    "TaskError",
    "TaskParams",
    "Text",
    "Tile",
    "Tone",
    "Touch",
    "Touchscreen",
    "Track",
    "Tracker",
    "Train",
    "TrialRow",
    "TtlIn",
    "TtlOut",
    "Valve",
    "Zone",
    "exact_s",
    "state",
    "to_s",
    "to_us",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOME_OF:
        raise AttributeError(f"module 'rig' has no attribute '{name}'")
    return getattr(import_module(_HOME_OF[name]), name)
