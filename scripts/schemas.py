"""Write configs/schemas/*.schema.json, the schemas of the YAML files for editors."""

from collections.abc import Mapping
from pathlib import Path

from rig.cli.show.schema import WRITERS, schema_of, text
from rig.config.json_schema import rig_schema
from rig.devices.kinds import shipped_kinds
from rig.system.plugins import PROTOCOLS, installed_plugins

FOLDER = Path(__file__).parents[1] / "configs" / "schemas"


def pages() -> Mapping[Path, str]:
    """Return the schemas of the shipped protocols and devices, without those of other installed packages."""
    # A developer's machine may have a laboratory's protocols installed; the shipped files must not depend on them.
    ours = [name for name, point in installed_plugins(PROTOCOLS).items() if point.value.startswith("protocols.")]
    schemas = {**{word: schema_of(word) for word in (*WRITERS, *ours)}, "rig": rig_schema(shipped_kinds())}
    return {FOLDER / f"{word}.schema.json": text(schema) for word, schema in schemas.items()}
