"""The console while keys are read: a click into it stops no program, and its mode is put back."""

import pytest

from rig.platform.console_mode import EXTENDED_FLAGS, QUICK_EDIT, ConsoleInput, kept_mode, without_quick_edit
from tests.platform.windows_console import Windows


@pytest.fixture
def windows() -> Windows:
    return Windows()


@pytest.fixture
def console(windows: Windows) -> ConsoleInput:
    return ConsoleInput(windows)


def test_quick_edit_is_off_within_the_block_and_nothing_else_changes(windows: Windows, console: ConsoleInput) -> None:
    with without_quick_edit(console):
        assert windows.kernel32.mode == 0x1F7 & ~QUICK_EDIT
    assert windows.kernel32.mode == 0x1F7
    assert windows.kernel32.open_handles == 0


def test_an_error_in_the_block_puts_it_back(windows: Windows, console: ConsoleInput) -> None:
    with pytest.raises(ZeroDivisionError), without_quick_edit(console):
        raise ZeroDivisionError
    assert windows.kernel32.mode == 0x1F7


def test_a_person_who_has_switched_it_off_keeps_it_so(windows: Windows, console: ConsoleInput) -> None:
    windows.kernel32.mode = 0x1A7
    with without_quick_edit(console):
        assert windows.kernel32.mode == 0x1A7
    assert windows.kernel32.mode == 0x1A7


def test_the_mode_is_put_back_for_a_display_that_was_killed(windows: Windows, console: ConsoleInput) -> None:
    restore = kept_mode(console)
    windows.kernel32.mode = 0x1F7 & ~QUICK_EDIT | EXTENDED_FLAGS
    restore()
    assert windows.kernel32.mode == 0x1F7


def test_a_program_without_a_console_runs_all_the_same(windows: Windows, console: ConsoleInput) -> None:
    windows.kernel32.mode = None
    with without_quick_edit(console):
        kept_mode(console)()
    assert windows.kernel32.mode is None
