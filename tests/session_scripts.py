"""Sessions as data: what a subject does and what must come of it, in YAML files beside the tests; one runner for all.

A file names a ``protocol``, the values that its cases ``set``, and ``cases``. A case is a sentence with:

``moves``     what happens, at seconds of the session: ``left 2`` is a visit of 0.1 s to the left, ``left 2 0.4`` one of
              0.4 s, ``+left 2`` and ``-left 3`` its halves; ``trial 2 left`` is in ``MOVES``, ``!stop 3``,
              ``!reward 3 left`` and ``!block 3 2.5`` are in ``FAULTS``
``set``       parameters of this case; ``stop_`` begins a limit; ``seed``, ``rig`` and ``cut`` are those of the session;
              a rig may be a file beside the cases
``each``      further values: the case is run with each of them in the place of ``$name``
``row``       columns of the only row; ``first`` those of the first one
``columns``   columns of all rows, from top to bottom; ``tables`` those of other tables
``states``    names, each with or without its second; ``...`` for any others
``on``        channels: the seconds at which they go on, or how often
``values``    channels: the values other than 0 that they have in turn
``lasting``   channels: for how many milliseconds each time
``off``       channels: the seconds at which they go off
``footer``    keys of the footer
``notes``     kinds of notes: keys of each such note
``shown``     parts of texts that were on the screen; ``not_shown`` those that never were
``refused``   what the session is refused with

A number must be met within 2 µs, ``9 +- 0.01`` within 0.01; a text behind ``^`` is a beginning. A replay of every
session must decide the same, and no output may be on after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from msgspec.structs import asdict

from rig.core.errors import ConfigError, NotReadyError
from rig.core.journal.scenes import scenes_in
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.case_loader import CaseLoader
from tests.harness import Fault, FaultHarness, SubjectScript, run_harness
from tests.session_specs import protocol_spec

Act = Callable[[Body], object]
Script = list[tuple[float, Act]]
Case = Mapping[str, Any]
WITHIN = 2e-6
SESSION = ("seed", "rig", "cut")
KEYS = {
    *("case", "protocol", "moves", "set", "each", "row", "first", "columns", "tables", "states", "on", "values"),
    *("lasting", "off", "footer", "notes", "shown", "not_shown", "refused"),
}


# --- what happens ---------------------------------------------------------------------------------------------


def visit(place: str, at_s: float, for_s: float = 0.1) -> Script:
    """Come to a place, and leave it."""
    return [(at_s, lambda body: body.enter(place)), (at_s + for_s, lambda body: body.leave(place))]


def trial(at_s: float, side: str, for_s: float = 0.4) -> Script:
    """Poke the center, and half a second later a side."""
    return [*visit("center", at_s), *visit(side, at_s + 0.5, for_s)]


Moves = Mapping[str, Callable[..., Script]]
MOVES: Moves = {"trial": trial}
FAULTS: Mapping[str, Callable[..., object]] = {
    "stop": lambda harness: harness.request("stop"),
    "stop_now": lambda harness: harness.session.stop_now(),
    "reward": lambda harness, place: harness.request(f"reward {place}"),
    "block": lambda harness, for_s: harness.block_input(for_s),
    "stall": lambda harness, for_s: harness.stall(for_s),
    "delay": lambda harness, latency_s: harness.delay(latency_s),
    "reset": lambda harness: harness.rig.board.reset(),
    "unplug": lambda harness: harness.rig.cable.disconnect(),
    "jam": lambda harness, *pulses: setattr(harness.rig.world, "jams", frozenset(map(int, pulses))),
}


def number(word: str) -> float | str:
    """Return a word as the number that it is, if it is one."""
    return float(word) if re.fullmatch(r"-?[\d.]+(e-?\d+)?", word) else word


def read_moves(text: str, moves: Moves) -> tuple[Script, list[Fault]]:
    """Parse the moves of a case: those of the subject, and the faults."""
    script: Script = []
    faults: list[Fault] = []
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, *words = entry.split()
        arguments: Sequence[Any] = [number(word) for word in words]
        if name.startswith("!"):
            script_fault = FAULTS[name[1:]]
            faults.append((arguments[0], lambda harness, do=script_fault, rest=arguments[1:]: do(harness, *rest)))
        elif name in moves:
            script += moves[name](*arguments)
        elif name[0] in "+-":
            way, place = ("enter" if name[0] == "+" else "leave"), name[1:]
            script.append((arguments[0], lambda body, way=way, place=place: getattr(body, way)(place)))
        else:
            script += visit(name, *arguments)
    return script, faults


def subject_of(script: Script) -> SubjectScript:
    """Return a subject that does what a script says."""

    async def live(body: Body) -> None:
        for at_s, act in sorted(script, key=lambda entry: entry[0]):
            await body.wait_until_us(round(at_s * 1e6))
            act(body)

    return live


def run_case(protocol: str, values: Mapping[str, Any], text: str, moves: Moves = MOVES) -> FaultHarness:
    """Run the session of a case."""
    script, faults = read_moves(text, moves)
    sets = {name: value if isinstance(value, int | float | str) else yaml_text(value) for name, value in values.items()}
    sets |= {name: yaml_text(value) for name, value in values.items() if isinstance(value, bool)}
    session = {name: values[name] for name in SESSION if name in values}
    sets = {name: value for name, value in sets.items() if name not in SESSION}
    jams = [fault for fault in faults if fault[0] < 0]

    def arrange(harness: FaultHarness) -> None:
        for _, inject in jams:
            inject(harness)

    spec = protocol_spec(protocol, session.get("rig"), **sets)
    later = [fault for fault in faults if fault[0] >= 0]
    return run_harness(
        spec,
        subject_of(script),
        *later,
        seed=session.get("seed", 1),
        arrange=arrange,
        cut=frozenset(session.get("cut", ())),
    )


def yaml_text(value: Any) -> str:
    """Return a value as ``--set`` takes it."""
    return yaml.safe_dump(value, default_flow_style=True, width=1_000).removesuffix("\n...\n").strip()


# --- what must come of it -------------------------------------------------------------------------------------


def close(actual: Any, wanted: Any) -> bool:
    """Whether a value is what a case says."""
    if isinstance(wanted, str) and " +- " in wanted:
        middle, within = map(float, wanted.split(" +- "))
        return actual is not None and abs(actual - middle) <= within
    if isinstance(wanted, str) and wanted.startswith("^"):
        return isinstance(actual, str) and actual.startswith(wanted[1:])
    if isinstance(wanted, float) and isinstance(actual, int | float):
        return abs(actual - wanted) <= WITHIN
    if isinstance(wanted, list):
        return len(actual) == len(wanted) and all(map(close, actual, wanted))
    return bool(actual == wanted)


def parts(record: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a record what a case speaks of, with a wanted value in the place of one that is close to it."""
    return {name: value if close(record[name], value) else record[name] for name, value in wanted.items()}


def check_states(states: Sequence[tuple[str, int]], text: str) -> None:
    """Check the states of a session against ``iti, ready 1.005, ...``."""
    wanted = [entry.split() for entry in text.split(",")]
    open_end = wanted[-1] == ["..."]
    wanted = wanted[: len(wanted) - open_end]
    actual = [(name, t_us / 1e6) for name, t_us in states][: len(wanted) if open_end else None]
    assert [name for name, _ in actual] == [words[0] for words in wanted]
    for (name, t_s), words in zip(actual, wanted, strict=True):
        assert len(words) == 1 or close(t_s, float(words[1])), (name, t_s, words)


def check_channels(harness: FaultHarness, case: Case) -> None:
    """Check when channels go on and off, for how long, and to what."""
    for kind in ("on", "off", "values", "lasting"):
        for name, wanted in case.get(kind, {}).items():
            changes = [(t_us, value) for t_us, value in harness.changes(name)]
            actual = {
                "on": lambda changes=changes: [t_us / 1e6 for t_us, value in changes if value],
                "off": lambda changes=changes: [t_us / 1e6 for t_us, value in changes if not value],
                "values": lambda changes=changes: [value for _, value in changes if value],
                "lasting": lambda changes=changes: [
                    (off - on) / 1_000 for (on, _), (off, _) in zip(changes[::2], changes[1::2], strict=True)
                ],
            }[kind]()
            if isinstance(wanted, int):
                assert len(actual) == wanted, (kind, name, actual)
            else:
                assert close(actual, [float(one) if isinstance(one, int) else one for one in wanted]), (name, actual)


def check(harness: FaultHarness, case: Case) -> None:
    """Check a session against all that a case says."""
    rows = harness.rows
    if "row" in case:
        assert len(rows) == 1
    for key in ("row", "first"):
        if key in case:
            assert parts(rows[0], case[key]) == case[key]
    for table, columns in {"": case.get("columns", {}), **case.get("tables", {})}.items():
        records = harness.table(table) if table else rows
        for name, wanted in columns.items():
            actual = [record[name] for record in records]
            assert close(actual, wanted), (table, name, actual)
    if "states" in case:
        check_states(harness.states, case["states"])
    check_channels(harness, case)
    footer = case.get("footer", {})
    assert parts({"t": harness.footer.t_us, **asdict(harness.footer)}, footer) == footer
    for what, wanted in case.get("notes", {}).items():
        notes = [note.fields for note in harness.notes(what)]
        assert [parts(fields, values) for fields, values in zip(notes, wanted, strict=True)] == wanted
    texts = [getattr(item, "text", "") for scene in scenes_in(harness.journal) for item in scene.items]
    assert [part for part in case.get("shown", []) if not any(part in text for text in texts)] == []
    assert [part for part in case.get("not_shown", []) if any(part in text for text in texts)] == []
    assert harness.on_at_the_end() == []
    assert replay_lines(harness.journal)[1] is None


# --- the files ------------------------------------------------------------------------------------------------


class Named(NamedTuple):
    """A case with its protocol and all its values."""

    protocol: str
    values: Mapping[str, Any]
    case: Case


def put(text: Any, values: Mapping[str, Any]) -> Any:
    """Return part of a case with values in the place of their names."""
    if isinstance(text, str):
        if text.startswith("$") and text[1:] in values:
            return values[text[1:]]
        return re.sub(r"\$(\w+)", lambda match: str(values[match[1]]), text)
    if isinstance(text, dict):
        return {put(name, values): put(value, values) for name, value in text.items()}
    return [put(part, values) for part in text] if isinstance(text, list) else text


def read_cases(path: Path) -> Iterator[Any]:
    """Yield the cases of a file, as parameters of a test."""
    file = yaml.load(path.read_text(encoding="utf-8"), CaseLoader)
    for case in file["cases"]:
        assert case.keys() <= KEYS, f"{path}: {case['case']}: {case.keys() - KEYS}"
        for values in case.get("each", [{}]):
            filled = put(case, values)
            protocol = filled.get("protocol", file["protocol"])
            common = file.get("set", {}) if protocol.startswith(file["protocol"]) else {}
            sets = {**common, **filled.get("set", {})}
            if (beside := path.parent / str(sets.get("rig"))).is_file():
                sets["rig"] = str(beside)
            named = Named(protocol, sets, filled)
            shown = " ".join(str(value) for value in values.values())
            yield pytest.param(named, id=f"{path.parent.name}: {case['case']}" + (f" [{shown}]" if values else ""))


def judge(named: Named, moves: Moves = MOVES) -> FaultHarness | None:
    """Run a case and check what came of it; return its session, unless it was refused."""
    text = named.case.get("moves", "")
    if "refused" in named.case:
        with pytest.raises((NotReadyError, ConfigError), match=named.case["refused"]):
            run_case(named.protocol, named.values, text, moves)
        return None
    harness = run_case(named.protocol, named.values, text, moves)
    check(harness, named.case)
    return harness
