"""Write configs/schemas/*.schema.json, the schemas of the YAML files for editors.

python scripts/schemas.py           write them
python scripts/schemas.py --check   exit with 1 if one is out of date; the tests do this too
"""

import sys
from pathlib import Path

from rig.cli.show.schema import WRITERS, schema_of, text
from rig.config.json_schema import rig_schema
from rig.devices.kinds import shipped_kinds
from rig.system.plugins import PROTOCOLS, installed_plugins

FOLDER = Path(__file__).parents[1] / "configs" / "schemas"


def files() -> dict[Path, str]:
    """Return the schemas of the shipped protocols and devices, without those of other installed packages."""
    # A developer's machine may have a laboratory's protocols installed; the shipped files must not depend on them.
    ours = [name for name, point in installed_plugins(PROTOCOLS).items() if point.value.startswith("protocols.")]
    schemas = {**{word: schema_of(word) for word in (*WRITERS, *ours)}, "rig": rig_schema(shipped_kinds())}
    return {FOLDER / f"{word}.schema.json": text(schema) for word, schema in schemas.items()}


def stale() -> list[str]:
    """Return the names of files that are out of date, missing or superfluous."""
    wanted = files()
    there = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*")}
    return sorted(path.name for path in {*wanted, *there} if wanted.get(path) != there.get(path))


def main(arguments: list[str]) -> int:
    """Write the schemas; with ``--check`` only return 1 if one is out of date, else 0."""
    if "--check" in arguments:
        return int(bool(stale()))
    FOLDER.mkdir(exist_ok=True)
    for path, written in files().items():
        path.write_text(written, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
