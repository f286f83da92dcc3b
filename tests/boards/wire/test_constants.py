from rig.boards.wire import messages as wire
from rig.boards.wire.constants import CONSTANTS, words


def test_the_constants_of_a_family_read_as_words():
    assert words("DONE") == {0: "finished", 1: "stopped", 2: "limit"}
    assert words("CAUSE") == {0: "order", 1: "reflex", 2: "sequence"}
    assert words("REASON")[1] == "newer_edge"
    assert words("RESET")[3] == "watchdog"
    assert words("NO") == {}


def test_within_a_family_every_number_means_one_thing():
    for family in ("CAUSE", "DONE", "REASON", "RESET"):
        names = [name for name in CONSTANTS if name.startswith(family + "_")]
        assert len(words(family)) == len(names)


def test_no_reason_is_zero_because_zero_is_not_refused():
    assert 0 not in words("REASON")


def test_flags_do_not_overlap():
    assert wire.INVERTED & wire.DANGEROUS == 0
    assert wire.LEVEL == 0x80
