"""Python's garbage collector during a session."""

import gc

import pytest

from rig.session.run.gc_control import GcPaused


def test_pythons_collector_is_kept_out_of_a_real_session_and_let_in_again() -> None:
    assert gc.isenabled()
    with GcPaused() as quiet:
        assert not gc.isenabled()
        assert gc.get_freeze_count() > 0
        quiet.between_trials()
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_pythons_collector_is_let_in_again_after_a_crash() -> None:
    with pytest.raises(ValueError, match="crash"), GcPaused():
        raise ValueError("crash")
    assert gc.isenabled()
