"""List the local files that a session uses in place of installed or shipped ones of the same name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rig.config.errors.formatting import display_path
from rig.config.find import SINGULAR, replaced_file
from rig.session.spec.session_spec import SessionSpec


def replaced_sources(spec: SessionSpec) -> Iterator[str]:
    """Yield a line for each local protocol or YAML file that replaces an installed or shipped one."""
    found = spec.found
    if found.replaces_installed:
        yield f"protocol {found.name} is from {found.origin}, not the installed one"
    yield from replaced_files(spec.sources)


def replaced_files(sources: Iterable[Path]) -> Iterator[str]:
    """Yield a line for each YAML file that replaces an installed or shipped one of the same name."""
    for path in dict.fromkeys(sources):
        if (replaced := replaced_file(path)) is not None:
            kind, whose = replaced
            yield f"{SINGULAR[kind]} file {path.stem} is from {display_path(path)}, not {whose}"
