"""What a session takes from files where somebody stands, although something of that name is installed or shipped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rig.config.errors.formatting import display_path
from rig.config.find import SINGULAR, shadowed_kind
from rig.session.build.spec import SessionSpec


def replaced_sources(spec: SessionSpec) -> Iterator[str]:
    """Return which protocol, and which YAML files, are a laboratory's own instead of ours."""
    found = spec.found
    if found.replaces_installed:
        yield f"protocol {found.name} is from {found.origin}, not the installed one"
    yield from replaced_files(spec.sources)


def replaced_files(sources: Iterable[Path]) -> Iterator[str]:
    """Return which YAML files are taken instead of those of the same name that are shipped."""
    for path in dict.fromkeys(sources):
        kind = shadowed_kind(path)
        if kind is not None:
            yield f"{SINGULAR[kind]} file {path.stem} is from {display_path(path)}, not the shipped one"
