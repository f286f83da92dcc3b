"""Finding protocols, curricula, rigs, calibrations, boxes files and studies by name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rig.config.errors.closest_names import did_you_mean
from rig.config.errors.errors import SourceLocation, config_issue
from rig.config.errors.formatting import display_path, no_such_file
from rig.config.user_classes import PROTOCOLS_FOLDER
from rig.core.errors import ConfigError
from rig.platform.command_line import quoted
from rig.system import config_paths
from rig.system.config_paths import KINDS, Kind
from rig.system.file_names import name_problem
from rig.system.plugins import PROTOCOLS, installed_plugins

SINGULAR: dict[Kind, str] = {
    "protocols": "protocol",
    "curricula": "curriculum",
    "rigs": "rig",
    "calibrations": "calibration",
    "boxes": "boxes file",
    "studies": "study",
}


def find(kind: Kind, name: str, near: Sequence[Path] = ()) -> Path:
    """Return the path of a configuration file. Raises ``ConfigError``, which names those that exist.

    A name with a slash is a path. A bare name is looked up as ``<kind>/<name>.yaml`` below each folder of ``near``,
    then below ``configs`` here, then in installed packages, then among the configurations we ship; one that ends in
    .yaml or .yml may also be a file right here, which comes first.
    """
    if problem := name_problem(re.split(r"[/\\]", name)[-1]):
        raise ConfigError(f"{SINGULAR[kind]} {problem}")
    ends = name.endswith((".yaml", ".yml"))
    if "/" in name or os.sep in name or (ends and os.path.isfile(name)):
        return _existing(Path(name))
    file = name if ends else f"{name}.yaml"
    if paths := _paths(kind, file, near):
        return _only(kind, name, paths)
    if ends:
        return _existing(Path(name))
    raise ConfigError(_not_found(kind, name, near))


def find_from(folder: Path, kind: Kind, word: str) -> Path:
    """Return the file that a word in a file of ``folder`` means: a path from there, or a name; see `find`."""
    beside = folder / word
    return beside if beside.suffix and os.path.isfile(beside) else find(kind, word, (folder.parent,))


def typed(kind: Kind, path: Path) -> str:
    """Return what a person types for a file: its name where that finds this file, or else its path."""
    with suppress(ConfigError):
        if os.path.samefile(find(kind, path.stem), path):
            return path.stem
    return quoted(display_path(path))


def find_calibration(name: str, near: Sequence[Path] = ()) -> Path:
    """Return the path of a calibration; ``left`` is the newest of the files ``left_2026-11-24``, ``left_2026-11-24_2``.

    A file of exactly that name comes first. Of the folders of `find`, the first one that has any counts. Raises
    ``ConfigError``.
    """
    try:
        return find("calibrations", name, near)
    except ConfigError:
        if "/" in name or os.sep in name:
            raise
        for layer in _layers("calibrations", near):
            if newest := [dated[-1] for folder in layer if (dated := dated_calibrations(folder, name))]:
                return _only("calibrations", name, newest)
        raise


def dated_calibrations(folder: Path, name: str) -> list[Path]:
    """Return the dated files of a name in a folder, oldest first."""
    pattern = re.compile(rf"{re.escape(name)}_(\d{{4}}-\d\d-\d\d)(?:_(\d+))?\.yaml")
    dated = (
        (match, folder / file) for file in config_paths.yaml_files(str(folder)) if (match := pattern.fullmatch(file))
    )
    return [path for _, path in sorted(dated, key=lambda each: (each[0][1], int(each[0][2] or 1)))]


def names(kind: Kind, near: Sequence[Path] = ()) -> list[str]:
    """Return the names that `find` accepts, sorted."""
    return config_paths.names(kind, tuple(map(str, near)))


def files(kind: Kind) -> Iterator[tuple[str, Path]]:
    """Yield names and paths of a kind, sorted; a name that several installed packages have, once for each."""
    for name in names(kind):
        yield from ((name, path) for path in _paths(kind, f"{name}.yaml"))


def shipped_folder() -> Path:
    """Return the folder of our own configurations: inside the wheel, or beside the package in a checkout."""
    return Path(config_paths.shipped_folder())


def resolve_extends(folder: Path, name: str, first: Kind = "protocols") -> Path:
    """Return the file that ``extends: name`` means in a file of ``folder``: beside it, in a package, or a shipped one.

    Several files of different kinds may have the same name; those of ``first`` come first. Raises ``ConfigError``.
    """
    beside = folder / name
    if "/" in name or os.sep in name or os.path.isfile(beside):
        return beside
    for kind in (first, *KINDS):
        for layer in _layers(kind)[-2:]:
            if paths := [path / name for path in layer if os.path.isfile(path / name)]:
                return _only(kind, name, paths)
    return beside


def replaced_file(path: Path) -> tuple[Kind, str] | None:
    """Return the kind of a file that is found before another one of its name, and whose that is; None without one."""
    kind = next((kind for kind in KINDS if kind == path.parent.name), None)
    if kind is None or not os.path.isfile(path):
        return None
    packages = {f"that of {name}": Path(root, kind, path.name) for name, root in config_paths.package_folders().items()}
    shipped = shipped_folder() / kind / path.name
    if _is_same(path, shipped):
        return None
    is_packaged = any(_is_same(path, other) for other in packages.values())
    others = ({} if is_packaged else packages) | {"the shipped one": shipped}
    return next(((kind, whose) for whose, other in others.items() if os.path.isfile(other)), None)


def _is_same(path: Path, other: Path) -> bool:
    return os.path.isfile(other) and os.path.samefile(path, other)


def _only(kind: Kind, name: str, paths: Sequence[Path]) -> Path:
    """Return the only path. Raises ``ConfigError`` if several installed packages have a file of the name."""
    if len(paths) > 1:
        listing = " and ".join(map(display_path, paths))
        raise ConfigError(
            f"several installed packages have a {SINGULAR[kind]} '{name}': {listing}; give the path of one of them"
        )
    return paths[0]


def _paths(kind: Kind, file: str, near: Sequence[Path] = ()) -> list[Path]:
    """Return the files of a name: those of the first layer that has any."""
    layers = ([folder / file for folder in layer if os.path.isfile(folder / file)] for layer in _layers(kind, near))
    return next(filter(None, layers), [])


def _layers(kind: Kind, near: Sequence[Path] = ()) -> list[list[Path]]:
    return [[Path(folder) for folder in layer] for layer in config_paths.layers(kind, tuple(map(str, near)))]


def _folders(kind: Kind, near: Sequence[Path]) -> list[Path]:
    return list(map(Path, config_paths.folders(kind, tuple(map(str, near)))))


def _existing(path: Path) -> Path:
    if os.path.isfile(path):
        return path
    raise ConfigError(config_issue(SourceLocation(display_path(path)), (), no_such_file(path)))


def is_bare_task(name: str) -> bool:
    """Whether a name is that of a task, installed or in a folder ``protocols`` here, whatever YAML files name it."""
    file = name.partition(".")[0] + ".py"
    return name in installed_plugins(PROTOCOLS) or os.path.isfile(os.path.join(PROTOCOLS_FOLDER, file))


def _not_found(kind: Kind, name: str, near: Sequence[Path]) -> str:
    if kind == "protocols" and is_bare_task(name):
        return (
            f"'{name}' is Python, and no YAML file of this name gives its limits and its rig: write "
            f"configs/protocols/{name}.yaml with `protocol: {name}`, `simulation: {{rig: RIG}}` and "
            "`stop: {session_s: 3600, max_rewards: 100, ...}`; `rig show graph` takes the task itself"
        )
    there = names(kind, near)
    looked = ", ".join(dict.fromkeys(display_path(folder) for folder in _folders(kind, near)))
    listing = ", ".join(there) if there else f"no {kind} yet"
    beside = f"; for the file in this folder write {name}.yaml" if os.path.isfile(f"{name}.yaml") else ""
    without = [package for package in config_paths.packages() if package not in config_paths.package_folders()]
    beside += f"; no folder 'configs' is in the installed {', '.join(without)}" if without else ""
    # The curve of another valve gives other drops.
    guess = "" if kind == "calibrations" else did_you_mean(name, there)
    return f"no {SINGULAR[kind]} is called '{name}'; {guess}there are: {listing} (looked in {looked}){beside}"
