"""The records of a session that a panic button has ended."""

from pathlib import Path

from tests.journal_lines import FOOTER, HEADER, journal_of, made

DETAIL = "the panic button of board sim (pin 12) was pressed"
LINES = (
    made("header", **HEADER, subject="M1", model=None),
    made("state", 1, name="ready"),
    made("panic", 2, board="sim", pin=12, executed=0, number=3),
    made("footer", 3, **{**FOOTER, "reason": "panic", "detail": DETAIL}),
)


def ended_by_panic(data: Path, day: str, subject: str = "M1") -> None:
    folder = data / subject / day / "001"
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(b"".join(journal_of(LINES)))
