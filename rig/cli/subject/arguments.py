"""The arguments of ``rig subject``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from rig.cli.argparse_ext import Parser


def add_arguments(subject: Parser) -> None:
    """Add the arguments of ``rig subject``."""
    what = subject.add_subparsers(dest="what", metavar="WHAT", required=True)
    _add_entries(what)
    _add_lists(what)
    _add_corrections(what)
    _add_facts(what)
    rebuild = what.add_parser("rebuild", help="rebuild a lost state.json from the journals")
    why = what.add_parser("why", help="explain stage selection")
    why.add_argument("--curriculum", metavar="NAME", help="its name or file (default: that of the newest session)")
    why.add_argument("--json", action="store_true", help="print it as JSON")
    given = what.add_parser("given", help="record a reward given by hand, or the unknown total of a session")
    given.add_argument("subject", help="the subject's name")
    given.add_argument("amount", nargs="+", metavar="AMOUNT", help="how much: 50ul, 3pellets, 2.5s")
    given.add_argument(
        "--session", metavar="SESSION", help="record the amount for this session, such as 2026-11-21/002"
    )
    given.add_argument("--reason", required=True, metavar="WHY", help="the reason or the source; recorded")
    _add_yes(given)
    given.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(given)
    form = what.add_parser(
        "form", help="ask a human participant for gender, age, ethnicity and grade average; kept apart from the records"
    )
    form.add_argument("--new", action="store_true", help="the participant is new: there are no records yet")
    forget = what.add_parser("forget", help="delete the answers of a participant's form; sessions are kept")
    for simulated in (rebuild, why):
        simulated.add_argument("--sim", action="store_true", help="use the simulated subject of that name")
    for of_subject in (rebuild, why, form, forget):
        of_subject.add_argument("subject", help="the subject's name")
        add_data(of_subject)


def _add_facts(what: argparse._SubParsersAction[Parser]) -> None:
    add = what.add_parser("add", help="add a subject with its facts: species, sex, birth, baseline weight, ...")
    change = what.add_parser("set", help="change facts of a subject, such as a new baseline weight")
    for facts in (add, change):
        facts.add_argument("subject", help="the subject's name")
        facts.add_argument("--species", metavar="WORD", help="mouse, rat, pigeon or human; it selects the rules")
        facts.add_argument("--sex", metavar="WORD", help="female, male or unknown")
        facts.add_argument("--birth", metavar="DATE", help="date of birth, YYYY-MM-DD")
        facts.add_argument("--strain", metavar="TEXT", help="strain, such as C57BL/6N")
        facts.add_argument("--baseline-g", metavar="GRAMS", help="weight when it may eat and drink freely")
        facts.add_argument(
            "--baseline-date", metavar="DATE", help="the day on which that was measured (default: today)"
        )
        facts.add_argument("--implant-g", metavar="GRAMS", help="weight of its implant, which the baseline is without")
        facts.add_argument("--implant-date", metavar="DATE", help="the day from which it carries it (default: today)")
        facts.add_argument("--license", metavar="TEXT", help="number of the license or of the animal protocol")
        facts.add_argument("--restriction", metavar="WORD", help="water, food or none (default: by the species)")
        _add_yes(facts)
        _add_by(facts)
    table = what.add_parser("import", help="add the animals of a table; with one mistake in it nothing is written")
    table.add_argument("file", nargs="?", metavar="FILE.csv", help="its columns are called like the options of add")
    table.add_argument("--template", action="store_true", help="print the header of such a table")
    _add_yes(table)
    _add_by(table)


def _add_entries(what: argparse._SubParsersAction[Parser]) -> None:
    weigh = what.add_parser("weigh", help="record a weight; a session of that day takes it over")
    weigh.add_argument("subject", help="the subject's name")
    weigh.add_argument("grams", metavar="GRAMS", help="the weight, such as 24.1")
    weigh.add_argument("--after", action="store_true", help="it was weighed after the session")
    water = what.add_parser("water", help="record water given by hand; it counts for the day")
    food = what.add_parser("food", help="record food given by hand: 5g of its usual food, or 12pellets")
    for by_hand, amounts in ((water, "320ul or 1.2ml"), (food, "5g or 12pellets")):
        by_hand.add_argument("subject", help="the subject's name")
        by_hand.add_argument("amount", metavar="AMOUNT", help=f"how much, such as {amounts}")
        by_hand.add_argument("--reason", metavar="WHY", help="the reason (default: by hand, or top-up)")
        by_hand.add_argument(
            "--top-up",
            nargs="?",
            const="",
            metavar="DAY",
            help="this closes the top-up of a day, and counts for it (default: of --at, or today)",
        )
    for timed in (weigh, water, food):
        timed.add_argument(
            "--at", metavar="TIME", help='when it was: "18:30", "yesterday 18:30", "2026-11-28 18:30" (default: now)'
        )
    for entered in (weigh, water, food):
        _add_yes(entered)
    note = what.add_parser("note", help="record a note, such as an illness or a skipped day")
    note.add_argument("subject", help="the subject's name")
    note.add_argument("text", nargs="+", metavar="TEXT", help="the note")
    for recorded in (weigh, water, food, note):
        _add_by(recorded)


def _add_corrections(what: argparse._SubParsersAction[Parser]) -> None:
    void = what.add_parser("void", help="take back a wrong entry: it stays in the record, and counts no more")
    void.add_argument("subject", help="the subject's name")
    void.add_argument("id", metavar="ID", help="the number of the entry; `rig subject record NAME` lists them")
    void.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded")
    undo = what.add_parser("undo", help="take back the last entry of today; again: the one before it")
    undo.add_argument("subject", help="the subject's name")
    undo.add_argument("--reason", metavar="WHY", default="undone", help="the reason; recorded (default: undone)")
    rename = what.add_parser(
        "rename", help="give a subject another name; its records keep the old one in their history"
    )
    rename.add_argument("subject", help="the subject's name")
    rename.add_argument("to", metavar="NEW", help="the new name")
    rename.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded")
    merge = what.add_parser("merge", help="merge two records of one animal: M81 into M18, after a mistyped name")
    merge.add_argument("subject", metavar="WRONG", help="the name that is wrong; it is retired")
    merge.add_argument("into", choices=("into",), help="the word: into")
    merge.add_argument("right", metavar="RIGHT", help="the right name; sessions and entries of both count for it")
    merge.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded for both")
    retire = what.add_parser("retire", help="take a subject out of the lists and of what is due; its records stay")
    unretire = what.add_parser("unretire", help="take a retired subject back into the lists")
    for of_subject in (retire, unretire):
        of_subject.add_argument("subject", help="the subject's name")
        of_subject.add_argument("--reason", required=True, metavar="WHY", help="the reason; recorded")
    for recorded in (void, undo, rename, merge, retire, unretire):
        _add_by(recorded)


def _add_lists(what: argparse._SubParsersAction[Parser]) -> None:
    show = what.add_parser("show", help="show weights, water, top-up, stage, last sessions and notes")
    show.add_argument("subject", help="the subject's name")
    show.add_argument("--days", metavar="N", default="14", help="number of days (default: 14)")
    show.add_argument("--figure", metavar="FILE.png", help="draw weight and performance over the days into a file")
    known = what.add_parser("list", help="list all subjects with their last weight, session and top-up")
    due = what.add_parser("due", help="list what restricted subjects are due: today, and of earlier days")
    record = what.add_parser("record", help="list the entries of its record, each with the number that void takes")
    record.add_argument("subject", help="the subject's name")
    record.add_argument("--days", metavar="N", default="14", help="number of days (default: 14)")
    known.add_argument("--all", action="store_true", help="list retired subjects too")
    for shown in (show, known, due, record):
        shown.add_argument("--json", action="store_true", help="print it as JSON")
        add_data(shown)


def _add_yes(parser: Parser) -> None:
    parser.add_argument("--yes", action="store_true", help="record it without a question, even if it looks mistyped")


def _add_by(parser: Parser) -> None:
    parser.add_argument("--by", metavar="NAME", help="the person responsible (default: $RIG_EXPERIMENTER)")
    add_data(parser)
