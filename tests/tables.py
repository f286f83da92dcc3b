"""Tables of tests: the rows of a parametrized test, in the YAML file beside its module."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

from tests.case_loader import CaseLoader

Test = TypeVar("Test", bound=Callable[..., object])


def rows(*names: str) -> Callable[[Test], Test]:
    """Parametrize a test with the rows under its name in the YAML file beside its module.

    The first column may be ``case``: a sentence, which names its row.
    """

    def parametrized(test: Test) -> Test:
        table = read_tables(test.__code__.co_filename)[test.__name__]
        if names[0] == "case":
            table = [pytest.param(*values, id=case) for case, *values in table]
        made: Test = pytest.mark.parametrize(",".join(name for name in names if name != "case"), table)(test)
        return made

    return parametrized


@cache
def read_tables(module: str) -> dict[str, list[Any]]:
    """Return the tables beside a module, by the names of their tests."""
    path = Path(module).with_suffix(".yaml")
    tables: dict[str, list[Any]] = yaml.load(path.read_text(encoding="utf-8"), CaseLoader)
    if empty := [name for name, table in tables.items() if not table]:
        raise ValueError(f"{path}: no rows for {', '.join(empty)}: pytest would skip it")
    return tables
