"""Check the rules of the house that neither ruff nor an import contract can check.

python -m scripts.house     exit with 1 if a file breaks one; `make lint` does this too
"""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

from scripts.house import clocks, docstrings, forbidden_texts, lengths, namespace, platforms, wiring, words
from scripts.house.sources import read_sources

RULES = (forbidden_texts, words, docstrings, lengths, clocks, namespace, platforms, wiring)


def main() -> int:
    """Print every finding."""
    gc.disable()  # syntax trees have no garbage, and searching them for it takes half of the time
    try:
        sources = list(read_sources(Path(__file__).parents[2]))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"git cannot list the files of this folder: check them in a clone: {error}\n")
        return 2
    found = sorted(finding for rule in RULES for finding in rule.findings(sources))
    sys.stdout.writelines(f"{finding.path}:{finding.line}: {finding.text}\n" for finding in found)
    sys.stdout.write(f"{len(found) or 'No'} findings of {len(RULES)} rules in {len(sources)} files.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
