"""The arguments of ``rig export``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from pathlib import Path

from rig.cli.shared_arguments import add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser, Verbs


def add_export(export: Parser) -> None:
    """Add the formats of ``rig export``, each with its arguments."""
    export.description = "Write recorded sessions in formats of other programs. The journal stays the record."
    formats = export.verbs("rig.cli.export", "csv data/M12/2026-11-21/001")
    _add_tables(formats)
    _add_nwb(
        formats.add(
            "nwb",
            "one file for each session, as Neurodata Without Borders has it",
            "nwb:run",
            "data/M12/2026-11-21/001",
        )
    )


def _add_tables(formats: Verbs) -> None:
    csv = formats.add(
        "csv", "tables as CSV files, for spreadsheets and other programs", "tables:csv", "data/M12/2026-11-21/001"
    )
    csv.description = (
        "Write the tables of sessions as CSV: trials and the further tables of the protocol, edges, spans of inputs "
        "and outputs, states, rewards, touches, positions, samples, notes, faults and others. columns.json describes "
        "them. After `rig align` each time is there on the other system's clock, too."
    )
    parquet = formats.add(
        "parquet", "the same tables as Parquet files, with types and units", "tables:parquet", "data/M12/2026-11-21/001"
    )
    parquet.description = (
        "Write the tables of sessions as Parquet: those of `rig export csv`, with types. The fields have units and "
        "descriptions as metadata. It needs the extra data: pip install 'behavior-rig[data]'."
    )
    for tables in (csv, parquet):
        tables.add_argument(
            "sessions",
            nargs="+",
            type=Path,
            metavar="SESSION",
            help="a session's folder, a journal, a subject's folder, or that of all subjects",
        )
        tables.add_argument(
            "--to",
            type=Path,
            default=Path(),
            metavar="FOLDER",
            help="write a folder for each session here (default: the folder in which you are)",
        )
        tables.add_argument("--force", action="store_true", help="replace the tables of an earlier export")
        add_json(tables)


def _add_nwb(nwb: Parser) -> None:
    nwb.description = (
        "Write a file of Neurodata Without Borders for each session, as the DANDI archive accepts it. Facts of the "
        "subject come from its records; an option replaces a fact in all files of this command. After `rig align` "
        "each time is there on the other system's clock, too."
    )
    nwb.add_argument("sessions", nargs="+", metavar="SESSION", help="a session's folder or its journal")
    nwb.add_argument(
        "--to",
        metavar="PATH",
        help="a file (.nwb), or a folder, which gets a folder for each subject (default: beside the journal)",
    )
    nwb.add_argument("--force", action="store_true", help="replace files that exist")
    nwb.add_argument(
        "--incomplete", action="store_true", help="write files although DANDI requires a fact that is not known"
    )
    _add_facts(nwb)
    add_json(nwb, "print what was written as JSON")


def _add_facts(nwb: Parser) -> None:
    subject = nwb.add_argument_group("facts of the subject")
    for option, metavar, text in (
        ("--subject-id", "NAME", "another name for the subject"),
        ("--species", "NAME", "mouse, rat, pigeon, human, or a Latin name such as 'Mus musculus'"),
        ("--sex", "WORD", "female, male, unknown or other"),
        ("--age", "DURATION", "the age instead of the date of birth, as P90D or P25Y"),
        ("--strain", "TEXT", "strain, such as C57BL/6N"),
        ("--genotype", "TEXT", "genotype"),
    ):
        subject.add_argument(option, metavar=metavar, default="", help=text)
    subject.add_argument("--birth", metavar="DATE", help="date of birth, YYYY-MM-DD; the file has only the age")
    work = nwb.add_argument_group("facts of the experiment")
    work.add_argument("--lab", metavar="NAME", help="the laboratory (default: lab of rig.toml)")
    work.add_argument("--institution", metavar="NAME", help="its institution (default: institution of rig.toml)")
    for option, metavar, text in (
        ("--experimenter", "NAME", "'Doe, Jane', instead of the name in the records"),
        ("--keyword", "TEXT", "a further keyword"),
        ("--publication", "TEXT", "a related publication, https://doi.org/..."),
    ):
        work.add_argument(option, metavar=metavar, action="append", default=[], help=f"{text}; may be repeated")
