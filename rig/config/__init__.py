"""YAML in, validated models out, and every mistake at its file and line."""

from rig.config.calibration import load_calibration
from rig.config.errors.errors import Loc, Mark, MistakesError, collect, mistake
from rig.config.find import find, names, shipped
from rig.config.inheritance import Layered, load, merge
from rig.config.models.models import (
    BoardEntry,
    CalibrationFile,
    Point,
    ProtocolFile,
    RigFile,
    Stop,
    rig_file_model,
)
from rig.config.validate import validate
from rig.config.yaml.document import Document, read

__all__ = [
    "BoardEntry",
    "CalibrationFile",
    "Document",
    "Layered",
    "Loc",
    "Mark",
    "MistakesError",
    "Point",
    "ProtocolFile",
    "RigFile",
    "Stop",
    "collect",
    "find",
    "load",
    "load_calibration",
    "merge",
    "mistake",
    "names",
    "read",
    "rig_file_model",
    "shipped",
    "validate",
]
