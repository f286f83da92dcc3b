"""JSON Schema, draft 7, for editors: what pydantic knows of a file, in the words that yaml-language-server reads.

A file that ``extends`` another may leave out what the other gives: keys are required only of files that do not.
What several keys must be together, such as pins that differ, a schema does not say; ``rig check`` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from rig.config.field_docs import field_docs
from rig.config.limits import LabFile
from rig.config.models.boxes_file import BoxesFile
from rig.config.models.calibration_file import CalibrationFile
from rig.config.models.curriculum import CurriculumFile
from rig.config.models.protocol_file import REWARD_LIMITS, ProtocolFile, SessionLimits
from rig.config.models.rig_file import RigFile
from rig.config.models.study_file import StudyFile
from rig.config.subject import SubjectFile
from rig.devices.base import Device
from rig.devices.kinds import installed_kinds

Schema: TypeAlias = dict[str, Any]

DIALECT = "http://json-schema.org/draft-07/schema#"
_BELOW = ("properties", "patternProperties")
_EXTENDS: Schema = {
    "description": "a file beside this one or one of those shipped, or a list of them; this file changes what they say",
    "anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string", "minLength": 1}}],
}


class _Draft7(GenerateJsonSchema):
    """Pydantic's schema without a title for every field: an editor shows the key anyhow."""

    schema_dialect = DIALECT

    def field_title_should_be_set(self, schema: object) -> bool:
        """Return False: no field needs a title."""
        return False


def protocol_schema(name: str, params: type[BaseModel], *, installed: bool) -> Schema:
    """Return the schema of a protocol's YAML files, which name an installed protocol exactly so."""
    schema = _drawn_up(ProtocolFile)
    schema["title"] = f"protocol {name}"
    if installed:
        schema["properties"]["protocol"]["enum"] = [name]
    of_params = of_model(params)
    schema.setdefault("definitions", {}).update(of_params.pop("definitions", {}))
    schema["properties"]["params"] = _with_words({**schema["properties"]["params"], **of_params}, params)
    if "required" in of_params:
        schema["required"].append("params")
    stop = _with_words(schema["definitions"]["SessionLimits"], SessionLimits)
    # With its type: a limit that is written as null is none.
    stop["anyOf"] = [{"required": [key], "properties": {key: {"type": "number"}}} for key in REWARD_LIMITS]
    return _file(schema)


def rig_schema(kinds: Mapping[str, type[Device]] | None = None) -> Schema:
    """Return the schema of rig files whose devices are of ``kinds``, by default all installed ones, or of a file."""
    schema = _drawn_up(RigFile)
    schema["title"] = "rig"
    definitions, by_kind = schema["definitions"], _by_kind(installed_kinds() if kinds is None else kinds, schema)
    del definitions["DeviceConfig"]
    of_device = schema["properties"]["devices"]
    of_device["patternProperties"] = dict.fromkeys(of_device["patternProperties"], by_kind)
    return _file(schema)


def curriculum_schema() -> Schema:
    """Return the schema of curriculum files."""
    return _file(_drawn_up(CurriculumFile) | {"title": "curriculum"})


def calibration_schema() -> Schema:
    """Return the schema of calibration files."""
    return _file(_drawn_up(CalibrationFile) | {"title": "calibration"})


def boxes_schema() -> Schema:
    """Return the schema of boxes files."""
    return _file(_drawn_up(BoxesFile) | {"title": "boxes"})


def study_schema() -> Schema:
    """Return the schema of study files."""
    return _file(_drawn_up(StudyFile) | {"title": "study"})


def subject_schema() -> Schema:
    """Return the schema of ``subject.yaml``."""
    return _file(_drawn_up(SubjectFile) | {"title": "subject"})


def lab_schema() -> Schema:
    """Return the schema of ``lab.yaml``."""
    return _file(_drawn_up(LabFile) | {"title": "lab"})


def of_model(model: type[object]) -> Schema:
    """Return the unchanged schema of a pydantic model or a typed dictionary."""
    drawn = TypeAdapter(model).json_schema(ref_template="#/definitions/{model}", schema_generator=_Draft7)
    schema: Schema = _converted(drawn)
    return schema


def _drawn_up(model: type[BaseModel]) -> Schema:
    return {"$schema": DIALECT, **of_model(model)}


def _file(schema: Schema) -> Schema:
    """Return the schema of a file that may extend others; keys are required only if it does not."""
    required = _required(schema, schema.get("definitions", {}))
    _loosen(schema, schema.get("definitions", {}))
    schema["properties"] = {"extends": _EXTENDS, **schema["properties"]}
    return {**schema, "if": {"not": {"required": ["extends"]}}, "then": required}


def _by_kind(kinds: Mapping[str, type[Device]], schema: Schema) -> Schema:
    """Return a schema that requires the kind, and then the keys of that kind, which it defines in ``schema``.

    The keys of a class in a file are not known.
    """
    for word, kind in kinds.items():
        drawn = of_model(kind.Config)
        schema["definitions"] |= {**drawn.pop("definitions", {}), word: drawn}
    of_file = {"pattern": r"\.py(:\w+)?$"}
    return {
        "type": "object",
        "properties": {
            "kind": {
                "anyOf": [{"enum": list(kinds)}, of_file],
                "description": "a kind, or a class: puffer.py:Puffer",
            }
        },
        "required": ["kind"],
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": word}}, "required": ["kind"]},
                "then": {"$ref": f"#/definitions/{word}"},
            }
            for word in kinds
        ],
    }


def _required(schema: Schema, definitions: Schema) -> Schema:
    """Return only the requirements of a schema."""
    schema = _resolved(schema, definitions)
    required: Schema = {"required": schema["required"]} if "required" in schema else {}
    if _is_choice_of_keys(schema):
        required["anyOf"] = schema["anyOf"]
    for word in _BELOW:
        inner = {key: _required(value, definitions) for key, value in schema.get(word, {}).items()}
        if kept := {key: value for key, value in inner.items() if value}:
            required[word] = kept
    each = _each_value(schema)
    if each and (needs := _required(each, definitions)):
        required["additionalProperties"] = needs
    if branches := [
        {"if": branch["if"], "then": needs}
        for branch in schema.get("allOf", ())
        if "if" in branch and (needs := _required(branch["then"], definitions))
    ]:
        required["allOf"] = branches
    return required


def _loosen(schema: Schema, definitions: Schema) -> None:
    """Remove the requirements of a schema, except those of list entries, which are written whole."""
    schema = _resolved(schema, definitions)
    schema.pop("required", None)
    if _is_choice_of_keys(schema):
        del schema["anyOf"]
    for word in _BELOW:
        for value in schema.get(word, {}).values():
            _loosen(value, definitions)
    if each := _each_value(schema):
        _loosen(each, definitions)
    for branch in schema.get("allOf", ()):
        if "then" in branch:
            _loosen(branch["then"], definitions)


def _each_value(schema: Schema) -> Schema:
    """Return the schema of all values of a mapping whose keys are the writer's own, such as texts by language."""
    each = schema.get("additionalProperties")
    return each if isinstance(each, dict) else {}


def _is_choice_of_keys(schema: Schema) -> bool:
    return any("required" in option for option in schema.get("anyOf", ()))


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    """Return the schema to which a reference leads, also if the reference has a description beside it."""
    alone = schema["allOf"][0] if len(schema.get("allOf", ())) == 1 else schema
    name = str(alone.get("$ref", "")).rpartition("/")[2]
    return definitions[name] if name else schema


def _with_words(schema: Schema, model: type[BaseModel]) -> Schema:
    """Add to the description of each key its unit, and where its default is from."""
    for key in field_docs(model):
        place = schema["properties"][key.name]
        unit = f" ({key.unit})" if key.unit else ""
        source = f"\n\nSource of the default: {key.source}." if key.source else ""
        place["description"] = f"{key.description}{unit}{source}".strip()
    return schema


def _converted(node: Any) -> Any:
    """Convert the words of 2020-12 into those of draft 7."""
    if isinstance(node, list):
        return [_converted(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    converted = {key: _converted(value) for key, value in _renamed(node)}
    if "$ref" in converted and len(converted) > 1:  # draft 7 reads nothing beside a reference
        converted = {"allOf": [{"$ref": converted.pop("$ref")}], **converted}
    if "patternProperties" in converted:
        # pydantic's schema allows names that match no pattern; the model refuses them.
        converted.setdefault("additionalProperties", False)
    return converted


def _renamed(node: Schema) -> Iterator[tuple[str, object]]:
    entries = node.get("prefixItems")
    for key, value in node.items():
        if key == "$defs":
            yield "definitions", value
        elif key == "prefixItems":
            yield "items", value
        elif key == "items" and entries is not None:
            yield "additionalItems", value
        elif key != "discriminator":
            # `discriminator` is a word of OpenAPI, and none of draft 7.
            yield key, value
