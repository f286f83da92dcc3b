"""The validator of a pair of parameters that the page for designers shows: its message names the parameter's line."""

import re
from pathlib import Path

from rig.session.check.check import check
from rig.session.spec.request import SessionRequest
from tests.session.check.test_dry_run import LAB_PROTOCOL, YAML

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "protocol-parts.md"


def snippet() -> str:
    """Return the lines of the page, as they stand in a class of parameters."""
    found = re.search(
        r"```python\n(# in Params; with `(from pydantic .*?)` above\n.*?)```", PAGE.read_text(), re.DOTALL
    )
    assert found is not None
    return f"{found[2]}\n" + "\n".join(f"    {line}".rstrip() for line in found[1].splitlines()[1:])


def mistakes(folder: Path, params: str) -> tuple[str, ...]:
    above, _, fields = snippet().partition("\n")
    protocol = LAB_PROTOCOL.format(body="pass").replace(
        "class Params(TaskParams):", f"class Params(TaskParams):\n{fields}"
    )
    (folder / "lab.py").write_text(f"{above}\n{protocol}")
    (folder / "lab.yaml").write_text(f"{YAML.strip()}\nparams:\n{params}")
    return check(folder / "lab.yaml", SessionRequest()).mistakes


def test_a_pair_that_does_not_fit_is_told_at_its_line(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "  post_min_s: 1\n  post_max_s: 10\n") == ()
    (mistake,) = mistakes(tmp_path, "  post_min_s: 20\n  reward_ul: 2.5\n  post_max_s: 10\n")
    line = next(n for n, text in enumerate((tmp_path / "lab.yaml").read_text().splitlines(), 1) if "post_max_s" in text)
    assert f"lab.yaml:{line}: params: post_max_s is 10, less than post_min_s (20): swap them" in mistake
