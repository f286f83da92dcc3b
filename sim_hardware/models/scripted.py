"""A subject that follows a script: edges at given times of the session.

A script is a CSV file with a header ``t_us,place,level``: microseconds since the session was opened, the place
whose beam changes, 1 for a nose in and 0 for a nose out.
"""

from __future__ import annotations

import csv
from pathlib import Path

from pydantic import Field

from rig.core.errors import ConfigError
from sim_hardware.models.base import Model, ModelParams
from sim_hardware.world.body import Body

Script = list[tuple[int, str, int]]

_TOO_MUCH = "too much"


class ScriptedParams(ModelParams):
    """The script, or its file."""

    file: Path | None = Field(default=None, description="a CSV file: t_us,place,level")
    edges: tuple[tuple[int, str, int], ...] = Field(default=(), description="the script itself, from Python")


class ScriptedSubject(Model):
    """Follows its script; it ignores all stimuli."""

    Params = ScriptedParams

    def __init__(self, params: ScriptedParams) -> None:
        self._script: Script = list(params.edges) if params.file is None else read_script(params.file)

    async def live(self, body: Body) -> None:
        """Run the script: break and clear beams at their times. Raises ``ConfigError`` with all unknown places."""
        unknown = sorted({place for _, place, _ in self._script} - set(body.places))
        if unknown:
            has = ", ".join(body.places)
            raise ConfigError(*(f"the script names the place '{place}', the rig has: {has}" for place in unknown))
        for t_us, place, level in sorted(self._script, key=lambda edge: edge[0]):
            await body.wait_until_us(t_us)
            if level:
                body.enter(place)
            else:
                body.leave(place)


def read_script(path: Path) -> Script:
    """Read a script. Raises ``ConfigError`` with all lines that are not edges."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, restkey=_TOO_MUCH)
            columns = reader.fieldnames or ()
            rows = [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: cannot be read as a script: {error}") from None
    if not {"t_us", "place", "level"}.issubset(columns):
        raise ConfigError(f"{path}:1: a script begins with the line `t_us,place,level`")
    script: Script = []
    mistakes = []
    for number, row in rows:
        try:
            if _TOO_MUCH in row:
                raise ValueError
            script.append((int(row["t_us"]), str(row["place"]), {"0": 0, "1": 1}[row["level"]]))
        except (KeyError, ValueError, TypeError):
            mistakes.append(f"{path}:{number}: is not an edge; wanted `t_us,place,level`, such as `1500000,left,1`")
    if mistakes:
        raise ConfigError(*mistakes)
    return script
