"""A task that was changed between two days of an animal is told before the session, in reports, and in the catalog."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Rig
from tests.repository import ROOT

RECIPES = ROOT / "docs" / "recipes"
PAID = "if exit_ is None:"
INVERTED = "if exit_ is not None:"


@pytest.fixture
def protocol(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A laboratory's own protocol; return the YAML file."""
    for name, folder in (("hold.py", "protocols"), ("hold.yaml", "configs/protocols")):
        path = data.parent / folder / name
        path.parent.mkdir(parents=True)
        path.write_text((RECIPES / folder / name).read_text())
    monkeypatch.chdir(data.parent)
    return data.parent / "configs" / "protocols" / "hold.yaml"


def change_code(protocol: Path, old: str, new: str) -> None:
    path = protocol.parents[2] / "protocols" / "hold.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def say_plainly(text: str) -> str:
    return " ".join(text.split())


def reasons(rig: Rig, *words: object) -> list[tuple[str, str]]:
    (document,) = json.loads(rig("report", *words, "--json").out)
    return [(each["severity"], each["text"]) for each in document["reasons"] if each["rule"] == "task"]


def test_a_changed_task_is_told_on_the_start_screen_and_everywhere_after(
    rig: Rig, real: Rig, data: Path, protocol: Path
) -> None:
    first = real("2026-11-20T09:00", protocol=str(protocol))
    assert (first.status, "differ" in first.err) == (0, False), first.err
    change_code(protocol, PAID, INVERTED)
    second = real("2026-11-21T09:00", "--set", "params.hold_s=0.2", protocol=str(protocol))
    assert second.status == 0, second.err
    texts = [
        "the code differs from 2026-11-20/001: hold.py",
        "parameters differ from 2026-11-20/001: hold_s 0.5 -> 0.2",
    ]
    for text in texts:
        assert f"warning {text}" in say_plainly(second.err)
    folder = data / "M1" / "2026-11-21" / "001"
    assert reasons(rig, folder) == [("suspicious", text) for text in texts]
    assert reasons(rig, data / "M1" / "2026-11-20" / "001") == []
    (entry,) = json.loads(rig("catalog", "--changes", "--json").out)
    assert (entry["session"], entry["changes"]) == ("2026-11-21/001", texts)
    assert rig("report", "--day", "2026-11-21").status == 0
    page = (data / "reports" / "day_2026-11-21.html").read_text().replace("&gt;", ">")
    assert all(text in page for text in texts)
    assert rig("report", "--subject", "M1").status == 0
    page = (data / "reports" / "subject_M1.html").read_text().replace("&gt;", ">")
    assert "Changes of code and parameters" in page
    assert all(text in page for text in texts)
    answer = rig("report", "--subject", "M1", "--json")
    assert [each["severity"] for each in json.loads(answer.out)[0]["reasons"]] == ["note", "note"], "it is long ago"
    refused = rig("analyze", data / "M1", "--analysis", "sessions")
    assert "code hold.py; hold_s 0.5 -> 0.2" in refused.out


def test_a_comment_is_told_and_is_no_warning(rig: Rig, real: Rig, data: Path, protocol: Path) -> None:
    assert real("2026-11-20T09:00", protocol=str(protocol)).status == 0
    change_code(protocol, PAID, f"# It stayed.\n        {PAID}")
    second = real("2026-11-21T09:00", protocol=str(protocol))
    assert "changed comments or layout differ from 2026-11-20/001: hold.py" in say_plainly(second.err)
    assert reasons(rig, data / "M1" / "2026-11-21" / "001") == [
        ("note", "comments or layout differ from 2026-11-20/001: hold.py")
    ]


def test_one_simulated_session_of_a_changed_task_says_so(rig: Rig, protocol: Path) -> None:
    words = ("sim", protocol, "--model", "random", "--subject", "V1", "--set", "stop.session_s=5")
    assert rig(*words, "--start", "2026-11-20").err == ""
    change_code(protocol, PAID, INVERTED)
    assert rig(*words, "--start", "2026-11-21").err == "warning: the code differs from 2026-11-20/001: hold.py\n"


@pytest.mark.parametrize("words", [("check",), ("sim", "--model", "random")], ids=["check", "sim"])
def test_a_protocol_without_a_yaml_file_is_named_with_what_to_write(
    rig: Rig, protocol: Path, words: tuple[str, ...]
) -> None:
    protocol.unlink()
    assert "hold" in rig("show", "protocols").out
    answer = rig(words[0], "hold", *words[1:])
    assert answer.status == 2
    assert "write configs/protocols/hold.yaml with `protocol: hold`" in answer.err


def test_each_class_of_a_file_is_found_by_the_name_under_which_it_is_listed(rig: Rig, protocol: Path) -> None:
    path = protocol.parents[2] / "protocols" / "hold.py"
    path.write_text(path.read_text() + "\n\nclass Longer(Hold):\n    pass\n")
    listed = [each["name"] for each in json.loads(rig("show", "protocols", "--json").out)["protocols"]]
    assert "hold.Hold" in listed
    assert rig("show", "graph", "hold.Hold").status == 0
