"""How the check of the wheel runs a page: every command is typed, and each one that does something else is named."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts import wheel_pages
from scripts.installed_wheel import FailedError


class Shell:
    """A terminal of this computer, without the wheel."""

    configs = Path("/opt/lab/rig/_configs")

    def __init__(self) -> None:
        self.lines: list[str] = []

    def typed(self, line: str, folder: Path) -> tuple[int, str]:
        self.lines.append(line)
        ended = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, timeout=10)
        return ended.returncode, ended.stdout + ended.stderr


def run(tmp_path: Path, text: str) -> tuple[wheel_pages.PageRun, Shell]:
    page, shell = tmp_path / "page.md", Shell()
    page.write_text(text)
    return wheel_pages.run_page(shell, tmp_path, page), shell


def test_a_page_is_right_if_each_command_does_what_it_says(tmp_path: Path) -> None:
    text = "```sh\ntrue\n```\n<!-- status 3: why -->\n```sh\nexit 3\n```\n```console\n$ echo a b c\na … c\n```\n"
    done, _ = run(tmp_path, text)
    assert (done.page, done.commands, done.problems) == ("page.md", 3, [])


def test_every_wrong_command_is_named_with_its_line(tmp_path: Path) -> None:
    text = "```sh\nexit 3\nexit 4\n```\n```console\n$ echo a\nb\n```\n```sh\necho Traceback\n```\n"
    done, _ = run(tmp_path, text)
    beginnings = [problem.splitlines()[0] for problem in done.problems]
    assert beginnings == [
        "page.md:1: exit 3: exit status 3, not 0",
        "page.md:1: exit 4: exit status 4, not 0",
        "page.md:5: echo a: prints",
        "page.md:9: echo Traceback: a traceback",
    ]


def test_commands_meet_the_files_that_the_page_shows(tmp_path: Path) -> None:
    text = "```yaml\n# configs/rigs/our.yaml\na: 1\n```\n```console\n$ cat configs/rigs/our.yaml\n…\na: 1\n```\n"
    done, _ = run(tmp_path, text)
    assert done.problems == []


def test_shipped_files_are_called_as_in_the_repository(tmp_path: Path) -> None:
    done, _ = run(tmp_path, f"```console\n$ echo {Shell.configs}/rigs/a.yaml:3\nconfigs/rigs/a.yaml:3\n```\n")
    assert done.problems == []


def test_a_command_that_needs_a_board_is_not_typed(tmp_path: Path) -> None:
    text = (
        "<!-- not run (exit): needs a board -->\n```sh\nexit 1\ntrue\n```\n```bat\nexit 1\n```\n```text\nexit 1\n```\n"
    )
    done, shell = run(tmp_path, text)
    assert (shell.lines, done.commands) == (["true"], 1)


def test_pages_are_not_run_where_their_commands_would_open_valves(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [SimpleNamespace(device="/dev/ttyS0", vid=None), SimpleNamespace(device="/dev/ttyACM0", vid=0x2341)]
    monkeypatch.setattr(wheel_pages, "comports", lambda: ports)
    with pytest.raises(FailedError, match=r"^unplug /dev/ttyACM0: "):
        wheel_pages.refuse_boards()
    monkeypatch.setattr(wheel_pages, "comports", lambda: ports[:1])
    wheel_pages.refuse_boards()


def test_the_readme_and_every_tutorial_is_run_but_the_day() -> None:
    names = {page.name for page in wheel_pages.PAGES}
    assert {"README.md", "install.md", "weekly.md", "trouble.md", "principal-investigators.md"} <= names
    assert "a-day.md" not in names
