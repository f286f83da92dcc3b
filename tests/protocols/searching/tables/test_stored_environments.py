"""Environments from a file: in a protocol the file's name, in the header the values."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from protocols.searching.grid_bandit import GridBandit
from protocols.searching.grid_bandit_params import GridParams
from protocols.searching.grids.environment_files import environments_text
from protocols.searching.tables.stored_environments import StoredEnvironments
from rig.core.journal.header import Header
from rig.core.task.random_streams import RandomStreams
from rig.table_files.file_params import RECORDED
from tests.harness import run_harness
from tests.protocols.searching.people import SHORT, person
from tests.session_specs import protocol_spec, session_spec


def stored(folder: Path, count: int = 4, width: int = 4) -> Path:
    """Write a file of environments whose values differ."""
    values = np.round(np.arange(count * 4 * width).reshape(count, 4, width) / (count * 4 * width), 4)
    path = folder / "environments.json"
    path.write_text(environments_text(list(values)))
    return path


def with_file(path: Path, **values: Any) -> GridParams:
    written = protocol_spec("grid_bandit", **SHORT).params.model_dump()
    return GridParams.model_validate({**written, "stored": {"smooth": str(path)}, **values})


def test_the_environments_of_a_file_are_played(tmp_path: Path) -> None:
    params = with_file(stored(tmp_path))
    plan = GridBandit.draw(params, RandomStreams(1), {})
    assert plan["environments"] == params.stored["smooth"].values
    assert sorted(each["environment"] for each in (*plan["examples"], *plan["rounds"])) == [0, 1, 2, 3]


def test_the_header_has_the_values_and_is_read_without_the_file(tmp_path: Path) -> None:
    path = stored(tmp_path)
    spec = session_spec(protocol_spec("grid_bandit", **SHORT, stored=json.dumps({"smooth": str(path)})))
    header = run_harness(spec, person()).of_kind(Header)[0]
    path.unlink()
    assert header.params["stored"]["smooth"]["file"] == "environments.json"
    again = GridParams.model_validate(header.params, context=RECORDED)
    assert again.stored["smooth"].values == tuple(map(tuple, header.drawn["environments"]))


def test_a_journal_cannot_have_a_file_read(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="a journal names a file: wanted the environments themselves"):
        StoredEnvironments.model_validate(str(stored(tmp_path)), context=RECORDED)


def test_a_file_must_fit_the_task(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=r"stored\.smooth has 5 x 4 tiles: wanted 4 x 4"):
        with_file(stored(tmp_path, width=5))
    with pytest.raises(ValidationError, match="there are 3 environments for 2 rounds and 2 examples"):
        with_file(stored(tmp_path, count=3))
    with pytest.raises(ValidationError, match=r"nowhere\.json: cannot be read"):
        with_file(tmp_path / "nowhere.json")
    with pytest.raises(ValidationError, match="~no-such-person/x: there is no such home folder"):
        StoredEnvironments.model_validate("~no-such-person/x")
    with pytest.raises(ValidationError, match="wanted the name of a file of environments"):
        StoredEnvironments.model_validate(5)
