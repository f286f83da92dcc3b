import gc

from rig.system.garbage import rare_collections


def test_collections_are_rare_within_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with rare_collections():
        assert gc.get_threshold()[0] > 10 * before[0]
    assert gc.get_threshold() == before
