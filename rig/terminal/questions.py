"""Questions of a command to a person whom another program asks, such as the launcher in its window.

The command writes a question to its standard error as a record: the sign ``MARK``, JSON, and a line end, as RFC 7464
has it. It reads the answer from its standard input, as one line. Nothing else that a command prints holds the sign: see
`rig.terminal.output`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

MARK = "\x1e"


class Question(str):
    """A question as a terminal shows it, and what a window may offer in addition.

    ``answers`` are usual answers, each with its words for a button; ``is_number`` says that a number is wanted.
    """

    answers: Sequence[tuple[str, str]]
    is_number: bool

    def __new__(cls, text: str, answers: Sequence[tuple[str, str]] = (), *, is_number: bool = False) -> Question:
        """Return a question."""
        question = super().__new__(cls, text)
        question.answers, question.is_number = tuple(answers), is_number
        return question


def question_record(text: str) -> str:
    """Return the record of a question, or of a text that is asked, with its line end."""
    question = text if isinstance(text, Question) else Question(text)
    return f"{MARK}{json.dumps([str(question), question.answers, question.is_number])}\n"


def parse_question(line: str) -> Question | None:
    """Return the question of a line; None for a line that a command has printed."""
    if not line.startswith(MARK):
        return None
    try:
        text, answers, is_number = json.loads(line.removeprefix(MARK))
        return Question(text, [(str(answer), str(words)) for answer, words in answers], is_number=bool(is_number))
    except (ValueError, TypeError, RecursionError):
        # The command was killed in the middle of it, or another program has printed the sign.
        return None
