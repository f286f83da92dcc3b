"""The words of a command are those that a person types again, in the shell of the system."""

import shlex
import sys

import pytest

from rig.platform.command_line import command_line, expanded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="asks as POSIX does")


def test_a_command_is_read_by_the_shell_as_it_was() -> None:
    words = ["rig", "run", "a b", "it's", "*", "$HOME"]
    assert shlex.split(command_line(words)) == words


def test_a_star_that_reaches_the_program_was_quoted() -> None:
    assert expanded(["tests/platform/*"]) == ["tests/platform/*"]
