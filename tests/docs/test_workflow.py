"""The workflows of this repository: one names three systems, one publishes the site, and what they run is there."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.website.repository import HTML

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
JOB: dict[str, Any] = yaml.safe_load((WORKFLOWS / "systems.yml").read_text())["jobs"]["check"]
SITE: dict[str, Any] = yaml.safe_load((WORKFLOWS / "site.yml").read_text())["jobs"]["publish"]
COMMANDS = {step["name"]: shlex.split(step["run"]) for step in JOB["steps"] if "run" in step}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_it_runs_on_three_systems_with_versions_of_python_that_the_project_names() -> None:
    assert {name.partition("-")[0] for name in JOB["strategy"]["matrix"]["os"]} == {"ubuntu", "macos", "windows"}
    named = {word.rpartition(" ")[2] for word in PROJECT["classifiers"] if "Python :: 3." in word}
    assert set(JOB["strategy"]["matrix"]["python"]) <= named


def test_every_action_has_a_version() -> None:
    uses = [step["uses"] for step in JOB["steps"] + SITE["steps"] if "uses" in step]
    assert len(uses) == 6
    assert all(re.fullmatch(r"actions/[a-z-]+@v[0-9]+", action) for action in uses)


def test_it_installs_what_the_tests_need() -> None:
    command = COMMANDS["Install the program and the tools of its tests"]
    extras = re.findall(r"\[(\w+)\]", command[-1])
    assert extras == ["dev"]
    assert set(extras) <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize("name", [name for name, words in COMMANDS.items() if words[:3] == ["python", "-m", "pytest"]])
def test_its_tests_are_there(name: str) -> None:
    words = COMMANDS[name]
    folders = [word for word in words[3:] if word.startswith("tests/")]
    assert folders
    assert all((ROOT / folder).exists() for folder in folders)
    # What `-m` selects of the first folder: a wrong expression or name is an error of pytest.
    options = [word for word in words[3:] if word not in folders]
    collected = subprocess.run(
        [sys.executable, *words[1:3], "--collect-only", "-q", *options, folders[-1]],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert collected.returncode == 0, collected.stdout + collected.stderr


@pytest.mark.parametrize("name", ["Check the types of this system", "Run a session"])
def test_its_programs_are_there(name: str) -> None:
    program = COMMANDS[name][:3] if COMMANDS[name][0] == "python" else [sys.executable, "-m", "rig.cli.main", "demo"]
    program = [sys.executable if word == "python" else word for word in program]
    assert subprocess.run([*program, "--help"], cwd=ROOT, capture_output=True).returncode == 0


def test_the_site_is_built_by_make_and_published_from_where_it_is_built() -> None:
    builds = [step["run"] for step in SITE["steps"] if "run" in step]
    (artifact,) = (step["with"]["path"] for step in SITE["steps"] if "upload-pages-artifact" in step.get("uses", ""))
    assert builds == ["make site"]
    assert "site: dev-env\n\t$(BIN)/python -m scripts.website\n" in (ROOT / "Makefile").read_text()
    assert ROOT / artifact == HTML
