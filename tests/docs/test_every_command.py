"""Every command of the program stands on a page, and so does every option of the commands of each day."""

from pathlib import Path

import pytest

from rig.cli.main import GROUPS
from tests.docs import typed_commands as typed

EACH_DAY = [command for command in typed.commands() if command.words[0] in GROUPS["each day"]]
SHARED = frozenset({"--board", "--by", "--data", "--json", "--yes"})
"""Options that mean the same with every command that has them: it is enough that a page explains each once."""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.md"


def test_every_command_is_on_a_page() -> None:
    assert typed.missing_commands() == []


@pytest.mark.parametrize("command", EACH_DAY, ids=lambda command: " ".join(command.words))
def test_every_option_of_a_command_of_each_day_is_on_a_page_with_it(command: typed.Command) -> None:
    assert typed.missing_options(command, SHARED) == []


def test_verbs_and_commands_of_experiments_are_commands() -> None:
    words = {command.words for command in typed.commands()}
    assert {("run",), ("session", "note"), ("person", "forget"), ("searches", "export")} <= words
    assert ("session",) not in words


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nrig session note TEXT --subject M1\n```\n",
        "```console\n$ rig session note --subject M1\nnoted\n```\n",
        "```bat\nrig session note ^\n  TEXT --subject M1\n```\n",
        "Type `rig session note\nTEXT`, with `--subject M1`.\n",
        "`rig session reward|note --subject`\n",
    ],
)
def test_a_page_shows_a_command_in_a_block_or_in_backticks(text: str, page: Path) -> None:
    page.write_text(text)
    assert typed.is_shown(("session", "note"), page)
    assert "--subject" in typed.options_shown(("session", "note"), page)


@pytest.mark.parametrize(
    "text",
    [
        "Type rig session note.\n",
        "```sh\n# rig session note --subject M1\n```\n",
        "`rig session notes --subject`\n",
        "`rig session`, and `note --subject M1`\n",
        "`--subject`\n",
    ],
)
def test_a_page_does_not_show_a_command_in_other_words(text: str, page: Path) -> None:
    page.write_text(text)
    assert not typed.is_shown(("session", "note"), page)
    assert not typed.options_shown(("session", "note"), page)


def test_the_option_of_another_command_is_not_that_of_this_one(page: Path) -> None:
    page.write_text("```sh\nrig session note TEXT\nrig session end --subject M1\n```\n")
    assert "--subject" not in typed.options_shown(("session", "note"), page)
