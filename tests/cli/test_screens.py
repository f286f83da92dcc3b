"""The screens on docs/reference/screens.md, which a script writes, fit into their terminals."""

from scripts.screens import PAGE


def test_no_line_of_a_screen_is_longer_than_its_terminal() -> None:
    page = PAGE.read_text(encoding="utf-8")
    narrow, wide = (
        part.split("## Where")[0] for part in page.split("\n## 80 columns\n")[1].split("\n## 200 columns\n")
    )
    assert 70 < max(len(line.expandtabs()) for line in narrow.splitlines()) <= 80
    assert 80 < max(len(line.expandtabs()) for line in wide.splitlines()) <= 200
