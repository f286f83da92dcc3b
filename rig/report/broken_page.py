"""The page of a session of which nothing but its name can be read."""

from __future__ import annotations

from pathlib import Path

from rig.report.html import element
from rig.report.page import page
from rig.report.verdict import Verdict, judged, whole
from rig.report.verdict_part import verdict_part


def broken_verdict(why: str) -> Verdict:
    """Return the verdict on records that cannot be read."""
    return judged([whole("records", why, "bad")])


def broken_page(journal: Path, verdict: Verdict) -> str:
    """Return the page of a session without a header that can be read."""
    name = "/".join(journal.absolute().parts[-4:-1])
    return page(
        f"{name}: no report",
        element("h1", name),
        element("p", "Of this session no report can be made.", class_="lead"),
        verdict_part(verdict),
    )
