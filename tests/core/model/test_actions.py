import pytest

from rig.core.model.actions import (
    CANCEL,
    NOTHING,
    Arm,
    Cancel,
    Disarm,
    Load,
    Nothing,
    Pulse,
    Ramp,
    RewardAction,
    Set,
    Start,
    Stop,
    Tone,
    Train,
    plain_action,
    split_into_batches,
)

PULSE = Pulse("left.valve", 30_000)
REWARD = RewardAction(PULSE, "left", 2.5)

TEXTS = [
    (NOTHING, "nothing"),
    (CANCEL, "cancel"),
    (Set("left.light", True), "left.light on"),
    (Set("left.light", False), "left.light off"),
    (PULSE, "pulse left.valve 30000"),
    (Train("laser.shutter", 5_000, 50_000, 20), "train laser.shutter 5000 50000 20"),
    (Tone("speaker.tone", 440, 100_000), "tone speaker.tone 440 100000"),
    (Ramp("speaker.tone", 440, -20, 50_000, 100_000, 10), "ramp speaker.tone 440 -20 50000 100000 10"),
    (Start(3), "start 3"),
    (Start(3, 0), "start 3 at 0"),
    (Start(3, 5_000_000), "start 3 at 5000000"),
    (Stop(3), "stop 3"),
    (REWARD, "pulse left.valve 30000 (2.5 ul)"),
    (RewardAction(PULSE, "left", 3.0), "pulse left.valve 30000 (3 ul)"),
    (Load(2, ()), "load 2: "),
    (Load(2, ((0, PULSE), (1_000, CANCEL))), "load 2: +0 pulse left.valve 30000; +1000 cancel"),
    (Arm(1, None, ()), "arm 1: "),
    (
        Arm(1, 7, (("left.beam", 1, REWARD), ("left.beam", 0, NOTHING), ("right.beam", 1, CANCEL))),
        "arm 1 until 7: left.beam+ pulse left.valve 30000 (2.5 ul); left.beam- nothing; right.beam+ cancel",
    ),
    (Disarm(1), "disarm 1"),
]


@pytest.mark.parametrize(("order", "text"), TEXTS, ids=lambda value: str(value)[:30])
def test_an_order_reads_as_the_journal_keeps_it(order, text):
    assert str(order) == text


def test_orders_that_differ_read_differently():
    assert len({text for _, text in TEXTS}) == len({str(order) for order, _ in TEXTS}) == len(TEXTS)


@pytest.mark.parametrize("order", [order for order, _ in TEXTS], ids=str)
def test_an_order_is_a_value(order):
    assert hash(order) == hash(order)
    for name in getattr(order, "__struct_fields__", ("scene",)):
        with pytest.raises(AttributeError):
            setattr(order, name, None)


def test_nothing_is_nothing_and_cancel_is_cancel():
    assert Nothing() == NOTHING
    assert Cancel() == CANCEL
    assert NOTHING != CANCEL


def test_the_board_receives_the_plain_action_of_a_reward():
    assert plain_action(REWARD) is PULSE
    assert plain_action(PULSE) is PULSE
    assert plain_action(NOTHING) is NOTHING


def test_a_batch_disarms_then_arms_then_drives():
    orders = [REWARD, Arm(1, None, ()), Set("left.light", True), Disarm(1), Start(1), Stop(2), NOTHING]
    assert split_into_batches(orders) == [
        [Disarm(1), Arm(1, None, ()), REWARD, Set("left.light", True), Start(1), Stop(2), NOTHING]
    ]


def test_loads_travel_ahead_one_by_one():
    loads = [Load(2, ()), Load(1, ())]
    assert split_into_batches([loads[0], PULSE, loads[1]]) == [[loads[0]], [loads[1]], [PULSE]]
    assert split_into_batches(loads) == [[loads[0]], [loads[1]]]
    assert split_into_batches([PULSE]) == [[PULSE]]
    assert split_into_batches([]) == []
