"""A port's link: one that a killed server left is replaced, and no other file is."""

import os
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from sim_hardware.avr.pseudo_port import close_port, open_port

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no pseudo-terminals")


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "ttyAVR"


def abandoned(link: Path) -> Path:
    """Leave a link as a killed server does; return the name of the port that is gone."""
    port, _ = open_port(link)
    os.close(port)
    return link.readlink()


def test_a_link_to_a_port_that_is_gone_is_replaced(link: Path) -> None:
    link.symlink_to(abandoned(link.with_name("other")).with_name("999999"))
    port, path = open_port(link)
    assert (path, link.exists()) == (link, True)
    close_port(port, link)


def test_a_link_whose_port_has_come_back_as_ours_is_replaced(link: Path) -> None:
    gone = abandoned(link)
    port, _ = open_port(link)
    assert link.readlink() == gone, "the system gives the lowest number that is free"
    close_port(port, link)


def test_a_link_to_the_port_of_another_program_stays(link: Path) -> None:
    port, _ = open_port(link)
    with pytest.raises(ConfigError, match="it is there already: end the `rig serve-avr` that uses it"):
        open_port(link)
    assert link.exists()
    close_port(port, link)


@pytest.mark.parametrize("target", ["results", "/nowhere/999"])
def test_a_dangling_link_to_elsewhere_stays(link: Path, target: str) -> None:
    link.symlink_to(target)
    with pytest.raises(ConfigError, match="it is there already"):
        open_port(link)
    assert link.is_symlink()
