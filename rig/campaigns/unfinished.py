"""One session of a campaign in a folder, as long as its subject has more to come: tables, records, and the state."""

from __future__ import annotations

import os
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
from rig.session.subject import STATE
from rig.system.atomic_files import new_name

_ARROW = ".arrow"


def write_session(folder: Path, product: SessionProduct) -> None:
    """Write a session into a folder of its own, completely or not at all. Raises ``OSError``."""
    new = folder.with_name(new_name(folder.name))
    remove(new)
    try:
        _fill(new, product)
        os.rename(new, folder)
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


def read_session(folder: Path, arm: str, subject: str) -> SessionProduct:
    """Read a session. Raises ``OSError``, and what ``damaged`` catches."""
    record = None
    if (folder / "record").is_dir():
        files = {path.name.removesuffix(".z"): path.read_bytes() for path in (folder / "record").glob("*.z")}
        record = KeptSession.checked((folder / "record" / "name").read_text(encoding="ascii"), files)
    return SessionProduct(
        arm, subject, int(folder.name), read_tables(folder), record=record, state=(folder / STATE).read_bytes()
    )


def read_tables(folder: Path) -> ArrowTables:
    """Read the tables of a session. Raises ``OSError``, and what ``damaged`` catches."""
    found = {}
    for path in sorted(folder.glob(f"*{_ARROW}")):
        with ipc.open_file(path) as file:
            found[path.name.removesuffix(_ARROW)] = file.read_all()
    return found


def numbered(folder: Path) -> list[Path]:
    """Return the folders of a subject's sessions, in order. Raises ``OSError``."""
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
