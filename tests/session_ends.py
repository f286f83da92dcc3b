"""The first and the last line of a recorded session, read back."""

from pathlib import Path

from rig.core.journal.header import Footer, Header
from rig.records.journal.read import journal_of, read_ends


def header_of(session: Path) -> Header:
    """Return the header of a session's folder or journal."""
    header = read_ends(journal_of(session)).header
    assert header is not None
    return header


def footer_of(session: Path) -> Footer:
    """Return its footer."""
    footer = read_ends(journal_of(session)).footer
    assert footer is not None
    return footer
