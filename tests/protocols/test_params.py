"""Parameters that a protocol refuses, and what it says of them, in ``refused.yaml`` of each room.

A file has protocols; of each a list of parameters as they may be written, with a dot between the parts of a name, and
``said``, what the message has: without it the first name.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from tests.session_specs import protocol_spec


def cases() -> Iterator[Any]:
    for path in sorted(Path(__file__).parent.glob("*/refused.yaml")):
        for protocol, rows in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            for row in rows:
                values = {name: value for name, value in row.items() if name != "said"}
                yield pytest.param(protocol, values, row.get("said", next(iter(values))), id=f"{protocol}: {values}")


def changed(params: dict[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters with other values."""
    params = deepcopy(params)
    for name, value in values.items():
        *parents, last = name.split(".")
        section = params
        for parent in parents:
            section = section[parent]
        section[last] = value
    return params


@pytest.mark.parametrize(("protocol", "values", "said"), list(cases()))
def test_parameters_that_cannot_be_are_refused(protocol: str, values: dict[str, Any], said: str) -> None:
    params = protocol_spec(protocol).params
    with pytest.raises(ValidationError, match=said):
        type(params).model_validate(changed(params.model_dump(), values))
