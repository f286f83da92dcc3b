"""How the runner reads a page: it must not pass over what it ought to run."""

from pathlib import Path

import pytest

from tests.docs.consoles import commands, looks_like
from tests.docs.pages import blocks_of


def page(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_block_knows_its_line_its_language_and_what_is_expected_of_it(tmp_path: Path) -> None:
    text = "Words.\n\n<!-- status 3: no board -->\n```sh\nrig run\n```\n\n```\nplain\n```\n"
    first, second = blocks_of(page(tmp_path, text))
    assert (first.where, first.language, first.text, first.status) == ("page.md:4", "sh", "rig run\n", 3)
    assert (second.language, second.status, second.pending, second.not_run) == ("", 0, False, {})


def test_a_comment_belongs_to_the_block_right_below_it(tmp_path: Path) -> None:
    first, second = blocks_of(page(tmp_path, "<!-- pending -->\n\n```sh\na\n```\n```sh\nb\n```\n"))
    assert (first.pending, second.pending) == (True, False)


def test_only_the_commands_that_are_named_are_left_out(tmp_path: Path) -> None:
    (block,) = blocks_of(
        page(tmp_path, "<!-- not run (rig run): needs a person -->\n```sh\nrig run x\nrig sim x\n```\n")
    )
    assert [command for command, _ in commands(block.text) if block.is_run(command)] == ["rig sim x"]


def test_a_comment_that_is_not_understood_is_no_way_out(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"page\.md:2: the comment before the fence is not understood: notrun"):
        blocks_of(page(tmp_path, "<!-- notrun: lazy -->\n```sh\nrig sim\n```\n"))


def test_a_block_names_the_file_that_it_shows(tmp_path: Path) -> None:
    named, other = blocks_of(page(tmp_path, "```yaml\n# my_task.yaml\na: 1\n```\n```python\n# A remark\n```\n"))
    assert (named.file, other.file) == ("my_task.yaml", None)


def test_commands_go_on_after_a_backslash_and_remarks_are_none() -> None:
    assert [command for command, _ in commands("# remark\nrig sim x \\\n  --seed 1\n\nrig show\n")] == [
        "rig sim x    --seed 1",
        "rig show",
    ]


def test_what_is_shown_below_a_prompt_belongs_to_its_command() -> None:
    assert list(commands("$ one\nx\ny\n$ two\n", "$ ")) == [("one", "x\ny"), ("two", "")]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a  \nb\n", True),
        ("a ... c", "a b\nb c", True),
        ("a … c", "a c", False),
        ("a", "a b", False),
        ("(1.5)", "(115)", False),
    ],
)
def test_what_a_page_shows_is_what_was_printed_but_for_the_dots(shown: str, printed: str, same: bool) -> None:
    assert looks_like(shown, printed) is same
