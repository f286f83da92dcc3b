"""What a participant sees: where the buttons are."""

from protocols.disk_bandit.human_params import HumanParams
from protocols.disk_bandit.instruction_pages import BOX, InstructionPages
from protocols.person.pages import STOP
from tests.session_specs import protocol_spec

GLASS_CM = (30.5, 22.9)


def pages() -> InstructionPages:
    params = protocol_spec("disk_bandit_human").params
    assert isinstance(params, HumanParams)
    return InstructionPages(params, *GLASS_CM)


def test_a_click_on_the_box_that_comes_too_late_presses_nothing() -> None:
    box = pages().disks([0] * 6, 1, lit=True).item(BOX)
    assert box is not None
    after = (pages().page("Rest.", ("next", "Next session"), (STOP, "Stop")), pages().question("Why?", ""))
    for scene in after:
        for x_cm in range(-3, 4):
            for y_cm in (-0.8, 0.0, 0.8):
                assert scene.hit(box.x_cm + x_cm, box.y_cm + y_cm) is None
