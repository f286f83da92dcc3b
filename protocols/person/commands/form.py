"""The answers of a participant's form, kept apart from the records and deleted on request.

A journal is never changed, so the answers must not enter one. The file is in the participant's folder; no session,
table or analysis reads it.
"""

from __future__ import annotations

import argparse
import json
import os

from rig.cli import common
from rig.cli.subject_names import check_known, known_subject
from rig.cli.terminal.prompt import ask
from rig.core.errors import ConfigError, RecordError
from rig.session.subject_folder import SubjectFolder
from rig.system.atomic_files import os_error_text, temporary_of, write_atomic
from rig.system.statuses import OK

FORM = "person.json"
QUESTIONS = {"gender": "gender", "age": "age", "ethnicity": "ethnicity", "grade_average": "grade average"}


def ask_form(arguments: argparse.Namespace) -> int:
    """Write the answers. Raises ``ConfigError``, ``RecordError``."""
    person = SubjectFolder(common.data_folder(arguments), arguments.subject)
    check_known(arguments, person.folder)
    with person:
        path = person.folder / FORM
        if os.path.lexists(path):
            raise ConfigError(f"{path}: is there already: `rig person forget {person.name}` deletes it")
        person.state()  # raises for a folder that has sessions but no state
        answers = {}
        for key, asked in QUESTIONS.items():
            answer = ask(f"{asked} (Enter: no answer): ")
            if answer is None:
                raise ConfigError("the form was not filled in to its end: nothing was written")
            answers[key] = answer
        write_atomic(path, json.dumps(answers, indent=2, ensure_ascii=False) + "\n", private=True)
    print(f"{path}: written; `rig person forget {arguments.subject}` deletes it")
    return OK


def forget_form(arguments: argparse.Namespace) -> int:
    """Remove the answers. Raises ``ConfigError``, ``RecordError``."""
    person = known_subject(arguments)
    path = person.folder / FORM
    try:
        # The second is left by a form that was killed while it was written.
        found = [each for each in (path, temporary_of(path)) if os.path.lexists(each)]
        for each in found:
            each.unlink(missing_ok=True)
    except OSError as error:
        raise RecordError(f"{error.filename or path}: cannot be deleted: {os_error_text(error)}") from error
    if not found:
        raise ConfigError(f"{path}: there is no such file: nothing had to be deleted")
    print(f"{', '.join(map(str, found))}: deleted; the sessions are kept")
    return OK
