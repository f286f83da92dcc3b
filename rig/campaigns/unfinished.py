"""Sessions of a campaign whose subjects have more to come, each in a folder: tables, records, and the state."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc as ipc

from rig.campaigns.session_job import KeptSession, SessionProduct
from rig.campaigns.session_tables import ArrowTables
from rig.core.errors import RecordError
from rig.platform.files import move_path
from rig.session.subject_folder import STATE
from rig.system.atomic_files import new_name, read_errors, write_errors

_ARROW = ".arrow"


class UnfinishedSessions:
    """The sessions of subjects that have more to come, in ``ARM/SUBJECT/NNNNN`` below a folder.

    All methods raise ``RecordError``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, product: SessionProduct) -> None:
        """Write a session into a folder of its own, completely or not at all."""
        folder = self._subject(product.arm, product.subject) / f"{product.number:05d}"
        with write_errors(self.folder):
            _write(folder, product)

    def count(self, arm: str, subject: str) -> int:
        """Return how many sessions of a subject are here."""
        with read_errors(self.folder):
            return len(_numbered(self._subject(arm, subject)))

    def read(self, arm: str, subject: str) -> list[SessionProduct]:
        """Return the sessions of a subject, in order."""
        with self._reading(arm, subject) as folders:
            products = [_read(folder, arm, subject) for folder in folders]
            if [product.number for product in products] != list(range(1, len(products) + 1)):
                raise ValueError("a session is missing")
            return products

    def join_tables(self, arm: str, subject: str, newest: ArrowTables | None) -> ArrowTables:
        """Return the tables of all sessions of a subject, those of the ``newest`` one behind those that are here."""
        with self._reading(arm, subject) as folders:
            sessions = [*map(_read_tables, folders), *([] if newest is None else [newest])]
            return {name: pa.concat_tables([tables[name] for tables in sessions]) for name in sessions[0]}

    def remove(self, arm: str, subject: str) -> None:
        """Remove the sessions of a subject, and what a killed process has left of them."""
        with write_errors(self.folder):
            remove(self._subject(arm, subject))

    def _subject(self, arm: str, subject: str) -> Path:
        return self.folder / arm / subject

    @contextmanager
    def _reading(self, arm: str, subject: str) -> Iterator[list[Path]]:
        folder = self._subject(arm, subject)
        with read_errors(self.folder), damaged(folder, f"remove {folder}, and the sessions of {subject} run again"):
            yield _numbered(folder)


def _write(folder: Path, product: SessionProduct) -> None:
    new = folder.with_name(new_name(folder.name))
    remove(new)
    try:
        _fill(new, product)
        move_path(new, folder)
    except BaseException:  # on a full disk, it would keep others from their place
        shutil.rmtree(new, ignore_errors=True)
        raise


def _fill(folder: Path, product: SessionProduct) -> None:
    folder.mkdir(parents=True)
    for name, table in (product.tables or {}).items():
        with ipc.new_file(folder / f"{name}{_ARROW}", table.schema) as file:
            file.write_table(table)
    if product.record is not None:
        (folder / "record").mkdir()
        (folder / "record" / "name").write_text(product.record.name, encoding="ascii")
        for name, content in product.record.files.items():
            (folder / "record" / f"{name}.z").write_bytes(content)
    (folder / STATE).write_bytes(product.state)


def _read(folder: Path, arm: str, subject: str) -> SessionProduct:
    record = None
    if (folder / "record").is_dir():
        files = {path.name.removesuffix(".z"): path.read_bytes() for path in (folder / "record").glob("*.z")}
        record = KeptSession.checked((folder / "record" / "name").read_text(encoding="ascii"), files)
    return SessionProduct(
        arm, subject, int(folder.name), _read_tables(folder), record=record, state=(folder / STATE).read_bytes()
    )


def _read_tables(folder: Path) -> ArrowTables:
    found = {}
    for path in sorted(folder.glob(f"*{_ARROW}")):
        with ipc.open_file(path) as file:
            found[path.name.removesuffix(_ARROW)] = file.read_all()
    return found


def _numbered(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.name.isdecimal())


@contextmanager
def damaged(path: Path, remedy: str) -> Iterator[None]:
    """Raise ``RecordError`` for files that are damaged, or that another program wrote."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:  # of the system; those of Arrow have none
            raise
        raise RecordError(f"{path}: damaged ({error!s:.200}): {remedy}") from error
    except (pa.ArrowException, ValueError, LookupError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise RecordError(f"{path}: damaged ({type(error).__name__}: {error!s:.200}): {remedy}") from error


def remove(folder: Path) -> None:
    """Remove a folder if it is there. Raises ``OSError``."""
    if folder.exists():
        shutil.rmtree(folder)
