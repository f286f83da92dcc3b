"""Write docs/reference/vocabulary.md: every name that a protocol may use, with an example each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

import rig
from rig.devices.base import HOOKS, Device
from scripts.vocabulary_examples import ATTRIBUTES, NOTES, SECTIONS, THINGS

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "vocabulary.md"

ACTS = ("on", "off", "show", "clear", "feed", "start", "stop", "load")
"""The verbs of devices and sequences: each acts where it is written, and returns nothing."""
MAKES_ACTION = ("drop", "pellets", "food", "pulse", "flashes", "tone", "ramp", "start_action", "stop_action")
"""The nouns of devices and sequences: each returns an action, and does nothing alone."""
MAKES_MORE = ("sequence", "reflex", "after", "time_out")
"""The nouns whose result has to be started, or to be entered with ``with``."""
TASK_ACTS = ("do", "whenever", "note", "end", "begin_trial", "end_trial", "record", "require_clear")
"""The verbs of a task; those that a protocol overrides are called by the program."""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:-1]) + f" and `{names[-1]}`"


def _is_device(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Device)


HEAD = f"""<!-- Written by scripts/vocabulary.py from the package and scripts/vocabulary_examples.py: change those. -->
# The vocabulary of a protocol

A protocol imports all these names with `from rig import ...` and needs no other part of the program. Names end with
their unit (`_s`, `_ms`, `_us`, `_ul`, `_cm`). A *session time* counts from the start of the session. Time passes only
at an `await`. The board executes all orders between two awaits in one step. A task reads events only in its waits.
Counters such as `entries` and levels include only the events that it has read. The [glossary](glossary.md) explains
terms such as *edge*, *reflex* and *task time*. In the examples `self` is a task, `box` is `self.box` and `params` is
`self.params`.

**A verb acts where it is written; a noun makes an action, which does nothing until `self.do`, `react`, `reflex` or a
sequence gets it.** The verbs of devices and sequences are {_listed(ACTS)}.
The nouns are {_listed(MAKES_ACTION)}.
Further nouns are {_listed(MAKES_MORE)}: a sequence does nothing before `start`, the others outside
of a `with`. `rig check` names the line of what is made and thrown away.
"""

COMPLETE = ("Task", "TrialRow", "Stream", "LoadedSequence", "Subject", "Edge", "Touch", "Key", "FrameShown", "Hover")
COMPLETE += tuple(name for name in rig.__all__ if _is_device(getattr(rig, name)))
"""Classes whose public members must all have an entry."""

MACHINERY = {"Config", "bind", "channels", "gives", "has", "reward", "matches", "raw_us", "uncertainty_us", "contact"}
MACHINERY |= {"x_px", "y_px", "number", "fired", "reload_sequences", "values", "params_type", "box_type", "row_type"}
MACHINERY |= {
    "named",
    "of_facts",
    "src",
    "header_fields",
    "count",
    "index",
    "frame",
    "inputs",
    "order",
    "linked",
    "link",
    "sources",
    "amount_columns",
    "take_live_params",
    *HOOKS,
}
"""Public members used by the program, not by protocols."""

ITEMS = ("Scene", *(item.__name__ for item in get_args(rig.Item)))
"""Classes that are made of their fields, each given by its name."""

INHERITED = {"Houselight": "Light"}
"""Classes whose inherited members are listed at their base class."""


def page() -> str:
    """Return the page. Raises ``LookupError`` for a name without an entry, and for an entry without a name."""
    named = [name for entries in SECTIONS.values() for name in entries]
    missing = sorted({*_public()} - {*named})
    if missing:
        raise LookupError(f"no entry in scripts/vocabulary_examples.py: {', '.join(missing)}")
    return "\n".join([HEAD, *_sections(), *_things()]) + "\n"


def _sections() -> Iterator[str]:
    for title, entries in SECTIONS.items():
        yield f"## {title}\n\n| name | what it is | example |\n|---|---|---|"
        for name, example in entries.items():
            cells = (f"`{signature(name)}`", meaning(name), f"`{example}`")
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        yield ""


def _things() -> Iterator[str]:
    yield "## Which device is it?\n\n| in the chamber | in the rig file | in the task |\n|---|---|---|"
    for thing, (wiring, used) in THINGS.items():
        yield f"| {thing} | `{wiring}` | {used} |"


def _public() -> Iterator[str]:
    """Yield the names that must have an entry."""
    yield from rig.__all__
    for name in COMPLETE:
        known = {*vars(getattr(rig, INHERITED[name]))} if name in INHERITED else {*MACHINERY}
        for member in dir(getattr(rig, name)):
            if not member.startswith("_") and member not in MACHINERY | known and _is_ours(name, member):
                yield f"{name}.{member}"


def _is_ours(owner: str, member: str) -> bool:
    """Whether a member is defined in this package, not in Python or pydantic."""
    # pydantic and NamedTuple add public members that are not part of a protocol's vocabulary.
    kinds = (kind for kind in getattr(rig, owner).__mro__ if member in vars(kind))
    module: str = next(kinds).__module__
    return module.startswith("rig.")


def found(name: str) -> Any:
    """Return the object of a name. Raises ``LookupError`` if there is none."""
    owner, _, member = name.partition(".")
    if owner not in rig.__all__:
        raise LookupError(f"rig has no {owner}")
    thing = getattr(rig, owner)
    if not member or name in ATTRIBUTES:
        return thing
    if member not in dir(thing):
        raise LookupError(f"{owner} has no {member}")
    return inspect.getattr_static(thing, member)


def signature(name: str) -> str:
    """Return the name, with parameters and result if it is callable."""
    thing, (owner, _, member) = found(name), name.partition(".")
    called = thing.__func__ if isinstance(thing, classmethod | staticmethod) else thing
    if name in ITEMS:
        return f"{name}({', '.join(_fields(thing))})"
    if name in ATTRIBUTES or not (inspect.isfunction(called) or (inspect.isclass(called) and _is_made(called))):
        return name
    made = inspect.signature(called)
    listed = _plain(", ".join(str(each) for each in made.parameters.values() if each.name not in ("self", "cls")))
    written = f"{owner}{'.' if member else ''}{member}({listed})"
    returned = "None" if inspect.isclass(called) else _plain(str(made.return_annotation))
    if returned.startswith("Wait["):
        written, returned = f"await {written}", returned[5:-1]
    if returned.startswith("Block["):
        return f"with {written}: ..."
    return written if returned == "None" else f"{written} -> {returned}"


def _fields(kind: type[BaseModel]) -> Iterator[str]:
    """Yield the fields of an item as a protocol gives them, those without a default first."""
    # As the source has them: pydantic's own annotations hold the bounds, too.
    written = {name: text for base in reversed(kind.__mro__) for name, text in inspect.get_annotations(base).items()}
    for name, field in sorted(kind.model_fields.items(), key=lambda pair: not pair[1].is_required()):
        # The class decides the kind.
        if name != "kind":
            text = re.sub(r"\b(Place|Length)\b", "float", written[name]).replace("SceneItem", "Item")
            default = "" if field.is_required() else f" = {field.default!r}".replace("'", '"')
            yield f"{name}: {text}{default}"


def _is_made(kind: type[object]) -> bool:
    """Whether protocols create objects of a class with plain arguments."""
    return kind.__name__ in ("Column", "OneOf", "Needs", "GivenAt", "RandomStreams")


def _plain(text: str) -> str:
    """Return annotations without quotes and module names."""
    text = re.sub(r": '([^']*)'", r": \1", text)
    return re.sub(r"\b(?:typing|collections\.abc|rig(?:\.\w+)+)\.", "", text).replace("Wait[Any]", "Wait[Edge | None]")


def meaning(name: str) -> str:
    """Return the first paragraph of the docstring, or the text for an attribute, with its further sentences."""
    text = ATTRIBUTES.get(name) or _docstring(name)
    # A text without a final period gets one before further sentences.
    return f"{text.removesuffix('.')}. {NOTES[name]}" if name in NOTES else text


def _docstring(name: str) -> str:
    thing = found(name)
    called = thing.fget if isinstance(thing, property) else thing
    text = inspect.getdoc(called) or ""
    return " ".join(text.partition("\n\n")[0].split()).replace("``", "`")


def examples() -> Mapping[str, str]:
    """Return the example of every name."""
    return {name: example for entries in SECTIONS.values() for name, example in entries.items()}


def pages() -> Mapping[Path, str]:
    """Return the page with its path."""
    return {PAGE: page()}
