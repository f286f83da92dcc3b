"""The command line, as the tests of commands use it."""

from tests.cli.conftest import data as data
from tests.cli.conftest import rig as rig
