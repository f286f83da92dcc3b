"""Write docs/reference/yaml.md: every key of every YAML file, from the models that read them."""

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from protocols.disk_bandit.subjects.pecking_behavior import PeckerParams
from protocols.searching.subjects.participant import ParticipantParams
from protocols.two_armed_bandit.subjects.named import NamedParams
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams
from rig.config.explain import yaml_text
from rig.config.field_docs import FieldDoc, field_docs, param_groups
from rig.config.limits import LabFile
from rig.config.models.boxes_file import BoxDefaults, BoxEntry, BoxesFile
from rig.config.models.calibration_file import CalibrationFile, CalibrationPoint
from rig.config.models.criteria import CellComparison, StageCondition
from rig.config.models.curriculum import Assignment, CurriculumFile, Rule, Stage
from rig.config.models.expect import Expectations, InputExpectation, RewardExpectation
from rig.config.models.protocol_file import ProtocolFile, SessionLimits, SimulationSection
from rig.config.models.rig_file import BoardEntry, PanicEntry, RigFile
from rig.config.models.study_figures import ExpectedFigure, Explanation, Picture, Unreached
from rig.config.models.study_file import (
    AnalysisRun,
    Arm,
    Power,
    Statistic,
    StudyFile,
)
from rig.config.subject import SubjectFile
from rig.devices import ScreenConfig
from rig.devices.feeder import FeederCalibration
from rig.devices.kinds import shipped_kinds
from rig.devices.sampled import ThresholdConfig
from rig.devices.sync_config import SyncConfig

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "yaml.md"

HEAD = """<!-- Written by scripts/yaml_reference.py: change the models, not this page. -->
# Every key of every YAML file

A session uses three kinds of files: a [protocol](#a-protocol) (`configs/protocols/`), a [rig](#a-rig)
(`configs/rigs/`) and a [calibration](#a-calibration) for each valve (`configs/calibrations/`); a
[curriculum](#a-curriculum) (`configs/curricula/`) chooses the protocol of the day. A [boxes file](#a-boxes-file)
(`configs/boxes/`) starts the sessions of several boxes at once. A [study](#a-study) (`configs/studies/`) runs sessions
of virtual subjects and compares their figures with published ones.

A name without a slash is looked up below `configs` in the current folder, then in installed
[packages](../how-to/package.md), then among the shipped files. Unknown keys and values out of bounds are mistakes. All
mistakes of all files are listed at once, each with its file and line.

**YAML** follows version 1.2: `no` and `off` are words, `true` and `false` are truth values, and `1e3` is a number.
`null` or an empty value means no value. The same key twice in one mapping is a mistake.

**Inheritance.** `extends: other.yaml` takes all keys from another file: beside this one, in a package, or shipped.
In a list of files, later ones override earlier ones. Mappings are merged key by key; lists and other values are
replaced completely. `--set key=value` on the command line overrides all files. A key without a default is required,
in this file or in an extended one.

**Live.** A parameter with "(live)" behind its meaning can change during a session: `rig session set key=value`
([details](../decisions/live-parameters.md)).
"""

SHARED: dict[type[BaseModel], str] = {
    NamedParams: "all mice that have a name",
    NosePortParams: "all mice",
    PeckerParams: "all that peck",
    ParticipantParams: "all participants",
}
"""Shared parameters of virtual subjects with the name of the group; specific groups before general ones."""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_files(), *_protocols(), *_models()])


def _files() -> Iterator[str]:
    yield from _protocol_file()
    yield from _curriculum_file()
    yield from _rig_file()
    yield from _section("## A calibration", CalibrationFile)
    yield from _section("### Each of `points`", CalibrationPoint)
    yield from _boxes_file()
    yield from _study_file()
    yield from _subject_and_lab_files()


def _protocol_file() -> Iterator[str]:
    yield from _section("## A protocol", ProtocolFile)
    yield from _section("### `simulation`", SimulationSection)
    yield from _section("### `stop`", SessionLimits)
    yield (
        "At least one of `max_rewards`, `max_ul`, `max_pellets` and `max_access_s` is required: `max_rewards`, or one\n"
        "for each unit that the protocol's devices can give. A limit in a unit that no device gives is a mistake.\n"
    )
    yield from _section("### `expect`", Expectations)
    yield "A rig and a protocol can both have this section; the protocol's values override the rig's, key by key."
    yield "[What follows from it](expectations.md).\n"
    yield from _section("### Each of `expect.inputs`", InputExpectation)
    yield from _section("### Each of `expect.rewards`", RewardExpectation)


def _curriculum_file() -> Iterator[str]:
    yield from _section("## A curriculum", CurriculumFile)
    yield from _section("### `assign`", Assignment)
    yield "[Conditions between subjects](../how-to/curricula.md#conditions-between-subjects).\n"
    yield from _section("### Each of `stages`", Stage)
    yield from _section("### Each of `rules`", Rule)
    yield from _section("### Each of `when`", StageCondition)
    yield from _section("### A comparison", CellComparison)
    yield "A row is selected if all named columns match: each has a value, a list of values or a comparison.\n"


def _rig_file() -> Iterator[str]:
    yield from _section("## A rig", RigFile)
    yield from _section("### Each of `boards`", BoardEntry)
    yield from _section("### `panic` of a board", PanicEntry)
    yield "`panic: 12` means `panic: {pin: 12}`."
    yield "[How to wire the button](../how-to/wiring-nose-ports.md#a-panic-button).\n"
    for word, kind in shipped_kinds().items():
        yield from _section(f"### A device of `kind: {word}`", kind.Config)
    yield from _section("### `sync` of a `ttl_out`", SyncConfig)
    yield "`sync: code` means `sync: {}`, and `sync: square` means `sync: {square_hz: 1}`."
    yield "[How to wire the signal, and which one to choose](../how-to/sync-output.md).\n"
    yield from _section("### `measured` of a feeder", FeederCalibration)
    yield from _section("### Each of `thresholds` of an analog input or an encoder", ThresholdConfig)
    yield from _section("### `screen`", ScreenConfig)


def _boxes_file() -> Iterator[str]:
    yield from _section("## A boxes file", BoxesFile)
    yield from _section("### `defaults`", BoxDefaults)
    yield from _section("### Each of `boxes`", BoxEntry)
    yield "Each box runs a `protocol` or a `curriculum`. [How to run several boxes](../how-to/several-boxes.md).\n"


def _study_file() -> Iterator[str]:
    yield from _section("## A study", StudyFile)
    yield "[How to write one](../how-to/studies.md). Places below name a key or, in a list, an index or `NAME=VALUE`.\n"
    yield from _section("### Each of `arms`", Arm)
    yield "Each arm runs a `protocol` or a `curriculum`. Numbered subjects begin with the arm's name: `80-20-001`.\n"
    yield from _section("### Each of `analyses`", AnalysisRun)
    yield from _section("### Each of `figures`", ExpectedFigure)
    yield "A figure has `expected` and `tolerance`, or `at_least`, `at_most` or both.\n"
    yield from _section("### `explanation` of a figure", Explanation)
    yield "An explanation has `at_least`, `at_most` or both, and they reach beyond the bounds of the figure.\n"
    yield from _section("### Each of `not_reached`", Unreached)
    yield from _section("### Each of `pictures`", Picture)
    yield from _section("### `power`", Power)
    yield from _section("### `statistic` of `power`", Statistic)


def _subject_and_lab_files() -> Iterator[str]:
    yield from _section("## A subject", SubjectFile)
    yield "Every key of `<data>/<subject>/subject.yaml` is optional. Every reward counts toward the limits: of any"
    yield "protocol, by hand, or by `rig board check --subject`. A limit missing here is taken from the laboratory's"
    yield "file, or else it is the default.\n"
    yield from _section("## A laboratory", LabFile)
    yield "`<data>/lab.yaml` holds the values for subjects whose files do not set them.\n"


def _protocols() -> Iterator[str]:
    yield "## `params` of each protocol\n"
    for name, task in _shipped("rig.protocols"):
        yield from _section(f"### `{name}`", task.params_type)
        for key, group in param_groups(task.params_type).items():
            yield from _section(f"#### `{key}` of `{name}`", group)


def _models() -> Iterator[str]:
    yield "## Virtual subjects\n"
    yield "Parameters for `--param name=value`, and for `simulation.model_params` in a protocol.\n"
    yield from _section("### All mice at the nose ports", NosePortParams)
    yield from _section("### Mice that have a name", NamedParams, NosePortParams)
    yield from _section("### All that peck disks as birds do", PeckerParams)
    yield from _section("### All participants in searches for rewards", ParticipantParams)
    for name, model in _shipped("rig.models"):
        if not model.Params.model_fields:
            continue
        shared = next((params for params in SHARED if issubclass(model.Params, params)), None)
        if shared is None:
            yield from _section(f"### `{name}`", model.Params)
        elif model.Params is shared:
            yield f"### `{name}`\n\nHas those of {SHARED[shared]} only.\n"
        else:
            yield from _section(f"### `{name}`", model.Params, shared)
            yield f"And those of {SHARED[shared]}.\n"


PACKAGES = ("protocols.", "sim_hardware.")


def _shipped(group: str) -> Iterator[tuple[str, Any]]:
    """Return the shipped objects of an entry point group, without those of other installed packages."""
    # Other packages may be installed; the page must be the same on every machine.
    points = {point.name: point for point in entry_points(group=group) if point.value.startswith(PACKAGES)}
    return ((name, points[name].load()) for name in sorted(points))


def _section(title: str, model: type[BaseModel], without: type[BaseModel] = BaseModel) -> Iterator[str]:
    yield f"{title}\n\n| key | default | accepted | meaning |\n|---|---|---|---|"
    for key in field_docs(model):
        if key.name not in without.model_fields or key.default != without.model_fields[key.name].default:
            accepted = key.accepted + (f" ({key.unit})" if key.unit else "")
            meaning = f"{key.description} (live)" if key.live else key.description
            cells = (f"`{key.name}`", _default(key), accepted, meaning)
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""


def _default(key: FieldDoc) -> str:
    if key.required:
        return "required"
    return "" if key.default in (None, "", [], {}) else f"`{yaml_text(key.default)}`"


def pages() -> Mapping[Path, str]:
    """Return the page with its path."""
    return {PAGE: page()}
