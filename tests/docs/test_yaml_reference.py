"""docs/reference/yaml.md says what every key means."""

from scripts import yaml_reference


def test_every_key_has_a_meaning() -> None:
    rows = [line.split(" | ") for line in yaml_reference.page().splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert [row[0] for row in rows if row[-1].strip(" |") == "" and row[0] != "| `kind`"] == []
