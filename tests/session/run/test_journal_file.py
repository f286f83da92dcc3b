"""The journal on disk: every line whole or not at all, on a disk that fills, fails and is shared."""

import errno
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.journal import Journal
from rig.records.journal import unwritable_reason
from rig.records.journal.read import scan_journal
from rig.session.run import journal_file as module
from rig.session.run.journal_file import (
    JOURNAL,
    RESERVE_BYTES,
    Recorder,
    claim_folder,
    copy_sources,
    discard_folder,
    write_json,
)
from tests.journal_lines import FOOTER, made
from tests.killed_program import Killed


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Recorder]]:
    made: list[Recorder] = []

    def make(synced: bool = False, folder: Path = tmp_path, **how: Any) -> Recorder:
        made.append(Recorder(folder, synced=synced, **how))
        return made[-1]

    yield make
    for recorder in made:
        recorder.close()


class Disk:
    """Stands in for ``os.write`` on a disk with so many bytes left, and those of the reserve once it is gone."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: int, *, short: bool, reserve: Path | None = None) -> None:
        self.room = room
        self._short = short
        self._reserve = reserve
        self._write = os.write
        monkeypatch.setattr(module.os, "write", self.write)

    def write(self, fd: int, data: bytes) -> int:
        if self._reserve is not None and not self._reserve.exists():
            self.room, self._reserve = self.room + RESERVE_BYTES, None
        if len(data) > self.room:
            if not self._short or self.room == 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            data = data[: self.room]
        self.room -= len(data)
        return self._write(fd, data)


def lines_in(folder: Path) -> list[bytes]:
    return (folder / JOURNAL).read_bytes().splitlines(keepends=True)


# --- appending ------------------------------------------------------------------------------------------------


def test_a_line_is_on_disk_when_append_returns(make: Callable[..., Recorder], tmp_path: Path) -> None:
    recorder = make()
    for n in range(100):
        recorder.append(b"%d\n" % n)
        assert len(lines_in(tmp_path)) == n + 1


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("room", range(0, 31, 3))
def test_on_a_full_disk_a_line_is_in_the_file_whole_or_not_at_all(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, short: bool
) -> None:
    recorder = make()
    Disk(monkeypatch, room, short=short)
    for _ in range(room // 8):
        recorder.append(b"0123456\n")
    with pytest.raises(RecordError, match=r"journal\.jsonl: a line could not be written: No space left"):
        recorder.append(b"0123456\n")
    assert recorder.failed
    assert lines_in(tmp_path) == [b"0123456\n"] * (room // 8)


def test_what_fits_after_a_failure_is_appended_behind_the_last_whole_line(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = make()
    disk = Disk(monkeypatch, 13, short=True)
    recorder.append(b"first...\n")
    with pytest.raises(RecordError):
        recorder.append(b"too long for it\n")
    disk.room = 100
    recorder.append(b"last\n")
    assert lines_in(tmp_path) == [b"first...\n", b"last\n"]


def test_a_journal_whose_line_failed_goes_on_with_the_same_number(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(make().append)
    disk = Disk(monkeypatch, 200, short=True)
    for n in range(2):
        journal.note(n, "what happened")
    with pytest.raises(RecordError):
        journal.note(2, "what happened")
    disk.room = 1000
    journal.write(made("footer", 3, **FOOTER))
    found = scan_journal(tmp_path / JOURNAL)
    assert (found.damage, found.torn_bytes) == ([], 0)
    assert found.footer is not None


def test_behind_half_a_line_that_can_not_be_taken_back_nothing_more_is_written(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = make()
    disk = Disk(monkeypatch, 3, short=True)

    def refuse(fd: int, size: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(module.os, "ftruncate", refuse)
    with pytest.raises(RecordError, match="could not be written"):
        recorder.append(b"0123456\n")
    disk.room = 100
    with pytest.raises(RecordError, match="could not be written"):
        recorder.append(b"0123456\n")
    assert lines_in(tmp_path) == [b"012"]


@given(st.lists(st.integers(1, 40), max_size=30), st.integers(0, 400), st.booleans())
@settings(max_examples=50)
def test_whatever_the_disk_takes_the_file_holds_whole_lines(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], room: int, short: bool
) -> None:
    folder = tmp_path_factory.mktemp("session")
    recorder = Recorder(folder, synced=False)
    kept = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        Disk(monkeypatch, room, short=short)
        for size in sizes:
            line = b"x" * size + b"\n"
            try:
                recorder.append(line)
                kept.append(line)
            except RecordError:
                pass
    recorder.close()
    assert lines_in(folder) == kept


# --- the reserve ----------------------------------------------------------------------------------------------


def test_a_real_session_keeps_a_reserve_and_gives_it_back(make: Callable[..., Recorder], tmp_path: Path) -> None:
    recorder = make(synced=True)
    reserve = tmp_path / ".reserve"
    assert reserve.stat().st_size == RESERVE_BYTES
    assert reserve.stat().st_blocks * 512 >= RESERVE_BYTES, "a hole reserves nothing"
    recorder.close()
    assert not reserve.exists()


@pytest.mark.parametrize("short", [True, False])
def test_a_line_that_finds_the_disk_full_takes_the_place_of_the_reserve_and_says_so(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bool
) -> None:
    told: list[RecordError] = []
    recorder = make(synced=True, on_full=told.append)
    disk = Disk(monkeypatch, 12, short=short, reserve=tmp_path / ".reserve")
    for line in (b"first...\n", b"a paid drop\n", b"the footer\n"):
        recorder.append(line)
    assert lines_in(tmp_path) == [b"first...\n", b"a paid drop\n", b"the footer\n"]
    assert ["could not be written" in str(error) for error in told] == [True], "once: the session ends"
    assert not (tmp_path / ".reserve").exists()
    assert recorder.failed
    disk.room = 0
    with pytest.raises(RecordError):
        recorder.append(b"more\n")


def test_a_disk_so_full_that_the_reserve_does_not_help_is_said(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = make(synced=True)
    Disk(monkeypatch, 0, short=True)  # another program takes what the reserve leaves
    with pytest.raises(RecordError, match="could not be written: No space left"):
        recorder.append(b"a line\n")
    assert lines_in(tmp_path) == []


def test_a_journal_that_cannot_be_written_to_its_end_keeps_the_reason_beside_it(
    make: Callable[..., Recorder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = make(synced=True)
    disk = Disk(monkeypatch, 12, short=False, reserve=tmp_path / ".reserve")
    recorder.append(b"first...\n")
    recorder.append(b"into the place of the reserve\n")
    assert unwritable_reason.read_detail(tmp_path) == "", "the footer will have room"
    disk.room = 0
    with pytest.raises(RecordError):
        recorder.append(b"the footer\n")
    recorder.close()
    assert unwritable_reason.read_detail(tmp_path).endswith(
        "journal.jsonl: a line could not be written: No space left on device"
    )


def test_a_whole_journal_leaves_nothing_beside_it(make: Callable[..., Recorder], tmp_path: Path) -> None:
    recorder = make(synced=True)
    recorder.append(b"a line\n")
    recorder.close()
    assert [path.name for path in tmp_path.iterdir()] == [JOURNAL]


def test_a_reserve_that_does_not_fit_is_refused_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    with pytest.raises(RecordError, match="cannot be made: No space left"):
        Recorder(tmp_path, synced=True)
    if sys.platform == "linux":
        assert len(os.listdir("/proc/self/fd")) == before


def test_a_simulated_session_needs_no_reserve(make: Callable[..., Recorder], tmp_path: Path) -> None:
    make()
    assert [path.name for path in tmp_path.iterdir()] == [JOURNAL]


# --- a disk that is really full -------------------------------------------------------------------------------

LAST = f'journal.write(made("footer", journal.seq, **{FOOTER}))\n'
FILL = f"""
import sys
from pathlib import Path
from rig.core.errors import RecordError
from rig.core.journal.journal import Journal
from rig.session.run.journal_file import Recorder
from tests.journal_lines import made
full = []
recorder = Recorder(Path(sys.argv[1]), synced=True, on_full=full.append)
journal = Journal(recorder.append)
try:
    while journal.seq < 100_000 and not full:
        journal.note(journal.seq, "x" * 50)
except RecordError as error:
    full.append(error)
print(*full)
{LAST}recorder.close()
"""
IN_A_SMALL_DISK = 'mount -t tmpfs -o size=1200k none "$1" && "$2" -c "$3" "$1" && cp "$1"/journal.jsonl "$4"'


def child(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    return subprocess.run(command, env=kept, capture_output=True, text=True, timeout=60, **options)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small disk")
def test_on_a_disk_that_is_really_full_the_footer_still_finds_room(tmp_path: Path) -> None:
    if child("unshare", "--mount", "true").returncode != 0:
        pytest.skip("only root may mount")
    disk, kept = tmp_path / "disk", tmp_path / "kept.jsonl"
    disk.mkdir()
    result = child("unshare", "--mount", "sh", "-c", IN_A_SMALL_DISK, "sh", str(disk), sys.executable, FILL, str(kept))
    assert result.returncode == 0, result.stderr
    assert "a line could not be written" in result.stdout
    found = scan_journal(kept)
    assert (found.damage, found.torn_bytes) == ([], 0)
    assert found.footer is not None
    assert len(found.lines) > 500


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_at_the_largest_file_that_the_system_allows_every_line_is_whole(tmp_path: Path) -> None:
    limit = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_100, resource.RLIM_INFINITY))\n"
    )
    ending = FILL.replace(LAST, "")
    result = child(sys.executable, "-c", limit + ending, str(tmp_path))
    assert result.returncode == 0, result.stderr
    assert "a line could not be written" in result.stdout
    found = scan_journal(tmp_path / JOURNAL)
    assert (found.damage, found.torn_bytes) == ([], 0)
    assert (tmp_path / JOURNAL).stat().st_size > 999_900


# --- syncing --------------------------------------------------------------------------------------------------


def test_a_helper_thread_syncs_the_journal_and_ends_with_it(
    make: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = threading.Semaphore(0)
    monkeypatch.setattr(module, "SYNC_S", 0.001)
    monkeypatch.setattr(module, "sync_data", lambda fd: synced.release())
    recorder = make(synced=True)
    assert all(synced.acquire(timeout=10) for _ in range(3))
    assert "journal sync" in [thread.name for thread in threading.enumerate()]
    recorder.close()
    assert "journal sync" not in [thread.name for thread in threading.enumerate()]


def test_closing_syncs_a_last_time_and_twice_is_once(
    make: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(module, "sync_data", calls.append)
    recorder = make(synced=True)
    recorder.close()
    recorder.close()
    assert len(calls) == 1


def test_a_simulated_session_is_not_synced(make: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(module, "sync_data", calls.append)
    make().close()
    assert calls == []


def test_a_disk_that_loses_what_was_written_fails_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = threading.Event()

    def lose(fd: int) -> None:
        tried.set()
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(module, "SYNC_S", 0.001)
    monkeypatch.setattr(module, "sync_data", lose)
    recorder = Recorder(tmp_path, synced=True)
    assert tried.wait(10)
    assert recorder._thread is not None
    recorder._thread.join(10)
    with pytest.raises(RecordError, match="Input/output error"):
        recorder.append(b"a line\n")
    with pytest.raises(RecordError, match="may not be whole: Input/output error"):
        recorder.close()


def test_a_disk_that_fails_at_the_very_end_is_said_in_words(
    make: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = make(synced=True)

    def lose(fd: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(module, "sync_data", lose)
    with pytest.raises(RecordError, match="Input/output error"):
        recorder.close()
    recorder.close()


class FailingOnce:
    """Stands in for a sync that fails in the helper thread, and succeeds afterwards: Linux reports an error once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.armed = threading.Event()
        monkeypatch.setattr(module, "SYNC_S", 0.001)
        monkeypatch.setattr(module, "sync_data", self.sync)

    def sync(self, fd: int) -> None:
        if self.armed.is_set():
            self.armed.clear()
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def fail(self, recorder: Recorder) -> None:
        """Wait until the helper thread has met the error."""
        self.armed.set()
        assert recorder._thread is not None
        recorder._thread.join(10)
        assert not recorder._thread.is_alive()


def test_a_sync_that_failed_after_the_last_line_is_raised_at_the_end_though_the_last_sync_succeeds(
    make: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FailingOnce(monkeypatch)
    recorder = make(synced=True)
    recorder.append(b"the footer\n")
    disk.fail(recorder)
    with pytest.raises(RecordError, match="may not be whole: Input/output error"):
        recorder.close()


def test_after_a_sync_that_failed_no_line_is_secure_though_the_next_sync_succeeds(
    make: Callable[..., Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FailingOnce(monkeypatch)
    recorder = make(synced=True)
    recorder.append(b"an allowance\n")
    disk.fail(recorder)
    with pytest.raises(RecordError, match="may not be whole: Input/output error"):
        recorder.secure(recorder._safe_lines + 1)
    with pytest.raises(RecordError, match="may not be whole"):
        recorder.close()


# --- the folder -----------------------------------------------------------------------------------------------


def test_folders_are_numbered_from_001(tmp_path: Path) -> None:
    claimed = [claim_folder(tmp_path / "M1", "2026-11-21") for _ in range(3)]
    assert [path.relative_to(tmp_path).as_posix() for path in claimed] == [f"M1/2026-11-21/{n:03d}" for n in (1, 2, 3)]
    assert claim_folder(tmp_path / "M1", "2026-11-22").name == "001"


def test_a_number_is_not_used_again_when_a_session_in_between_was_removed(tmp_path: Path) -> None:
    for name in ("001", "007"):
        (tmp_path / "2026-11-21" / name).mkdir(parents=True)
    assert claim_folder(tmp_path, "2026-11-21").name == "008"


def test_the_thousandth_session_of_a_day_is_no_special_case(tmp_path: Path) -> None:
    (tmp_path / "2026-11-21" / "999").mkdir(parents=True)
    assert [claim_folder(tmp_path, "2026-11-21").name for _ in range(2)] == ["1000", "1001"]


def test_what_else_lies_in_a_days_folder_does_not_matter(tmp_path: Path) -> None:
    day = tmp_path / "2026-11-21"
    day.mkdir()
    for name in ("notes.txt", ".DS_Store", "001 (copy)", "²"):
        (day / name).touch()
    assert claim_folder(tmp_path, "2026-11-21").name == "001"


def test_a_file_with_a_sessions_name_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "2026-11-21").mkdir()
    (tmp_path / "2026-11-21" / "001").write_text("precious")
    assert claim_folder(tmp_path, "2026-11-21").name == "002"


def test_a_day_that_can_not_be_a_folder_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "2026-11-21").write_text("a file")
    with pytest.raises(RecordError, match="2026-11-21"):
        claim_folder(tmp_path, "2026-11-21")


def test_many_threads_never_get_the_same_folder(tmp_path: Path) -> None:
    barrier = threading.Barrier(8)

    def claim(worker: int) -> list[Path]:
        barrier.wait()
        return [claim_folder(tmp_path, "2026-11-21") for _ in range(10)]

    with ThreadPoolExecutor(8) as pool:
        claimed = [folder for folders in pool.map(claim, range(8)) for folder in folders]
    assert Counter(claimed).most_common(1)[0][1] == 1
    assert sorted(folder.name for folder in claimed) == [f"{n:03d}" for n in range(1, 81)]


def test_many_processes_never_get_the_same_folder(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from rig.session.run.journal_file import claim_folder\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "for _ in range(20): print(claim_folder(Path(sys.argv[1]), '2026-11-21').name)"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    workers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=kept, stdin=-1, stdout=-1, text=True)
        for _ in range(3)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    names = [name for worker in workers for name in worker.communicate("go\n", timeout=60)[0].split()]
    assert sorted(names) == [f"{n:03d}" for n in range(1, 61)]


def test_a_journal_is_never_written_over(make: Callable[..., Recorder], tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text("precious")
    with pytest.raises(RecordError, match="cannot be made"):
        make()
    assert (tmp_path / JOURNAL).read_text() == "precious"


def test_a_folder_that_is_gone_is_said_in_words(make: Callable[..., Recorder], tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be made: No such file"):
        make(folder=tmp_path / "gone")


# --- before a session -----------------------------------------------------------------------------------------


def test_the_sources_are_copied_each_once_beside_its_kind(tmp_path: Path) -> None:
    for kind in ("protocols", "rigs"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "a.yaml").write_text(kind)
    folder = tmp_path / "session"
    folder.mkdir()
    copy_sources(
        folder, [tmp_path / "protocols" / "a.yaml", tmp_path / "rigs" / "a.yaml", tmp_path / "rigs" / "a.yaml"]
    )
    copied = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.yaml")}
    assert copied == {"config/protocols/a.yaml": "protocols", "config/rigs/a.yaml": "rigs"}


def test_two_sources_of_the_same_name_are_both_kept(tmp_path: Path) -> None:
    for lab in ("a", "b"):
        (tmp_path / lab / "rigs").mkdir(parents=True)
        (tmp_path / lab / "rigs" / "rig.yaml").write_text(lab)
    folder = tmp_path / "session"
    folder.mkdir()
    copy_sources(folder, [tmp_path / lab / "rigs" / "rig.yaml" for lab in ("a", "b")])
    assert sorted(path.read_text() for path in folder.rglob("*.yaml")) == ["a", "b"]


def test_json_that_can_not_be_written_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"a\.json: cannot be written: No such file"):
        write_json(tmp_path / "gone" / "a.json", {})


def test_json_is_written_whole_and_in_any_language(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"host": "Müller", "n": 1})
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"host": "Müller", "n": 1}
    assert text.endswith("}\n")


def test_a_discarded_session_leaves_nothing_and_other_sessions_of_the_day_stay(tmp_path: Path) -> None:
    first, second = (claim_folder(tmp_path / "M1", "2026-11-21") for _ in range(2))
    for folder in (first, second):
        (folder / "config" / "protocols").mkdir(parents=True)
        (folder / "config" / "protocols" / "a.yaml").touch()
        (folder / JOURNAL).touch()
    discard_folder(second)
    assert sorted(first.parent.iterdir()) == [first]
    discard_folder(first)
    assert list((tmp_path / "M1").iterdir()) == []
    discard_folder(first)


def test_the_journal_of_a_discarded_session_stays_while_another_file_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = claim_folder(tmp_path / "M1", "2026-11-21")
    for name in (JOURNAL, "environment.json"):
        (folder / name).touch()
    unlink = os.unlink

    def refuse(path: Any, **how: Any) -> None:
        if Path(path).name == "environment.json":
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        unlink(path, **how)

    monkeypatch.setattr(module.os, "unlink", refuse)
    discard_folder(folder)
    assert (folder / JOURNAL).exists()


# --- a journal that goes on ---------------------------------------------------------------------------------------


def of_two_parts(folder: Path) -> tuple[Recorder, bytes, bytes]:
    """Return a recorder that goes on with the first lines of a journal, and both journals."""
    old, kept = b'{"first":1}\n{"end":1}\n', b'{"first":1}\n'
    (folder / JOURNAL).write_bytes(old)
    (folder / "summary.json").write_text("{}")
    recorder = Recorder(folder, synced=True, kept=kept)
    recorder.append(b'{"more":1}\n')
    return recorder, old, kept + b'{"more":1}\n'


def test_a_folder_whose_paths_windows_refuses_is_said_before_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "longest_path", lambda: 259)
    assert module.claim_folder(tmp_path / "M1", "2026-11-21").is_dir()
    deep = tmp_path / ("x" * 200)
    with pytest.raises(RecordError, match="and Windows allows 259: choose a shorter --data"):
        module.claim_folder(deep / "M1", "2026-11-21")
    assert not deep.exists()


def test_a_journal_that_goes_on_is_in_its_place_only_when_it_is_published(tmp_path: Path) -> None:
    recorder, old, new = of_two_parts(tmp_path)
    assert (tmp_path / JOURNAL).read_bytes() == old
    recorder.publish()
    recorder.append(b'{"further":1}\n')
    recorder.close()
    recorder.discard()
    assert (tmp_path / JOURNAL).read_bytes() == new + b'{"further":1}\n'
    assert (tmp_path / "journal.part1.jsonl").read_bytes() == old
    assert {path.name for path in tmp_path.iterdir()} == {JOURNAL, "journal.part1.jsonl"}


@pytest.mark.parametrize("refuses", [False, True])
def test_windows_moves_the_journal_while_it_is_closed(
    refuses: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, old, new = of_two_parts(tmp_path)
    descriptors = []

    def replace(source: Path, target: Path) -> None:
        descriptors.append(recorder._fd)
        if refuses:
            raise PermissionError(13, "is open elsewhere")
        os.replace(source, target)

    monkeypatch.setattr(module, "MOVES_OPEN_FILES", False)
    monkeypatch.setattr(module, "move_path", replace)
    with pytest.raises(RecordError, match="is open elsewhere") if refuses else nullcontext():
        recorder.publish()
    recorder.append(b'{"further":1}\n')
    recorder.close()
    assert descriptors == [-1]
    written = tmp_path / (".journal.next" if refuses else JOURNAL)
    assert written.read_bytes() == new + b'{"further":1}\n'
    assert (tmp_path / "journal.part1.jsonl").read_bytes() == old


def test_a_journal_that_does_not_go_on_leaves_no_trace(tmp_path: Path) -> None:
    recorder, old, _ = of_two_parts(tmp_path)
    recorder.close()
    recorder.discard()
    assert {path.name for path in tmp_path.iterdir()} == {JOURNAL, "summary.json"}
    assert (tmp_path / JOURNAL).read_bytes() == old


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", ["unlink", "link", "replace", "fdatasync", "fsync"])
def test_a_kill_at_any_call_leaves_one_of_the_two_journals(
    call: str, after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, old, new = of_two_parts(tmp_path)
    real = getattr(os, call)

    def kill(*words: Any, **named: Any) -> None:
        if after:
            real(*words, **named)
        raise Killed

    with monkeypatch.context() as here:
        here.setattr(*((module, "sync_data") if call == "fdatasync" else (os, call)), kill)
        with pytest.raises(Killed):
            recorder.publish()
    found = (tmp_path / JOURNAL).read_bytes()
    assert found in (old, new)
    if found == new:
        assert (tmp_path / "journal.part1.jsonl").read_bytes() == old
    again = Recorder(tmp_path, synced=True, kept=new[: new.index(b"\n") + 1])
    again.publish()
    again.close()
    assert old in [path.read_bytes() for path in tmp_path.glob("journal.part*.jsonl")]
    assert (tmp_path / JOURNAL).read_bytes() == b'{"first":1}\n'
    recorder.close()


def test_a_disk_without_links_keeps_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: Any) -> None:
        raise PermissionError(1, "not permitted")

    recorder, old, new = of_two_parts(tmp_path)
    monkeypatch.setattr(os, "link", refuse)
    recorder.publish()
    recorder.close()
    assert (tmp_path / "journal.part1.jsonl").read_bytes() == old
    assert (tmp_path / JOURNAL).read_bytes() == new
