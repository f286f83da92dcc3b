"""Every command and every snippet of the README and of docs/ does what its page says."""

import ast
import json
import runpy
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs import clone, yaml_blocks
from tests.docs.consoles import wrong_result
from tests.docs.installs import hide_what_is_not_installed
from tests.docs.pages import PAGES, Block, blocks_of, path_of

FEW_NOT_RUN = {
    "installs from the network": 6,
    "changes this computer": 2,
    "takes minutes": 3,
    "needs a person at the keys": 6,
    "has tests of its own": 6,
    "needs a board": 6,
    "needs an animal": 3,
    "needs a display": 3,
    "needs a recording of another system": 2,
    "needs several computers": 2,
    "needs a server": 1,
}
"""The only reasons not to run a command, and how many blocks may have each."""

A_DAY = "a-day.md"
"""A page that scripts/a_day.py runs as a whole, at several terminals."""

SHOWN_ONLY = {"text", "bat", "powershell", "mermaid", "cpp"}


def check_commands(block: Block, folder: Path) -> list[str]:
    wrong = []
    for command, shown in block.commands():
        if problem := wrong_result(shown, block.status, *clone.run(command)):
            wrong.append(f"{block.where}: {command}: {problem}")
    return wrong


def check_yaml(block: Block, folder: Path) -> list[str]:
    try:
        yaml_blocks.check(block, folder)
    except Exception as error:
        return [f"{block.where}: {error}"]
    return []


def check_python(block: Block, folder: Path) -> list[str]:
    try:
        compile(block.text, block.where, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return [f"{block.where}: {error}"]
    if block.file is not None:
        (folder / block.file).write_text(block.text, encoding="utf-8")
        return []
    return run_python(block, folder) if is_whole(block.text) else []


def is_whole(text: str) -> bool:
    """Whether a block is no fragment: it imports what it uses."""
    return isinstance(ast.parse(text).body[0], ast.Import | ast.ImportFrom)


def run_python(block: Block, folder: Path) -> list[str]:
    file = folder / f"block_{block.line}.py"
    file.write_text(block.text, encoding="utf-8")
    try:
        runpy.run_path(str(file))
    except Exception as error:
        return [f"{block.where}: {type(error).__name__}: {error}"]
    finally:
        file.unlink()
    return []


def check_json(block: Block, folder: Path) -> list[str]:
    try:
        for line in block.text.splitlines():
            json.loads(line)
    except ValueError:
        try:
            json.loads(block.text)
        except ValueError as error:
            return [f"{block.where}: {error}"]
    return []


def check_toml(block: Block, folder: Path) -> list[str]:
    try:
        tomllib.loads(block.text)
    except tomllib.TOMLDecodeError as error:
        return [f"{block.where}: {error}"]
    return []


CHECKS: dict[str, Callable[[Block, Path], list[str]]] = {
    "sh": check_commands,
    "console": check_commands,
    "yaml": check_yaml,
    "python": check_python,
    "json": check_json,
    "toml": check_toml,
}


LONGEST = "grid-study.md"
"""Its commands check and simulate whole sessions of people: a minute of processor time."""
RUN = [
    pytest.param(page, marks=[pytest.mark.campaign] if page.name == LONGEST else [])
    for page in PAGES
    if page.name != A_DAY
]


@pytest.mark.parametrize("page", RUN, ids=path_of)
def test_a_page_says_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.make(tmp_path, monkeypatch)
    hide_what_is_not_installed(page, monkeypatch)
    blocks = [block for block in blocks_of(page) if not block.pending and block.language in CHECKS]
    wrong = [text for block in blocks for text in CHECKS[block.language](block, tmp_path)]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)


def test_every_block_is_of_a_language_that_is_known_here() -> None:
    blocks = [block for page in PAGES for block in blocks_of(page)]
    assert blocks
    known = {*CHECKS, *SHOWN_ONLY, ""}
    assert [f"{block.where}: {block.language}" for block in blocks if block.language not in known] == []


def test_few_commands_are_not_run_and_all_for_a_good_reason() -> None:
    reasons = [reason for page in PAGES for block in blocks_of(page) for reason in block.not_run.values()]
    count = {reason: reasons.count(reason) for reason in reasons}
    assert {reason: n for reason, n in count.items() if n > FEW_NOT_RUN.get(reason, 0)} == {}
