"""Protocols as scripts: what an animal does, and what must come of it, in the YAML files of this folder."""

from pathlib import Path

import pytest

from tests.session_scripts import Named, judge, read_cases

FILES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("named", [case for path in FILES for case in read_cases(path)])
def test_a_session_is_as_its_script_says(named: Named) -> None:
    judge(named)
