"""The workflow of a laboratory: its steps run, offline, in a folder that holds the laboratory's files and no more."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.recipes_page import FOLDER

PAGE = FOLDER.parent / "how-to" / "ci.md"
WORKFLOW = FOLDER / ".github" / "workflows" / "protocols.yml"
TEST = FOLDER / "tests" / "test_go_no_go.py"


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text())["jobs"]["protocols"]["steps"]
    return [step for step in found if "run" in step]


def offline() -> dict[str, str]:
    """The environment of this checkout; pip finds what is installed, and nothing is fetched."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    mine = {name: text for name, text in os.environ.items() if not name.startswith(("PYTEST", "COVERAGE", "RIG_"))}
    return {**mine, **nowhere, "PATH": path, "PIP_NO_INDEX": "1"}


def test_every_step_of_the_workflow_runs(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for step in steps():
        ran = subprocess.run(
            ["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=offline(), capture_output=True, text=True
        )
        assert ran.returncode == 0, f"{step['name']}:\n{ran.stdout}{ran.stderr}"
    assert [step["name"] for step in steps()][1:] == ["Check every file", "Run the tests of the protocols"]


@pytest.mark.campaign
def test_a_mistake_in_a_protocol_fails_the_workflow(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    task = tmp_path / "protocols" / "go_no_go.py"
    task.write_text(
        task.read_text().replace('("hit" if lick else "miss")', '"hit"').replace("p.go_hz if go", "0 if go")
    )
    checked, tested = (
        subprocess.run(["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=offline(), capture_output=True, text=True)
        for step in steps()[1:]
    )
    assert checked.returncode == 2
    assert "go_no_go" in checked.stderr
    assert tested.returncode == 1


@pytest.mark.parametrize("file", [WORKFLOW, TEST], ids=lambda file: file.name)
def test_the_page_shows_the_files_as_they_are(file: Path) -> None:
    assert f"\n{file.read_text()}```\n" in PAGE.read_text()
