"""Each value says which of the session's own copies set it, and what that overrode."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.report.value_origins import COMMAND_LINE, DEFAULT, UNKNOWN, Copies, Origin


@pytest.fixture
def session(tmp_path: Path) -> Path:
    files = {
        "protocols/base.yaml": "protocol: p\nparams:\n  a: 1\n  b: 2\n  c: 3\nstop: {session_s: 60}\n",
        "protocols/mine.yaml": "extends: base.yaml\nparams: {a: 10, list: [1, 2.0]}\n",
        "curricula/training.yaml": "stages:\n  first:\n    protocol: mine\n    params: {b: 20}\n",
        "protocols/broken.yaml": "a: [\n",
        "rigs/far.yaml": "devices:\n  left: {kind: port, beam: 6}\n  lamp: 3\n",
    }
    for name, text in files.items():
        path = tmp_path / "config" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_file_goes_before_the_one_that_it_extends(session: Path) -> None:
    copies = Copies(session)
    assert copies.of(("params", "a"), 10) == Origin("protocols/mine.yaml:2", ("1 in protocols/base.yaml:3",))
    assert copies.of(("params", "c"), 3) == Origin("protocols/base.yaml:5")
    assert copies.of(("stop", "session_s"), 60.0) == Origin("protocols/base.yaml:6")


def test_a_stage_goes_before_the_protocol_s_file(session: Path) -> None:
    found = Copies(session).of_stage("first", ("params", "b"), 20)
    assert found == Origin("curricula/training.yaml:4", ("2 in protocols/base.yaml:4",))
    assert Copies(session).of_stage("second", ("params", "b"), 2) == Origin("protocols/base.yaml:4")


def test_what_no_file_says_is_a_default_or_of_the_command_line(session: Path) -> None:
    copies = Copies(session)
    assert copies.of(("params", "other"), 5, 5) == Origin(DEFAULT)
    assert copies.of(("params", "other"), 6, 5) == Origin(COMMAND_LINE)
    assert copies.of(("params", "other"), 6) == Origin(UNKNOWN)


def test_a_value_that_differs_from_every_file_is_of_the_command_line(session: Path) -> None:
    found = Copies(session).of(("params", "a"), 11, 0)
    assert found == Origin(COMMAND_LINE, ("10 in protocols/mine.yaml:2", "1 in protocols/base.yaml:3"))


@pytest.mark.parametrize(("value", "same"), [([1, 2], True), ((1.0, 2), True), ([1, 3], False), (True, False)])
def test_values_are_compared_as_json_has_them(session: Path, value: object, *, same: bool) -> None:
    found = Copies(session).of(("params", "list"), value)
    assert (found.source == "protocols/mine.yaml:2") == same


def test_a_plain_value_in_place_of_a_mapping_counts_for_its_key(session: Path) -> None:
    assert Copies(session).of(("devices", "lamp", "pin"), 3) == Origin("rigs/far.yaml:3")


def test_files_that_extend_each_other_in_a_circle_are_read_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "protocols"
    folder.mkdir(parents=True)
    for name, other in (("one", "two"), ("two", "one")):
        (folder / f"{name}.yaml").write_text(f"extends: {other}.yaml\nparams: {{a: 1}}\n")
    assert Copies(tmp_path).of(("params", "a"), 1).source.startswith("protocols/")


def test_nothing_outside_of_the_session_s_folder_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("params: {key: 1}\n")
    session = tmp_path / "session"
    folder = session / "config" / "protocols"
    folder.mkdir(parents=True)
    (folder / "own.yaml").write_text(f"extends: [{secret}, ../../../secret.yaml]\nparams: {{a: 1}}\n")
    (folder / "link.yaml").symlink_to(secret)
    assert Copies(session).of(("params", "key"), 1) == Origin(UNKNOWN)
    assert Copies(session).of(("params", "a"), 1) == Origin("protocols/own.yaml:2")


def test_a_session_without_copies_has_no_files_to_name(tmp_path: Path) -> None:
    assert Copies(tmp_path).of(("params", "a"), 1, 1) == Origin(DEFAULT)
