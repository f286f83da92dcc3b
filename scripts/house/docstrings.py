"""The docstring of a function begins with a verb of a list, so that all are read in the same way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from scripts.house.sources import Finding, Source

VERBS = re.compile(
    r"Return|Yield|Check|Raise|Send|Start|Stop|Arm|Parse|Write|Read|Build|Record|Wait|Convert|Validate|"
    r"Handle|Run|Load|Whether|Add|Cancel|Close|Draw|End|Fit|Open|Print|Queue|Remove|Schedule|Set|Show|"
    r"Switch|Update|Move|Peck|Poke|Press|Touch"
)
"""The verbs of what programs do; the last five are acts of subjects. ``Whether`` begins the text of a predicate."""
FOLDERS = ("rig/", "sim_hardware/", "protocols/", "docs/recipes/protocols/", "scripts/", "benchmarks/")
FREE = "rig/cli/show/templates/"
"""Files that a laboratory goes on with."""


def findings(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield every docstring of a function that begins with another word."""
    for source in sources:
        if not source.is_python_in(*FOLDERS) or source.path.startswith(FREE):
            continue
        for node in source.functions:
            text = ast.get_docstring(node, clean=False)
            word = text.split()[0].strip(".,:;") if text and text.strip() else ""
            if word and not VERBS.fullmatch(word):
                right = "begin with a verb of the list in scripts/house/docstrings.py, such as Return"
                yield Finding(source.path, node.body[0].lineno, f"the docstring begins with '{word}': {right}")
