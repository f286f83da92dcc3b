"""Find traps of Python in a protocol's files, with ruff: also in branches that no rehearsal enters."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence

from ruff import find_ruff_bin

from rig.session.check.source.files import SourceFile

_WRONG = ("F5", "F6", "F7", "F82", "PLE")
"""Formats that do not fit, comparisons by `is` with constants, names that are not defined: never meant."""
_DOUBTFUL = {
    "B002": "++ adds nothing in Python: write += 1",
    "B006": "all calls share this default value: write None, and make it in the function",
    "B012": "return in finally hides the end of a session: move it out",
    "B020": "the loop's variable replaces what it loops over: give it another name",
    "B023": "the function reads the loop's variable when it is called, and then it has its last value: give it as a "
    "default value, as in `lambda x, port=port: ...`",
    "B909": "the list is changed in its own loop, so the loop leaves entries out: loop over list(...)",
    "F811": "replaces a function or class of the same name: give it another name",
    "PLR0124": "a value is compared with itself",
    "PLW0127": "a name is assigned to itself",
    "PLW0177": "nothing equals nan: write math.isnan(...)",
    "RUF027": 'a text with {...} and without f before it: write f"..."',
    "SIM220": "this is always false",
    "SIM221": "this is always true",
    "SIM222": "this is always true: compare with each value, as in `x in ('a', 'b')`",
    "SIM223": "this is always false",
}
"""What a protocol seldom means, in our words."""
_OPTIONS = ("check", "--isolated", "--no-cache", "--preview", "--exit-zero", "--output-format", "json", "--select")


def python_traps(files: Sequence[SourceFile]) -> Iterator[tuple[SourceFile, int, str, bool]]:
    """Yield file, line and text of each finding, and whether it is a mistake, not only doubtful."""
    by_path = {str(file.path.resolve()): file for file in files}
    command = [find_ruff_bin(), *_OPTIONS, ",".join((*_WRONG, *_DOUBTFUL)), *by_path]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    for finding in json.loads(done.stdout):
        code = finding["code"] or ""
        text = f"{_DOUBTFUL.get(code, finding['message'])} (ruff {code})"
        yield by_path[finding["filename"]], finding["location"]["row"], text, code.startswith(_WRONG)
