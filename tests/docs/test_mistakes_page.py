"""The page of mistakes is what `rig check` really answers."""

from scripts import mistakes_page


def test_there_are_at_least_twenty_and_every_answer_names_its_file_and_line() -> None:
    rows = [line for line in mistakes_page.PAGE.read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(mistakes_page.SLIPS) >= 20
    assert all(".yaml:" in row for row in rows)
