"""The arguments of ``rig export nwb``. Import nothing heavy: completion reads it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_nwb_arguments(nwb: Parser) -> None:
    """Add the arguments of ``rig export nwb``."""
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
    subject = nwb.add_argument_group("facts of the subject")
    subject.add_argument("--subject-id", metavar="NAME", default="", help="another name for the subject")
    subject.add_argument(
        "--species",
        metavar="NAME",
        default="",
        help="mouse, rat, pigeon, human, or a Latin name such as 'Mus musculus'",
    )
    subject.add_argument("--sex", metavar="WORD", default="", help="female, male, unknown or other")
    subject.add_argument("--birth", metavar="DATE", help="date of birth, YYYY-MM-DD; the file has only the age")
    subject.add_argument("--age", metavar="DURATION", default="", help="the age instead, as P90D or P25Y")
    subject.add_argument("--strain", metavar="TEXT", default="", help="strain, such as C57BL/6N")
    subject.add_argument("--genotype", metavar="TEXT", default="", help="genotype")
    work = nwb.add_argument_group("facts of the experiment")
    work.add_argument(
        "--experimenter",
        metavar="NAME",
        action="append",
        default=[],
        help="'Doe, Jane', instead of the name in the records; may be repeated",
    )
    work.add_argument("--lab", metavar="NAME", help="the laboratory (default: lab of rig.toml)")
    work.add_argument("--institution", metavar="NAME", help="its institution (default: institution of rig.toml)")
    for name, what in (("keyword", "a further keyword"), ("publication", "a related publication, https://doi.org/...")):
        work.add_argument(f"--{name}", metavar="TEXT", action="append", default=[], help=f"{what}; may be repeated")
    nwb.add_argument("--json", action="store_true", help="print what was written as JSON")
