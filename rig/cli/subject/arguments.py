"""The arguments of ``rig subject``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.cli.shared_arguments import add_by, add_data, add_json, add_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser, Verbs


def add_subject(subject: Parser) -> None:
    """Add the verbs of ``rig subject``, each with its arguments."""
    verbs = subject.verbs("rig.cli.subject", "weigh M12 24.1")
    _add_entries(verbs)
    _add_lists(verbs)
    _add_corrections(verbs)
    _add_facts(verbs)
    _add_identity(verbs)
    _add_state(verbs)


def _add_entries(verbs: Verbs) -> None:
    weigh = verbs.add("weigh", "record a weight; a session of that day takes it over", "entries:weigh", "M12 24.1")
    give = verbs.add(
        "give",
        "record water or food given by hand; it counts for the day",
        "give:run",
        "M12 600ul --at 'yesterday 18:30'",
        "R1 12g",
    )
    note = verbs.add(
        "note", "record a note, such as an illness or a skipped day", "entries:note", "M12 a scratch on the left ear"
    )
    for verb in (weigh, give, note):
        _add_name(verb)
    weigh.add_argument("grams", metavar="GRAMS", help="the weight, such as 24.1")
    weigh.add_argument("--after", action="store_true", help="it was weighed after the session")
    note.add_argument("text", nargs="+", metavar="TEXT", help="the note")
    _add_amount(give)
    for verb in (weigh, give):
        verb.add_argument(
            "--at", metavar="TIME", help='when it was: "18:30", "yesterday 18:30", "2026-11-28 18:30" (default: now)'
        )
        _add_yes(verb)
    for verb in (weigh, give, note):
        add_by(verb)
        add_data(verb)


def _add_amount(give: Parser) -> None:
    give.add_argument(
        "amount", nargs="+", metavar="AMOUNT", help="how much: 320ul or 1.2ml, 5g of its usual food, 12pellets, 2.5s"
    )
    give.add_argument("--reason", metavar="WHY", help="the reason or the source (default: by hand, or top-up)")
    give.add_argument(
        "--top-up",
        nargs="?",
        const="",
        metavar="DAY",
        help="this closes the top-up of a day, and counts for it (default: of --at, or today)",
    )
    give.add_argument(
        "--session",
        metavar="SESSION",
        help="the amount is the total of this session, such as 2026-11-21/002, whose records do not tell it; needs "
        "--reason",
    )


def _add_lists(verbs: Verbs) -> None:
    show = verbs.add("show", "show weights, water, top-up, stage, last sessions and notes", "show:run", "M12")
    listing = verbs.add("list", "list all subjects with their last weight, session and top-up", "list:run", "")
    due = verbs.add("due", "list what restricted subjects are due: today, and of earlier days", "due:run", "")
    due.add_argument("--ask", metavar="NAME", help="ask whether this animal got what it is due, and record the answer")
    add_by(due)
    record = verbs.add(
        "record", "list the entries of its record, each with the number that void takes", "entries:record", "M12"
    )
    for verb in (show, record):
        _add_name(verb)
        verb.add_argument("--days", metavar="N", default="14", help="number of days (default: 14)")
    show.add_argument("--figure", metavar="FILE.png", help="draw weight and performance over the days into a file")
    listing.add_argument("--all", action="store_true", help="list retired subjects too")
    for verb in (show, listing, due, record):
        add_json(verb, "print it as JSON")
        add_data(verb)


def _add_corrections(verbs: Verbs) -> None:
    void = verbs.add(
        "void",
        "take back a wrong entry: it stays in the record, and counts no more",
        "entries:void",
        "M12 17 --reason 'it was M13'",
    )
    undo = verbs.add(
        "undo",
        "take back the last entry of today; again: the one before it",
        "entries:void",
        "M12 --reason 'it was M13'",
    )
    for verb in (void, undo):
        _add_name(verb)
    void.add_argument("id", metavar="ID", help="the number of the entry; `rig subject record NAME` lists them")
    add_reason(void)
    undo.add_argument("--reason", metavar="WHY", default="undone", help="the reason; recorded (default: undone)")
    for verb in (void, undo):
        add_by(verb)
        add_data(verb)


def _add_facts(verbs: Verbs) -> None:
    add = verbs.add(
        "add",
        "add a subject with its facts: species, sex, birth, baseline weight, ...",
        "facts:run",
        "M12 --species mouse --baseline-g 24.5 --restriction water",
    )
    change = verbs.add(
        "set",
        "change facts of a subject, such as a new baseline weight",
        "facts:run",
        "M12 --baseline-g 25.1 --by anna",
    )
    table = verbs.add(
        "import",
        "add the animals of a table; with one mistake in it nothing is written",
        "import_table:run",
        "animals.csv",
    )
    for verb in (add, change):
        _add_name(verb)
        for option, metavar, text in (
            ("--species", "WORD", "mouse, rat, pigeon or human; it selects the rules"),
            ("--sex", "WORD", "female, male or unknown"),
            ("--birth", "DATE", "date of birth, YYYY-MM-DD"),
            ("--strain", "TEXT", "strain, such as C57BL/6N"),
            ("--baseline-g", "GRAMS", "weight when it may eat and drink freely"),
            ("--baseline-date", "DATE", "the day on which that was measured (default: today)"),
            ("--implant-g", "GRAMS", "weight of its implant, which the baseline is without"),
            ("--implant-date", "DATE", "the day from which it carries it (default: today)"),
            ("--license", "TEXT", "number of the license or of the animal protocol"),
            ("--restriction", "WORD", "water, food or none (default: by the species)"),
        ):
            verb.add_argument(option, metavar=metavar, help=text)
    table.add_argument("file", nargs="?", metavar="FILE.csv", help="its columns are called like the options of add")
    table.add_argument("--template", action="store_true", help="print the header of such a table")
    for verb in (add, change, table):
        _add_yes(verb)
        add_by(verb)
        add_data(verb)


def _add_identity(verbs: Verbs) -> None:
    rename = verbs.add(
        "rename",
        "give a subject another name; its records keep the old one in their history",
        "identity:rename",
        "M81 M18 --reason 'mistyped' --by anna",
    )
    _add_name(rename)
    rename.add_argument("to", metavar="NEW", help="the new name")
    merge = verbs.add(
        "merge",
        "merge two records of one animal: M81 into M18, after a mistyped name",
        "identity:merge_records",
        "M81 into M18 --reason 'mistyped'",
    )
    merge.add_argument("subject", metavar="WRONG", help="the name that is wrong; it is retired")
    merge.add_argument("into", choices=("into",), help="the word: into")
    merge.add_argument("right", metavar="RIGHT", help="the right name; sessions and entries of both count for it")
    retire = verbs.add(
        "retire",
        "take a subject out of the lists and of what is due; its records stay",
        "identity:retire",
        "M12 --reason 'end of the experiment'",
    )
    unretire = verbs.add(
        "unretire", "take a retired subject back into the lists", "identity:retire", "M12 --reason 'one more week'"
    )
    for verb in (retire, unretire):
        _add_name(verb)
    for verb in (rename, merge, retire, unretire):
        add_reason(verb)
        add_by(verb)
        add_data(verb)


def _add_state(verbs: Verbs) -> None:
    rebuild = verbs.add("rebuild", "rebuild a lost state.json from the journals", "identity:rebuild", "M12")
    why = verbs.add("why", "explain stage selection", "why:run", "M12")
    why.add_argument("--curriculum", metavar="NAME", help="its name or file (default: that of the newest session)")
    add_json(why, "print it as JSON")
    for verb in (rebuild, why):
        _add_name(verb)
        verb.add_argument("--sim", action="store_true", help="use the simulated subject of that name")
        add_data(verb)


def _add_name(verb: Parser) -> None:
    verb.add_argument("subject", help="the subject's name")


def _add_yes(verb: Parser) -> None:
    verb.add_argument("--yes", action="store_true", help="record it without a question, even if it looks mistyped")
