"""Parameters, devices and sequences that no line uses are warnings, as are the names of no device."""

from pathlib import Path

from rig.session.check.source.findings import check_source
from rig.session.spec.task_classes import find_task
from tests.session.check.source.conftest import LINE, PROTOCOL, Lab
from tests.tables import rows


@rows("line", "said")
def test_a_sequence_that_is_never_started_is_a_warning(lab: Lab, line: str, said: str) -> None:
    found = lab(line)
    assert found.mistakes == ()
    (warning,) = found.warnings
    assert said in warning
    assert warning.location.line == LINE


@rows("line", "said")
def test_the_name_of_no_device_is_a_warning(lab: Lab, line: str, said: str) -> None:
    found = lab(line)
    (warning,) = found.warnings
    assert said in warning
    assert warning.location.line == LINE + line.count("\n")
    assert found.mistakes == ()


def test_the_name_of_a_device_that_only_the_rig_has_is_no_warning(lab: Lab) -> None:
    assert lab('if edge.source in ("left", "camera", "laser"): pass').warnings == ()


OTHER = """
from dataclasses import dataclass
from rig import *

class Params(TaskParams):
    drop_ul: RewardVolume = 2.5
    unused_s: float = 1.0

@dataclass
class Box:
    left: Port
    hole4: Port
    frames: TtlIn

class Lab(Task[Params, Box, TrialRow]):
    @state(to=("only",), can_end=True)
    async def only(self) -> Next:
        await self.react((self.box.left.poked, self.box.left.drop(self.params.drop_ul)))
        {body}
        return self.only
"""


def warnings_of(folder: Path, body: str) -> list[str]:
    (folder / "lab.py").write_text(OTHER.replace("{body}", body))
    return [str(warning) for warning in check_source(find_task("./lab.py:Lab", folder), ()).warnings]


def test_a_parameter_and_a_device_that_no_line_uses_are_warnings_but_not_a_recorded_input(tmp_path: Path) -> None:
    parameter, device = warnings_of(tmp_path, "pass")
    assert "lab.py:7: no line uses the parameter unused_s" in parameter
    assert "lab.py:12: no line uses the device box.hole4" in device


@rows("body")
def test_what_may_be_read_by_its_name_is_used(tmp_path: Path, body: str) -> None:
    assert warnings_of(tmp_path, body) == []


def test_a_parameter_of_another_file_that_a_helper_reads_is_used(tmp_path: Path) -> None:
    params = OTHER[OTHER.index("class Params") : OTHER.index("@dataclass\nclass Box")]
    (tmp_path / "shared_params.py").write_text(f"from rig import *\n{params}\ndef half(p): return p.unused_s / 2\n")
    (tmp_path / "more.py").write_text(
        OTHER.replace(params, "from shared_params import Params, half\n")
        .replace("hole4: Port", "right: Port")
        .replace("{body}", "self.note(x=(half(self.params), self.box.right.name))")
    )
    assert check_source(find_task("./more.py:Lab", tmp_path), ()).warnings == ()


def test_a_protocol_without_mistakes_raises_no_alarm(tmp_path: Path) -> None:
    (tmp_path / "whole.py").write_text(PROTOCOL.replace("{body}", "pass"))
    found = check_source(find_task("./whole.py:Lab", tmp_path), ())
    assert (found.mistakes, found.warnings) == ((), ())
