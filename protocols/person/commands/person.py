"""Ask human participants for facts about themselves, or forget them."""

from __future__ import annotations

from rig.cli.shared_arguments import add_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_arguments(person: Parser) -> None:
    """Add the verbs of ``rig person``, each with its arguments."""
    verbs = person.verbs("protocols.person.commands", "form P01 --new")
    form = verbs.add(
        "form",
        "ask for gender, age, ethnicity and grade average; the answers are kept apart from the records",
        "form:ask_form",
        "P01 --new",
    )
    form.add_argument("--new", action="store_true", help="the participant is new: there are no records yet")
    forget = verbs.add(
        "forget", "delete the answers of a participant's form; sessions are kept", "form:forget_form", "P01"
    )
    for verb in (form, forget):
        verb.add_argument("subject", help="the participant's name")
        add_data(verb)
