"""What holds for every file of the repository."""

import ast
import re
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache

from tests.repository import ROOT

SOURCES = ("rig", "protocols", "sim_hardware")
MOST_PRAGMAS = 10

# Every `no cover` and `no branch` of the sources: file -> one reason for each.
PRAGMAS: dict[str, tuple[str, ...]] = {}

# Who may ask a real clock, or wait on one: pattern -> reason.
CLOCK_READERS = {
    "rig/cli/*": "names the day of a session and draws progress",
    "rig/live/*.py": "draws the time that passes between two lines, and between two signs of life",
    "rig/window/*.py": "draws the time that passes, and names the day of a box's session",
    "rig/supervisor/box.py": "draws the time that passes between two lines",
    "rig/session/run/journal_file.py": "syncs the journal to the disk from a helper thread",
    "rig/camera/frames.py": "stamps and paces pictures, in the camera's own process",
    "rig/screen/window.py": "stamps frames and touches, in a process of its own",
    "rig/boards/serial/transport*.py": "opens and closes real ports",
    "sim_hardware/loop.py": "is a clock itself, and watches how long a callback really took",
}
CLOCKS = {
    *(f"time.{name}{unit}" for name in ("time", "monotonic", "perf_counter") for unit in ("", "_ns")),
    "time.sleep",
    *(f"datetime.{name}" for name in ("now", "utcnow", "today")),
    *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
    "date.today",
    "datetime.date.today",
}

# Written so that they do not find themselves.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home|Users)/")
REGISTRY_HOST = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.org|npmjs\.com|crates\.io|(?:deb|archive|security)\.(?:debian|ubuntu)\.\w+"
)


@cache
def repository_files() -> tuple[str, ...]:
    """What git tracks or would track; without git, everything that is not hidden or a cache."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        ignored = re.compile(r"(^|/)(\.[^/]*|__pycache__|build|dist|data|htmlcov)/")
        listed = [path.as_posix() for path in paths if not ignored.search(path.as_posix())]
    return tuple(sorted(name for name in set(listed) if name and (ROOT / name).is_file()))


def sources(suffix: str = ".py") -> Iterator[tuple[str, str]]:
    """Name and text of every source file."""
    for name in repository_files():
        if name.split("/")[0] in SOURCES and name.endswith(suffix):
            yield name, (ROOT / name).read_text(encoding="utf-8")


def lines_that_match(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name in repository_files()
        for number, line in enumerate((ROOT / name).read_text("utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


def dotted(node: ast.AST) -> str:
    """`a.b.c` of a chain of names, or nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (start := dotted(node.value)):
        return f"{start}.{node.attr}"
    return ""


def clocks_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every mention of a clock, called at once or handed on."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and dotted(node) in CLOCKS:
            yield node.lineno, dotted(node)
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            yield from ((node.lineno, f"time.{name.name}") for name in node.names if f"time.{name.name}" in CLOCKS)


def test_there_is_a_repository_to_look_at() -> None:
    assert "pyproject.toml" in repository_files()
    assert any(True for _ in sources())


def test_what_no_test_covers_is_listed_with_its_reason() -> None:
    pragma = re.compile(r"pragma:\s*no\s*(?:cover|branch)", re.IGNORECASE)
    found = {name: len(pragma.findall(text)) for name, text in sources()}
    assert {name: count for name, count in found.items() if count} == {
        name: len(reasons) for name, reasons in PRAGMAS.items()
    }
    assert sum(found.values()) <= MOST_PRAGMAS


def test_no_file_names_a_path_of_one_machine() -> None:
    assert lines_that_match(MACHINE_PATH) == []


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert lines_that_match(REGISTRY_HOST) == []


def test_only_the_command_line_and_commands_of_experiments_print() -> None:
    assert [
        f"{name}:{node.lineno}"
        for name, text in sources()
        if not (name.startswith("rig/cli/") or "commands/" in name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and dotted(node.func) == "print"
    ] == []


def test_only_those_who_must_ask_a_real_clock() -> None:
    assert [
        f"{name}:{line}: {clock}"
        for name, text in sources()
        if not any(fnmatch(name, pattern) for pattern in CLOCK_READERS)
        for line, clock in clocks_in(ast.parse(text))
    ] == []


def test_no_interlock_is_an_assert() -> None:
    assert [
        f"{name}:{node.lineno}"
        for name, text in sources()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assert)
    ] == []


def test_protocols_stay_a_namespace_that_a_laboratory_can_add_to() -> None:
    assert not (ROOT / "protocols" / "__init__.py").exists()
