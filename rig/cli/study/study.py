"""``rig study``: run a study and compare its figures, or ask how many subjects an effect needs."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from rig.cli.parse import check_html_file
from rig.core.errors import ConfigError

INSTALL = "pip install 'behavior-rig[analysis,data]'"
_NEEDED = ("scipy", "matplotlib", "pyarrow")


def run(arguments: argparse.Namespace) -> int:
    """Run the sessions that have not run, and write the page. Raises ``RigError``."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(f"rig study: needs {' and '.join(missing)}: {INSTALL}")
    if arguments.seed is not None and arguments.seed < 0:
        raise ConfigError(f"--seed {arguments.seed}: wanted 0 or more")
    if arguments.to is not None:
        check_html_file(arguments.to)
    from rig.cli.study.answer import run_study  # imports the packages that may be missing

    return run_study(arguments)
