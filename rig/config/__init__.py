"""Read, merge and validate YAML files; report every error at its file and line.

It may import devices, boards, system and core.
Begin with `inheritance.load_config`, then `validate.validate`.
"""

from rig.config.errors.errors import ConfigIssuesError, Loc, SourceLocation, collect_errors, config_issue
from rig.config.find import files, find, find_from, names, shipped_folder
from rig.config.inheritance import LayeredConfig, load_config, merge
from rig.config.models.calibration_file import CalibrationFile, CalibrationPoint
from rig.config.models.protocol_file import ProtocolFile, SessionLimits
from rig.config.models.rig_file import BoardEntry, RigFile, rig_file_model
from rig.config.read_calibration import load_calibration
from rig.config.validate import validate
from rig.config.yaml.document import Document, read_yaml

__all__ = [
    "BoardEntry",
    "CalibrationFile",
    "CalibrationPoint",
    "ConfigIssuesError",
    "Document",
    "LayeredConfig",
    "Loc",
    "ProtocolFile",
    "RigFile",
    "SessionLimits",
    "SourceLocation",
    "collect_errors",
    "config_issue",
    "files",
    "find",
    "find_from",
    "load_calibration",
    "load_config",
    "merge",
    "names",
    "read_yaml",
    "rig_file_model",
    "shipped_folder",
    "validate",
]
