"""What `rig align` writes beside a session, made by hand: mappings, and numbered frames."""

import json
from pathlib import Path

from rig.records.alignments.alignment import FOLDER, FORMAT, KIND

FIRST = {"from_us": 1e6, "to_us": 20e6, "offset_s": 1000.0, "rate": 1.00002}
SECOND = {"from_us": 30e6, "to_us": 3600e6, "offset_s": 1040.0, "rate": 1.00002}
"""Two pieces with a gap between them; before the first and behind the second nothing is known."""


def put_alignment(session: Path, name: str, *pieces: dict[str, float], content: str | None = None) -> Path:
    document = {"format": FORMAT, "kind": KIND, "uncertainty_us": 29.6, "pieces": pieces or (FIRST, SECOND)}
    return put_beside(session, f"{name}.json", json.dumps(document) if content is None else content)


def put_frames(session: Path, channel: str, *rows: str) -> Path:
    return put_beside(session, f"frames_{channel}.csv", "".join(f"{row}\n" for row in ("frame,t_us,edge", *rows)))


def put_beside(session: Path, name: str, content: str) -> Path:
    path = session / FOLDER / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path
