"""A port's link: one that a killed server left is replaced, and no other file is."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    port, name = open_port(link)
    assert (link.readlink(), link.exists()) == (name, True)
    close_port(port, name, link)


def test_a_link_whose_port_has_come_back_as_ours_is_replaced(link: Path) -> None:
    gone = abandoned(link)
    port, name = open_port(link)
    assert link.readlink() == gone, "the system gives the lowest number that is free"
    close_port(port, name, link)


def test_a_link_to_the_port_of_another_program_stays(link: Path) -> None:
    port, name = open_port(link)
    with pytest.raises(ConfigError, match="it is there already: end the `rig board serve` that uses it"):
        open_port(link)
    assert link.exists()
    close_port(port, name, link)


@pytest.mark.parametrize("target", ["results", "/nowhere/999"])
def test_a_dangling_link_to_elsewhere_stays(link: Path, target: str) -> None:
    link.symlink_to(target)
    with pytest.raises(ConfigError, match="it is there already"):
        open_port(link)
    assert link.is_symlink()


def a_file(link: Path) -> None:
    link.write_text("results")


def a_link_of_another_server(link: Path) -> None:
    link.symlink_to("/dev/ptmx")


@pytest.mark.parametrize("replace", [a_file, a_link_of_another_server])
def test_what_another_program_has_put_in_the_place_of_the_link_stays(
    link: Path, replace: Callable[[Path], None]
) -> None:
    port, name = open_port(link)
    link.unlink()
    replace(link)
    close_port(port, name, link)
    assert link.exists()


def test_a_port_is_closed_also_when_the_folder_of_its_link_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "ports"
    folder.mkdir()
    port, name = open_port(folder / "ttyAVR")
    shutil.rmtree(folder)
    close_port(port, name, folder / "ttyAVR")
    assert not name.exists()


def test_of_servers_that_find_a_stale_link_at_once_one_takes_it_over(link: Path, tmp_path: Path) -> None:
    gone = abandoned(tmp_path / "other").with_name("999999")
    for _ in range(50):
        link.symlink_to(gone)
        with ThreadPoolExecutor(4) as pool:
            opened = [port for port in pool.map(try_to_open, [link] * 4) if port is not None]
        assert [link.readlink()] == [name for _, name in opened]
        close_port(*opened[0], link)


def try_to_open(link: Path) -> tuple[int, Path] | None:
    try:
        return open_port(link)
    except ConfigError:
        return None
