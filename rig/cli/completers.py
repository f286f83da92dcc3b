"""Completions of a command line: names and paths, found without reading files where possible."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from rig.system import config_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.system.settings import Settings

Completer: TypeAlias = Callable[..., Iterable[str]]
"""A function of ``prefix`` and ``parsed_args``; argcomplete drops results without the prefix."""

_YAML = (".yaml", ".yml")
_RECORDS = (".jsonl", ".csv")


def protocols(prefix: str, parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield protocol files and YAML paths; for ``rig show`` also tasks and Python files."""
    shows = parsed_args.command == "show"
    if not _is_path(prefix):
        yield from config_paths.names("protocols")
        yield from _installed("rig.protocols") if shows else ()
    yield from _files(prefix, *_YAML, *((".py",) if shows else ()))


def configurations(prefix: str, **_: object) -> Iterator[str]:
    """Yield names of configuration files of every kind, and YAML paths."""
    if not _is_path(prefix):
        for kind in config_paths.KINDS:
            yield from config_paths.names(kind)
    yield from _files(prefix, *_YAML)


def rigs(prefix: str, **_: object) -> Iterator[str]:
    """Yield names of boxes and rig files, and YAML paths."""
    settings = _settings()
    yield from () if settings is None else settings.boxes.value
    yield from _named("rigs")(prefix=prefix)


def described(prefix: str, parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield what ``rig show schema`` accepts."""
    yield from ("rig", "curriculum", "calibration", "subject", "lab", "boxes", "study", "summary")
    yield from protocols(prefix, parsed_args)


def devices(parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield the devices of the rig that the line names: keys that are indented by two spaces, as in shipped files.

    For ``rig device`` those that offer the verb.
    """
    verb = parsed_args.what if parsed_args.command == "device" else None
    named = getattr(parsed_args, "rig", None) or ""
    path = next((path for path in _files_of(named, "rigs") if os.path.isfile(path)), "")
    with suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8") as file:
        section = ""
        for line in file:
            section = line.partition(":")[0] if line[:1].isalpha() else section
            name, colon, rest = line[2:].partition(":")
            is_device = (
                section == "devices" and colon and rest.strip() and line.startswith("  ") and name.isidentifier()
            )
            if is_device and (verb is None or _offers(rest, verb)):
                yield name


def _offers(entry: str, name: str) -> bool:
    """Whether the device of an entry of a rig file offers a verb."""
    from rig.devices.kinds import installed_kinds  # imported already for the arguments of ``rig device``
    from rig.maintenance.verb import verbs_of

    keys = dict(pair.partition(":")[::2] for pair in entry.strip(" {}\n").replace(" ", "").split(","))
    kinds, part = installed_kinds(), verbs_of(installed_kinds().values())[name].part
    kind = keys.get("kind", "")
    return kind in kinds and name in kinds[kind].maintenance and part in ("", kind, *keys)


def stages(parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield the stages in a curriculum's file that are indented by two spaces, as in shipped files."""
    named = getattr(parsed_args, "curriculum", None) or ""
    path = next((path for path in _files_of(named, "curricula") if os.path.isfile(path)), "")
    with suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8") as file:
        for line in file:
            name, colon, rest = line[2:].partition(":")
            if colon and not rest.strip() and line.startswith("  ") and name.isidentifier():
                yield name


def analyses(prefix: str, **_: object) -> Iterator[str]:
    """Yield installed analyses, and Python files."""
    if not _is_path(prefix):
        yield from _installed("rig.analyses")
    yield from _files(prefix, ".py")


def subjects(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Return the subjects that have records; a simulated and a real subject may share a name."""
    data = _data(parsed_args)
    alone = getattr(parsed_args, "sim", False)
    real = [] if alone else _folders_in(data)
    simulated = _folders_in(os.path.join(data, config_paths.SIMULATED)) if alone or parsed_args.command == "sim" else []
    return sorted({*real, *simulated}.difference(config_paths.NO_SUBJECTS))


def _folders_in(folder: str) -> list[str]:
    return [name for name in _listed(folder) if os.path.isdir(os.path.join(folder, name))]


def sessions(prefix: str, parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield session folders, starting with the subjects' folders, and journals and tables."""
    data = _data(parsed_args)
    if not prefix and os.path.isdir(data):
        yield from _paths(os.path.join(data, ""), ())
    yield from _paths(prefix, _RECORDS)


def folders(prefix: str, **_: object) -> Iterator[str]:
    """Yield paths of folders."""
    yield from _paths(prefix, ())


def hex_files(prefix: str, **_: object) -> Iterator[str]:
    """Yield paths of firmware."""
    yield from _paths(prefix, (".hex", ".uf2"))


def ports(**_: object) -> list[str]:
    """Return the serial ports."""
    from serial.tools.list_ports import comports

    return [port.device for port in comports()]


def settings(prefix: str, parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield keys such as ``params.p_high=``, from the schema named in the first line of the protocol's file."""
    schema = _schema(getattr(parsed_args, "protocol", None) or "")
    sections = {
        "params": schema.get("properties", {}).get("params", {}),
        "stop": schema.get("definitions", {}).get("SessionLimits", {}),
    }
    for section, of_section in sections.items():
        for key, of_key in of_section.get("properties", {}).items():
            start = f"{section}.{key}="
            yield start
            if prefix.startswith(start):
                yield from (f"{start}{word}" for word in of_key.get("enum", ()))


def live_parameters(parsed_args: argparse.Namespace, **_: object) -> Iterator[str]:
    """Yield keys such as ``reward_ul=`` that may change in the running session of the subject, or in the only one."""
    from rig.system.control_socket import running

    wanted = getattr(parsed_args, "subject", None)
    for _path, status in running():
        if wanted in (None, status.get("subject"), status.get("box")):
            yield from (f"{key}=" for key in status.get("live", ()))


def rules(**_: object) -> list[str]:
    """Return the rules that a reason overrides."""
    from rig.cli.run.arguments import RULES

    return [f"{rule}=" for rule in RULES]


def _named(kind: config_paths.Kind) -> Completer:
    """Return a completer of names of configuration files of a kind, and of YAML paths."""

    def complete(prefix: str, **_: object) -> Iterator[str]:
        if not _is_path(prefix):
            yield from config_paths.names(kind)
        yield from _files(prefix, *_YAML)

    return complete


def _is_path(prefix: str) -> bool:
    return "/" in prefix or os.sep in prefix


def _files(prefix: str, *endings: str) -> Iterator[str]:
    """Yield files; folders only after the person has typed part of a path."""
    return (path for path in _paths(prefix, endings) if prefix or not path.endswith("/"))


def _paths(prefix: str, endings: tuple[str, ...]) -> Iterator[str]:
    """Yield folders, and files with one of the endings."""
    folder = os.path.dirname(prefix)
    hidden = os.path.basename(prefix).startswith(".")
    for name in _listed(os.path.expanduser(folder) or ".", hidden):
        path = os.path.join(folder, name)
        if os.path.isdir(os.path.expanduser(path)):
            yield f"{path}/"
        elif endings and name.endswith(endings):
            yield path


def _listed(folder: str, hidden: bool = False) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if hidden or not name.startswith((".", "__")))
    except OSError:
        return []


def _data(parsed_args: argparse.Namespace) -> str:
    given = getattr(parsed_args, "data", None) or os.environ.get("RIG_DATA")
    settings = None if given else _settings()
    return given or ("data" if settings is None else settings.data.value)


def _settings() -> Settings | None:
    """Return the computer's settings; None without a file, or for one with a mistake."""
    files = (config_paths.SETTINGS, config_paths.user_settings())
    # Checked first: reading them imports what a press of the tab key should not wait for.
    if "RIG_BOXES" not in os.environ and not any(map(os.path.exists, files)):
        return None
    from rig.core.errors import ConfigError
    from rig.system.settings import load_settings

    try:
        return load_settings()
    except ConfigError:
        return None


def _installed(group: str) -> list[str]:
    from rig.system.plugins import installed_plugins

    return list(installed_plugins(group))


def _schema(word: str) -> dict[str, Any]:
    """Read the schema that a protocol's file names; an empty one when it names none."""
    import json

    path = next((path for path in _files_of(word, "protocols") if os.path.isfile(path)), "")
    try:
        with open(path, encoding="utf-8") as file:
            named = file.readline().partition("$schema=")[2].strip()
        with open(os.path.join(os.path.dirname(path), named), encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
    except (OSError, ValueError):
        return {}
    return found


def _files_of(word: str, kind: config_paths.Kind) -> list[str]:
    name = word if word.endswith((".yaml", ".yml")) else f"{word}.yaml"
    return [word, *(os.path.join(folder, name) for folder in config_paths.folders(kind))]


OF: dict[str, Completer] = {
    "protocol": protocols,
    "curriculum": _named("curricula"),
    "stage": stages,
    "study": _named("studies"),
    "files": configurations,
    "of": described,
    "rig": rigs,
    "boxes": _named("boxes"),
    "model": lambda **_: _installed("rig.models"),
    "board": lambda **_: _installed("rig.boards"),
    "analysis": analyses,
    "subject": subjects,
    "device": devices,
    "folder": folders,
    "scale": ports,
    "session": sessions,
    "sessions": sessions,
    "data": folders,
    "into": folders,
    "figures": folders,
    "hex": hex_files,
    "drive": folders,
    "port": ports,
    "set": settings,
    "parameter": live_parameters,
    "override": rules,
}
"""The completer of each argument, by its name."""
