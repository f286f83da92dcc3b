"""The file of an alignment, beside the session: ``alignment/NAME.json``; the journal is not touched."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from rig import __version__
from rig.align.alignment import Alignment
from rig.align.arrays import Floats
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError
from rig.records.alignments.alignment import FOLDER, FORMAT, KIND, NAME
from rig.system.atomic_files import read_errors, write_atomic, write_new
from rig.system.file_names import name_problem

MAX_LISTED = 1000
"""So many lost and extra edges are listed one by one; their numbers are always exact."""
_BLOCK = 1 << 20


def document_of(found: Alignment, source: Path, recording: Recording, digest: str) -> dict[str, object]:
    """Return an alignment as plain data; ``digest`` is the SHA-256 of the source, empty for a folder."""
    edges = hashlib.sha256(recording.times_s.tobytes())
    if recording.levels is not None:
        edges.update(recording.levels.tobytes())
    return {
        "format": FORMAT,
        "kind": KIND,
        "version": __version__,
        "source": {"file": source.name, "sha256": digest, "edges_sha256": edges.hexdigest()},
        "matched": {"by": found.how, "edges": found.edges, "inverted": found.inverted, "count": found.matched},
        "rate_ppm": round(found.rate_ppm, 4),
        "uncertainty_us": found.mapping.uncertainty_us,
        "resolution_us": round(found.resolution_us, 3),
        "residuals": {key: round(value, 3) for key, value in asdict(found.residuals).items()},
        "extrapolated_us": list(found.extrapolated_us),
        "pieces": [asdict(piece) for piece in found.mapping.pieces],
        "gaps": [asdict(gap) for gap in found.gaps],
        "lost": _listed(found.lost_us, "t_us"),
        "extra": _listed(found.extra_s, "other_s"),
        "warnings": list(found.warnings),
    }


def _listed(times: Floats, unit: str) -> dict[str, object]:
    return {"count": len(times), unit: [float(time) for time in times[:MAX_LISTED]]}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, empty for a folder. Raises ``RecordError``."""
    if not path.is_file():
        return ""
    digest = hashlib.sha256()
    with read_errors(path), path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def alignment_folder(session: Path) -> Path:
    """Return the folder of a session's alignments. Raises ``RecordError`` if a link lies there."""
    folder = session / FOLDER
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise RecordError(f"{folder}: is no folder: alignments are written into one, and not through a link")
    return folder


def checked_name(name: str) -> str:
    """Return the name of an alignment. Raises ``ConfigError`` for one that cannot be a file's."""
    if not NAME.fullmatch(name):
        raise ConfigError(f"--name {name!r:.80}: wanted up to 64 letters, digits, dots, hyphens and underscores")
    if problem := name_problem(name):
        raise ConfigError(f"--name: {problem}")
    return name


def write_beside(session: Path, name: str, content: str, *, force: bool) -> Path:
    """Write a file of a session's alignments atomically. Raises ``ConfigError`` if it is there, without ``force``."""
    path = alignment_folder(session) / name
    if force:
        with read_errors(path):
            path.parent.mkdir(exist_ok=True)
        return write_atomic(path, content, synced=True, shared=True)
    if not write_new(path, content):
        raise ConfigError(f"{path}: is there already: --force replaces it, --name gives another name")
    return path


def as_json(document: dict[str, object]) -> str:
    """Return plain data as the text of a file."""
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def frames_table(numbers: Sequence[int], t_us: Floats, measured: Sequence[bool]) -> str:
    """Return the table of a camera's frames: number, time of the session, and whether its edge was recorded."""
    rows = (
        f"{number},{'' if np.isnan(time) else round(float(time))},{int(edge)}\n"
        for number, time, edge in zip(numbers, t_us, measured, strict=True)
    )
    return "frame,t_us,edge\n" + "".join(rows)
