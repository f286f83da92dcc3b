"""Parameter type for the trials of a recorded session: written as a file name, stored as rows.

The rows are in the session's header, so a replay does not need the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import GetJsonSchemaHandler, ValidationInfo, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from protocols.two_armed_bandit.tables.decisions import read_decisions
from rig.core.errors import ConfigError
from rig.devices.base import StrictModel
from rig.table_files.file_params import check_not_recorded, named_file


class RecordedTrials(StrictModel):
    """The reward probabilities and outcomes of a recorded session; in a YAML file, the name of its file."""

    written_as: ClassVar = "file of decisions"

    file: str
    rows: tuple[tuple[float, float, Literal["left", "right"], Literal[0, 1]], ...]
    """``p_left``, ``p_right``, chosen side, reward (1 or 0)."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the written form, a file name, for editors."""
        return {"type": "string"}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str | Path):
            return value
        check_not_recorded(info, "rows")
        path = named_file(value)
        try:
            decisions = read_decisions(path)
        except ConfigError as error:
            more = f" (and {len(error.mistakes) - 1} more lines)" if len(error.mistakes) > 1 else ""
            raise ValueError(error.mistakes[0] + more) from None
        return {"file": path.name, "rows": [(d.p_left, d.p_right, d.side, d.reward) for d in decisions]}
