"""A boxes file: what each box runs, and every mistake at its line before anything starts."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.session.read_boxes import Boxes
from rig.system.settings import Setting, Settings
from tests.config_writer import Write, write
from tests.tables import rows

__all__ = ["write"]

TWO = """\
defaults: {protocol: two_armed_bandit, params: {p_high: 0.9}, stop: {session_s: 60}}
boxes:
  one: {rig: sim_nose_ports, subject: M1, model: rflr, params: {q_stay: 0.5}, seed: 3, cpus: [0]}
  two: {rig: sim_nose_ports, subject: M2, model: rflr, curriculum: two_armed_bandit, params: {}}
"""
PORTS = """\
calibration_max_days: null
boards: {{uno: {{driver: serial, chip: uno{board}}}}}
devices:
  left: {{kind: port, beam: 6, light: 10, valve: 3, calibration: {left}}}
  center: {{kind: port, beam: 5, light: 8}}
  right: {{kind: port, beam: 7, light: 9, valve: 4, calibration: {right}}}
"""


def rig_file(write: Write, name: str, board: str, left: str = "sim_left", right: str = "sim_right") -> None:
    write(f"rigs/{name}.yaml", PORTS.format(board=board, left=left, right=right))
    for side in (left, right):
        if not side.startswith("sim"):
            write(f"calibrations/{side}.yaml", f"extends: sim_{side.partition('_')[0]}.yaml\n")


def read(write: Write, text: str, settings: Settings | None = None) -> Boxes:
    return Boxes(write("boxes/today.yaml", text), settings or Settings())


def mistakes(write: Write, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(write, text)
    return list(caught.value.mistakes)


def test_each_box_has_the_words_of_its_session_with_the_defaults(write: Write) -> None:
    one, two = read(write, TWO).plans
    assert (one.name, one.subject, one.simulated, one.cpus) == ("one", "M1", True, (0,))
    assert one.words[0].endswith("protocols/two_armed_bandit.yaml")
    assert one.words[3:] == (
        *("--subject", "M1", "--set", "params.p_high=0.9", "--set", "params.q_stay=0.5"),
        *("--set", "stop.session_s=60", "--model", "rflr", "--seed", "3"),
    )
    # Its own curriculum replaces the protocol of the defaults, and its parameters.
    assert two.words[:2] == ("--curriculum", two.words[1])
    assert two.words[1].endswith("curricula/two_armed_bandit.yaml")
    assert [word for word in two.words if "=" in word] == ["stop.session_s=60"]


def test_simulated_rigs_may_be_shared(write: Write) -> None:
    first, second = read(write, TWO).plans
    assert first.rig.sources == second.rig.sources


def test_the_rig_of_a_box_may_be_in_the_computers_settings(write: Write) -> None:
    text = "boxes: {box 1: {subject: M1, model: rflr, protocol: two_armed_bandit}}\n"
    settings = Settings(boxes=Setting({"box 1": "sim_nose_ports"}))
    assert read(write, text, settings).plans[0].rig.name == "sim_nose_ports"
    assert mistakes(write, text) == [
        "configs/boxes/today.yaml:1: boxes.box 1.rig: on which rig? Give one here, in defaults, or for a box of this "
        "name in rig.toml"
    ]


def test_all_mistakes_are_told_at_once_with_their_lines(write: Write) -> None:
    text = """\
boxes:
  one: {rig: nowhere, subject: M1, protocol: two_armed_bandit}
  two: {rig: sim_nose_ports, subject: "..", protocol: two_arm_bandit, model: rflr}
  three: {rig: sim_nose_ports, subject: M3, protocol: two_armed_bandit, model: rflr, params: {p_hihg: 1}}
  four: {rig: sim_nose_ports, subject: M4, curriculum: nothing}
"""
    found = mistakes(write, text)
    assert [said.split(": ")[:2] for said in found] == [
        ["configs/boxes/today.yaml:2", "boxes.one.rig"],
        ["configs/boxes/today.yaml:3", "boxes.two.subject"],
        ["configs/boxes/today.yaml:3", "boxes.two.protocol"],
        ["configs/boxes/today.yaml:4", "boxes.three.params.p_hihg"],
        ["configs/boxes/today.yaml:5", "boxes.four.curriculum"],
    ]
    assert "did you mean 'two_armed_bandit'?" in found[2]
    assert "did you mean 'p_high'?" in found[3]


@rows("text", "said")
def test_a_mistake_says_what_would_be_right(write: Write, text: str, said: str) -> None:
    assert any(said in mistake for mistake in mistakes(write, text)), mistakes(write, text)


def boxes_of(*rigs: str) -> str:
    lines = [f"  b{place}: {{rig: {rig}, subject: M{place}}}\n" for place, rig in enumerate(rigs)]
    return "defaults: {protocol: two_armed_bandit}\nboxes:\n" + "".join(lines)


def test_two_boxes_share_no_port_not_even_under_another_name(write: Write, tmp_path: Path) -> None:
    (tmp_path / "ttyX").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyX")
    rig_file(write, "a", f", port: {tmp_path}/ttyX", "left_a", "right_a")
    rig_file(write, "b", f", port: {tmp_path}/by-id", "left_b", "right_b")
    (said,) = mistakes(write, boxes_of("a", "b"))
    where = f"configs/boxes/today.yaml:4: boxes.b1.rig: port {tmp_path}/ttyX is that of b0 too"
    assert said == f"{where}, and one program only can use it"


def test_two_boxes_share_no_board_and_no_calibration(write: Write) -> None:
    rig_file(write, "a", ", port: /dev/ttyA, id: 7F3A", "left_a", "right_a")
    rig_file(write, "b", ", port: /dev/ttyB, id: 7F3A", "left_b", "right_a")
    board, calibration = mistakes(write, boxes_of("a", "b"))
    assert "boxes.b1.rig: board 7F3A is that of b0 too, and a board can be in one rig only" in board
    assert "calibrations/right_a.yaml is that of b0 too, and no two valves have the same curve" in calibration


def test_several_boxes_with_boards_name_their_ports(write: Write) -> None:
    rig_file(write, "a", "", "left_a", "right_a")
    assert read(write, boxes_of("a")).plans[0].simulated is False
    rig_file(write, "b", ", port: /dev/ttyB", "left_b", "right_b")
    (said,) = mistakes(write, boxes_of("a", "b"))
    assert "boxes.b0.rig: " in said
    assert "names no port, and several boxes have boards: write port: into its boards" in said


def test_a_real_rig_has_no_virtual_subject(write: Write) -> None:
    rig_file(write, "a", ", port: /dev/ttyA", "left_a", "right_a")
    (said,) = mistakes(write, boxes_of("a").replace("M0", "M0, model: rflr"))
    assert said.endswith("boxes.b0.model: a is a real rig, which has a real subject: leave model out")


def test_the_boxes_that_are_meant_must_be_in_the_file(write: Write) -> None:
    with pytest.raises(ConfigError, match=r"--only three: .* has no such box; it has one, two"):
        Boxes(write("boxes/today.yaml", TWO), Settings(), ["three"])


def test_boxes_with_the_same_seed_are_warned_of(write: Write) -> None:
    boxes = read(write, TWO.replace("params: {}}", "params: {}, seed: 3}"))
    assert [str(warning).partition("boxes/today.yaml:")[2] for warning in boxes.warnings()] == [
        "4: boxes.two.seed: one has the seed 3 too: both draw the same random numbers; write another, or none"
    ]
    assert list(read(write, TWO.replace("params: {}}", "params: {}, seed: 4}")).warnings()) == []
