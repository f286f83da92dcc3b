"""The YAML of a page, read as what it is: a protocol, a curriculum, a rig, ... or a subject, whole or a part of one."""

from pathlib import Path

from rig.config import load_calibration, load_config
from rig.config.models.boxes_file import load_boxes_file
from rig.config.subject import load_subject
from rig.session.curriculum.curriculum import Curriculum
from rig.session.spec.build import build_spec
from rig.session.spec.read_rig import read_rig
from rig.session.spec.request import SessionRequest
from rig.studies.plan import Study
from tests.docs.pages import Block

_WHOLE = {"protocols": "protocol", "rigs": "boards", "calibrations": "points"}
_BASES = {"protocols": "two_armed_bandit.yaml", "rigs": "nose_ports_uno.yaml", "calibrations": "left_2026-11-03.yaml"}
"""A part is read on top of one of ours."""


def check(block: Block, folder: Path) -> None:
    """Read a block with everything that it needs. Raises what the product raises over a mistake in it."""
    path = folder / (block.file or "part.yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    keys = load_config(path).data.keys()
    kind = kind_of(keys)
    if kind in _WHOLE and _WHOLE[kind] not in keys and "\nextends:" not in f"\n{block.text}":
        path.write_text(f"extends: {_BASES[kind]}\n{block.text}", encoding="utf-8")
    _read(kind, path)
    if block.file is None:
        path.unlink()


def kind_of(keys: object) -> str:
    words = set(keys)  # type: ignore[call-overload]
    if "stages" in words:
        return "curricula"
    if "boxes" in words:
        return "boxes"
    if "arms" in words:
        return "studies"
    if "jobs" in words:
        return "workflows"
    if words & {"boards", "devices", "screen"}:
        return "rigs"
    if any(word.startswith("baseline") for word in words):
        return "subjects"
    return "calibrations" if words & {"valve", "points", "pulses"} else "protocols"


def _read(kind: str, path: Path) -> None:
    if kind == "rigs":
        read_rig(path)
    elif kind == "curricula":
        Curriculum(path, SessionRequest()).check()
    elif kind == "calibrations":
        load_calibration(path)
    elif kind == "boxes":
        load_boxes_file(path)  # the rigs that it names are the reader's own
    elif kind == "studies":
        Study(path)
    elif kind == "workflows":
        pass  # the workflow's own test runs its steps
    elif kind == "subjects":
        load_subject(path.parent)
    else:
        build_spec(SessionRequest(str(path)))
