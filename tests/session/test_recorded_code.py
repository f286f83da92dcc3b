"""No journal commands: whatever its header names, and whatever lies in its folder, nothing of it runs unasked."""

import hashlib
import json
import os
import py_compile
import shutil
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from rig.system import plugins as shelf
from tests.cli.conftest import Rig
from tests.journal_lines import sealed_json
from tests.session.spec.task_files import YAML, write
from tests.tables import rows

EVIL = """
import pathlib
pathlib.Path({marker!r}).touch()
"""

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


def resealed(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a journal's header, with a checksum that fits."""
    path = folder / "journal.jsonl"
    first, *rest = path.read_bytes().splitlines(keepends=True)
    header = json.loads(first)
    del header["crc"]
    change(header)
    path.write_bytes(sealed_json(header) + b"".join(rest))


def claim(folder: Path, **fields: Any) -> None:
    """Have a journal's header say so."""
    resealed(folder, lambda header: header.update(fields))


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """What code that should not have run leaves behind."""
    return tmp_path / "it ran"


@pytest.fixture
def evil(tmp_path: Path, marker: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file beside the person, that may also be imported by its name, and that says that it ran."""
    folder = tmp_path / "here"
    path = write(folder / "evil.py", "Evil", EVIL.format(marker=str(marker)))
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    return path


@pytest.fixture
def own(rig: Rig, data: Path, tmp_path: Path, marker: Path) -> Path:
    """A session of a laboratory's own file, which says when it is run."""
    file = write(
        tmp_path / "lab" / "my_task.py", extra="from lab_pauses import PAUSE_S" + EVIL.format(marker=str(marker))
    )
    (file.parent / "lab_pauses.py").write_text("PAUSE_S = 1\n")
    (file.parent / "my_task.yaml").write_text(YAML.format(word="./my_task.py:Mine"))
    words = (file.parent / "my_task.yaml", "--model", "random", "--subject", "M1", "--start", "2026-11-21")
    assert rig("sim", *words).status == 0
    marker.unlink()
    shutil.rmtree(file.parent)
    return next(data.rglob("journal.jsonl")).parent


# --- what a header names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("trust", [(), ("--trust",)])
@pytest.mark.parametrize(
    "name", ["./evil.py", "./evil.py:Evil", "{here}/evil.py", "{here}/evil.py:Evil", "evil", "evil:Evil", "sim", "rflr"]
)
def test_no_name_of_a_journal_is_imported_or_opened(
    rig: Rig, session: Path, evil: Path, marker: Path, name: str, trust: tuple[str, ...]
) -> None:
    claim(session, protocol=name.format(here=evil.parent))
    answer = rig("replay", *trust, session)
    assert answer.status == 2
    assert f"{session}: protocol '" in answer.err
    assert "is not installed" in answer.err
    assert not marker.exists()


@pytest.mark.parametrize("trust", [(), ("--trust",)])
@rows("word")
def test_no_path_of_a_journal_is_opened(
    rig: Rig, session: Path, evil: Path, marker: Path, word: Any, trust: tuple[str, ...]
) -> None:
    word = word.format(here=evil.parent) if isinstance(word, str) else word
    name = word.rpartition(":")[0] if isinstance(word, str) else "evil.py"
    claim(session, protocol="evil", task=word, code={name: sha(evil), "evil.py": sha(evil)})
    answer = rig("replay", *trust, session)
    assert answer.status == 2, answer
    assert not marker.exists()


def test_a_protocol_that_lies_where_one_stands_is_not_taken_for_the_installed_one(
    rig: Rig, session: Path, evil: Path, marker: Path
) -> None:
    for folder in (evil.parent, session, session / "config"):
        (folder / "protocols").mkdir(exist_ok=True)
        shutil.copyfile(evil, folder / "protocols" / "two_armed_bandit.py")
    answer = rig("replay", session)
    assert (answer.status, answer.err) == (0, "")
    assert not marker.exists()


def test_a_driver_that_a_journal_names_is_not_asked_for(
    rig: Rig, session: Path, evil: Path, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = shelf.read_entry_points

    def points(group: str, path: tuple[str, ...]) -> Any:
        return [*true(group, path), EntryPoint("evil", "evil:Evil", group)]

    monkeypatch.setattr(shelf, "read_entry_points", points)

    def change(header: dict[str, Any]) -> None:
        header["rig"]["board"] = {"driver": "evil", "reference": True}

    resealed(session, change)
    assert rig("replay", session).status == 0
    assert not marker.exists()


# --- what its folder holds --------------------------------------------------------------------------------------


def test_code_of_a_folder_runs_only_when_it_is_trusted_and_is_shown_with_its_hash(
    rig: Rig, own: Path, marker: Path
) -> None:
    files = [own / "config" / "lab" / name for name in ("lab_pauses.py", "my_task.py")]
    refused = rig("replay", own)
    assert refused.status == 2
    assert "--trust" in refused.err
    assert not marker.exists()
    replayed = rig("replay", "--trust", own, "--json")
    assert replayed.status == 0
    assert marker.exists()
    (result,) = json.loads(replayed.out)
    assert (result["code"], result["differing_files"], result["difference"]) == ("trusted", [], None)
    for file in files:
        for said in (refused.err, replayed.err):
            assert f"{file}, SHA-256 {sha(file)}" in said


def test_trusted_code_is_shown_before_it_runs(own: Path, child: Callable[..., Any]) -> None:
    (task,) = (own / "config").rglob("my_task.py")
    task.write_text("import os\nos._exit(0)\n")  # nothing is printed any more
    claim(own, code={"my_task.py": sha(task)})
    with child("replay", "--trust", own) as it:
        out, err = it.communicate(timeout=30)
    assert (it.returncode, out) == (0, "")
    assert f"trusted: {task}, SHA-256 {sha(task)}" in err


def test_code_that_is_not_what_was_recorded_does_not_run_even_when_it_is_trusted(
    rig: Rig, own: Path, marker: Path
) -> None:
    (task,) = (own / "config").rglob("my_task.py")
    task.write_text(task.read_text() + "\n# one more line\n")
    answer = rig("replay", "--trust", own)
    assert answer.status == 2
    assert "is not what was recorded" in answer.err
    assert not marker.exists()


def test_what_lies_beside_trusted_code_is_not_imported_with_it(rig: Rig, own: Path, marker: Path) -> None:
    def forget(header: dict[str, Any]) -> None:
        del header["code"]["lab_pauses.py"]

    resealed(own, forget)
    answer = rig("replay", "--trust", own)
    assert answer.status == 2
    assert "No module named 'lab_pauses'" in answer.err


def test_compiled_code_beside_trusted_code_is_not_run_instead_of_it(rig: Rig, own: Path, tmp_path: Path) -> None:
    helper = next((own / "config").rglob("lab_pauses.py"))
    other, ran = tmp_path / "lab_pauses.py", tmp_path / "compiled code ran"
    other.write_text("PAUSE_S = 1\n" + EVIL.format(marker=str(ran)))
    compiled = Path(py_compile.compile(str(other), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH))
    (helper.parent / "__pycache__").mkdir(exist_ok=True)
    shutil.copyfile(compiled, helper.parent / "__pycache__" / compiled.name)
    assert rig("replay", "--trust", own).status == 0
    assert not ran.exists()


@needs_links
@pytest.mark.parametrize("level", ["config", "config/lab", "config/lab/my_task.py"])
def test_a_link_out_of_the_folder_is_not_followed(
    rig: Rig, own: Path, tmp_path: Path, marker: Path, level: str
) -> None:
    outside = tmp_path / "outside"
    shutil.move(own / level, outside)
    (own / level).symlink_to(outside)
    answer = rig("replay", "--trust", own)
    assert answer.status == 2
    assert "not in the folder config" in answer.err
    assert not marker.exists()


def test_a_replay_writes_nothing_into_the_folder(rig: Rig, own: Path) -> None:
    before = sorted(own.rglob("*"))
    assert rig("replay", "--trust", own).status == 0
    assert sorted(own.rglob("*")) == before


@needs_links
def test_what_was_reached_by_links_in_the_laboratory_replays_from_its_copies(
    rig: Rig, data: Path, tmp_path: Path
) -> None:
    real = write(tmp_path / "versions" / "task_v2.py", extra="from lab_pauses import PAUSE_S")
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "pauses.py").write_text("PAUSE_S = 1\n")
    (real.parent / "lab_pauses.py").symlink_to(tmp_path / "common" / "pauses.py")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "my_task.py").symlink_to(real)
    (tmp_path / "lab" / "my_task.yaml").write_text(YAML.format(word="./my_task.py:Mine"))
    words = (tmp_path / "lab" / "my_task.yaml", "--model", "random", "--subject", "M1", "--start", "2026-11-21")
    assert rig("sim", *words).status == 0
    answer = rig("replay", "--trust", next(data.rglob("journal.jsonl")).parent)
    assert answer.status == 0, answer.err


# --- which version ----------------------------------------------------------------------------------------------


def test_a_header_holds_the_hash_of_every_file_of_its_protocol(session: Path) -> None:
    header = json.loads((session / "journal.jsonl").read_bytes().splitlines()[0])
    copies = {path.name: sha(path) for path in (session / "config").glob("*/*.py")}
    assert {Path(name).name: code for name, code in header["code"].items()} == copies
    assert {"blocks.py", "tables/decisions.py"} <= set(header["code"])


def test_another_version_than_the_recorded_one_replays_only_where_that_is_asked_for(rig: Rig, session: Path) -> None:
    def change(header: dict[str, Any]) -> None:
        header["code"]["blocks.py"] = "0" * 64

    resealed(session, change)
    refused = rig("replay", session)
    assert refused.status == 2
    assert "is not the recorded version: blocks.py differs; --any-version" in refused.err
    answer = rig("replay", session, "--any-version")
    assert answer.status == 0
    assert "the same" in answer.out
    assert "is not the recorded version: blocks.py differs" in answer.out
    (result,) = json.loads(rig("replay", session, "--any-version", "--json").out)
    assert (result["code"], result["differing_files"]) == ("installed", ["blocks.py"])


def test_a_laboratorys_copy_of_an_installed_protocol_replays_without_trust(rig: Rig, session: Path) -> None:
    def change(header: dict[str, Any]) -> None:
        header["task"] = "two_armed_bandit.py:TwoArmedBandit"
        del header["code"]["blocks.py"]  # which it imported from what is installed

    resealed(session, change)
    assert rig("replay", session).status == 0


def test_a_laboratorys_changed_copy_of_an_installed_protocol_is_not_replayed_as_the_installed_one(
    rig: Rig, session: Path
) -> None:
    task = session / "config" / "two_armed_bandit" / "task.py"
    task.write_text(task.read_text() + "\n# ours\n")

    def change(header: dict[str, Any]) -> None:
        header["task"] = "task.py:TwoArmedBandit"
        header["code"] = {"task.py": sha(task)}

    resealed(session, change)
    assert rig("replay", session).status == 2
    assert rig("replay", "--trust", session).status == 0
