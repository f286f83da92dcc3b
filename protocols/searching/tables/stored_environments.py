"""Parameter type for environments from a file: written as a file name, stored as values.

The values are in the session's header, so a replay does not need the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field, GetJsonSchemaHandler, ValidationInfo, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from protocols.searching.grids.environment_files import read_environments
from rig.core.errors import ConfigError
from rig.devices.base import StrictModel
from rig.table_files.file_params import check_not_recorded, named_file

Value = Annotated[float, Field(ge=0, le=1)]


class StoredEnvironments(StrictModel):
    """Environments of one size; in a YAML file, the name of their file."""

    written_as: ClassVar = "file of environments"

    file: str
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    values: tuple[tuple[Value, ...], ...] = Field(min_length=1)
    """The values of the tiles of each environment, row by row from the top."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the written form, a file name, for editors."""
        return {"type": "string"}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str | Path):
            if not isinstance(value, Mapping | cls):
                raise ValueError("wanted the name of a file of environments")
            return value
        check_not_recorded(info, "environments")
        path = named_file(value)
        try:
            found = read_environments(path)
        except ConfigError as error:
            raise ValueError(error.mistakes[0]) from None
        height, width = found[0].shape
        values = [environment.ravel().tolist() for environment in found]
        return {"file": path.name, "width": width, "height": height, "values": values}
