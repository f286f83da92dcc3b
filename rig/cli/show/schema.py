"""``rig show schema``: JSON Schema, draft 7, of what is written in YAML and printed as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from rig.cli.terminal.printing import print_json
from rig.config.json_schema import (
    DIALECT,
    Schema,
    boxes_schema,
    calibration_schema,
    curriculum_schema,
    lab_schema,
    of_model,
    protocol_schema,
    rig_schema,
    study_schema,
    subject_schema,
)
from rig.core.errors import ConfigError
from rig.records.session.summary import Summary
from rig.session.spec.protocol_lookup import look_up_protocol
from rig.system.statuses import OK


def summary_schema() -> Schema:
    """Return the schema of what ``--json`` prints of a session."""
    return {"$schema": DIALECT, **of_model(Summary), "title": "summary"}


WRITERS: dict[str, Callable[[], Schema]] = {
    "rig": rig_schema,
    "curriculum": curriculum_schema,
    "calibration": calibration_schema,
    "subject": subject_schema,
    "lab": lab_schema,
    "boxes": boxes_schema,
    "study": study_schema,
    "summary": summary_schema,
}
"""What has a schema and is no protocol."""


def run(arguments: argparse.Namespace) -> int:
    """Print a schema."""
    print_json(schema_of(arguments.of))
    return OK


def schema_of(word: str) -> Schema:
    """Draw up the schema of what a word means. Raises ``ConfigError``."""
    if word in WRITERS:
        return WRITERS[word]()
    try:
        found = look_up_protocol(word).found
    except ConfigError as error:
        if "/" in word or "." in word:
            raise
        *others, last = WRITERS
        raise ConfigError(f"{error}; {', '.join(others)} and {last} have a schema too") from None
    return protocol_schema(found.name, found.task.params_type, installed=found.reference is None)


def text(schema: Schema) -> str:
    """Write a schema as its file has it."""
    return json.dumps(schema, indent=2) + "\n"
