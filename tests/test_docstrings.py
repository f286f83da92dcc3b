"""The first line of a function's docstring begins with a verb of the list, so that all are read in the same way."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.repository import ROOT
from tests.test_repository import repository_files

VERBS = re.compile(
    r"Return|Yield|Check|Raise|Send|Start|Stop|Arm|Parse|Write|Read|Build|Record|Wait|Convert|Validate|"
    r"Handle|Run|Load|Whether|Add|Cancel|Close|Draw|End|Fit|Open|Print|Queue|Remove|Schedule|Set|Show|"
    r"Switch|Update|Move|Peck|Poke|Press|Touch"
)
"""The verbs of what programs do; the last five are acts of subjects. ``Whether`` begins the text of a predicate."""
FOLDERS = ("rig/", "sim_hardware/", "protocols/", "docs/recipes/protocols/", "scripts/", "benchmarks/")
FREE = "rig/cli/show/templates/"
"""Files that a laboratory goes on with."""


def other_first_words(source: str) -> Iterator[str]:
    """Yield the line and the first word of every docstring of a function that begins with another word."""
    for node in ast.walk(ast.parse(source)):
        text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
        if text and not VERBS.fullmatch(word := text.split()[0].strip(".,:;")):
            yield f"{node.body[0].lineno}: {word}"


def test_every_docstring_of_a_function_begins_with_a_verb_of_the_list() -> None:
    found = [
        f"{name}:{where}"
        for name in repository_files()
        if name.endswith(".py") and name.startswith(FOLDERS) and not name.startswith(FREE)
        for where in other_first_words((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "found"),
    [("Return it.", []), ("Tell it.", ["2: Tell"]), ("", []), ("Whether it is.", []), ("The one.", ["2: The"])],
)
def test_another_first_word_is_found(text: str, found: list[str]) -> None:
    assert list(other_first_words(f'def name():\n    """{text}"""\n')) == found
