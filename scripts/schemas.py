"""Writes configs/schemas/*.schema.json: what editors know of our YAML files.

python scripts/schemas.py           write them
python scripts/schemas.py --check   exit with 1 when one is stale; the tests do this too
"""

import sys
from pathlib import Path

from rig.cli.show.schema import WRITERS, schema_of, text
from rig.system.plugins import PROTOCOLS, installed_plugins

FOLDER = Path(__file__).parents[1] / "configs" / "schemas"


def files() -> dict[Path, str]:
    """Draw up the schemas of what we ship, and not of what a laboratory has installed beside it."""
    ours = [name for name, point in installed_plugins(PROTOCOLS).items() if point.value.startswith("protocols.")]
    return {FOLDER / f"{word}.schema.json": text(schema_of(word)) for word in (*WRITERS, *ours)}


def stale() -> list[str]:
    """Name the files that are not what they would be, those that are too many included."""
    wanted = files()
    there = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*")}
    return sorted(path.name for path in {*wanted, *there} if wanted.get(path) != there.get(path))


def main(arguments: list[str]) -> int:
    """Write the schemas, or look whether they are what they would be."""
    if "--check" in arguments:
        return int(bool(stale()))
    FOLDER.mkdir(exist_ok=True)
    for path, written in files().items():
        path.write_text(written, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
