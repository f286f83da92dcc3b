"""Seeds mistakes into the shipped studies, and runs only the arms and analyses of the numbers that must show them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.repository import ROOT

PACKAGES = ("rig", "protocols", "sim_hardware", "configs", "firmware")
CHANGED = ("params", "model_params", "stop")
"""Keys of an arm that a mistake changes value by value; it replaces all others."""

Figure = Mapping[str, Any]
"""A number of a study's result, as the program prints it."""


class Mistake(NamedTuple):
    """A study, the names of its numbers that must be outside, and what is wrong: values of arms, or a source text.

    ``subjects`` and ``sessions`` are the most of each arm; ``analyzed`` are the arms that the numbers need, if not all.
    """

    study: str
    rows: list[str]
    subjects: int
    sessions: int = 10_000
    analyzed: Sequence[str] = ()
    arms: Mapping[str, Mapping[str, Any]] = {}
    file: str = ""
    right: str = ""
    wrong: str = ""


class Reduced(NamedTuple):
    """A shipped study with some of its numbers, and no more than these need."""

    study: str
    rows: tuple[str, ...]
    subjects: int
    sessions: int
    analyzed: tuple[str, ...]

    @classmethod
    def of(cls, mistake: Mistake) -> Reduced:
        return cls(mistake.study, tuple(mistake.rows), mistake.subjects, mistake.sessions, tuple(mistake.analyzed))

    @classmethod
    def control(cls, mistake: Mistake) -> Reduced:
        """Return the study as small, with the numbers of all mistakes of this size: one run is the control of all."""
        alike = [other for other in MISTAKES.values() if cls.of(other).size == cls.of(mistake).size]
        rows = dict.fromkeys(row for other in alike for row in other.rows)
        return cls.of(mistake)._replace(rows=tuple(rows))

    @property
    def size(self) -> Reduced:
        """The same without numbers."""
        return self._replace(rows=())

    def data(self) -> dict[str, Any]:
        """Return the study as data, without explanations: a number is within its own bounds or outside."""
        whole = shipped(self.study)
        figures = [row for row in whole["figures"] if row["name"] in self.rows]
        for row in figures:
            row.pop("explanation", None)
        analyses = {row["of"]: dict(whole["analyses"][row["of"]]) for row in figures}
        for analysis in analyses.values():
            analysis["arms"] = [arm for arm in analysis["arms"] if not self.analyzed or arm in self.analyzed]
        arms: dict[str, Any] = {}
        for analysis in analyses.values():
            for name in analysis["arms"]:
                arms |= {needed: self._smaller(whole["arms"][needed]) for needed in _needed(whole["arms"], name)}
        return {"title": whole["title"], "arms": arms, "analyses": analyses, "figures": figures}

    def _smaller(self, arm: Mapping[str, Any]) -> dict[str, Any]:
        smaller = dict(arm)
        for key, most in (("subjects", self.subjects), ("sessions", self.sessions)):
            if isinstance(arm.get(key), int):
                smaller[key] = min(arm[key], most)
            elif key in arm:
                smaller[key] = arm[key][:most]
        return smaller


def shipped(study: str) -> dict[str, Any]:
    """Return a shipped study as data."""
    data: dict[str, Any] = yaml.safe_load((ROOT / f"configs/studies/{study}.yaml").read_text(encoding="utf-8"))
    return data


def _needed(arms: Mapping[str, Mapping[str, Any]], name: str) -> Iterator[str]:
    """Yield an arm and the arms from which it takes values or subjects."""
    yield name
    for key in ("like", "same_subjects_as"):
        if key in arms[name]:
            yield from _needed(arms, arms[name][key])


def with_mistake(data: dict[str, Any], mistake: Mistake) -> dict[str, Any]:
    """Return a study with the wrong values in its arms."""
    for name, wrong in mistake.arms.items():
        arm = data["arms"][name]
        for key, value in wrong.items():
            arm[key] = {**arm.get(key, {}), **value} if key in CHANGED and "model" not in wrong else value
    return data


def program(mistake: Mistake, folder: Path) -> Path:
    """Return the root of the program; for a mistake in its source that of a copy."""
    if not mistake.file:
        return ROOT
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
    file = folder / mistake.file
    file.write_text(file.read_text(encoding="utf-8").replace(mistake.right, mistake.wrong), encoding="utf-8")
    return folder


def write(file: Path, data: Mapping[str, Any]) -> None:
    """Write a study file."""
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")


def run_mistake(mistake: Mistake, folder: Path) -> dict[str, Figure]:
    """Run the study with a mistake; return its numbers by name."""
    return run(with_mistake(Reduced.of(mistake).data(), mistake), program(mistake, folder / "program"), folder)


def is_green(figure: Figure) -> bool:
    """Whether a number is as published."""
    return figure["verdict"] in ("within", "direction")


def is_red(figure: Figure) -> bool:
    """Whether a number is outside, and would be with other seeds."""
    return figure["verdict"] == "off" and not figure["unsafe"]


def run(data: Mapping[str, Any], root: Path, folder: Path) -> dict[str, Figure]:
    """Run a study in a process with the program of a folder; return its numbers by name."""
    file = folder / "seeded.yaml"
    write(file, data)
    command = [sys.executable, "-m", "rig.cli.main", "study", "run", str(file), "--data", str(folder / "data")]
    done = subprocess.run(
        [*command, "--jobs", "1", "--json"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return {figure["name"]: figure for figure in json.loads(done.stdout)["figures"]}


MISTAKES = {
    name: Mistake(**fields)
    for name, fields in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")).items()
}
