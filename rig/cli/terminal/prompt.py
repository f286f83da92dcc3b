"""Questions to a person, on standard error: standard output is for scripts.

The person is at the terminal, or at a program that has started this one and asks by records: `rig.terminal.questions`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from rig.core.errors import ConfigError
from rig.platform.keys import discard_typed
from rig.terminal.output import styled_output
from rig.terminal.questions import Question, question_record

_asks_by_records = False


def ask_by_records() -> None:
    """Set this program to ask by records from now on."""
    global _asks_by_records
    _asks_by_records = True


def is_interactive() -> bool:
    """Whether a person can be asked: a terminal is on standard input and standard error, or a program asks."""
    return _asks_by_records or all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask(question: str) -> str | None:
    """Return the typed answer to a question; None at the end of input."""
    if _asks_by_records:
        styled_output(sys.stderr).write(question_record(question))
        sys.stderr.flush()
    else:
        _show(question)
    answer = sys.stdin.readline()
    return answer.strip() if answer else None


def ask_now(question: str) -> str | None:
    """Return the answer to a question; keys that were typed before it do not count, such as a second Enter."""
    if is_interactive() and not _asks_by_records:
        discard_typed()  # an earlier Enter must not confirm it
    return ask(question)


def confirm_name(name: str) -> None:
    """Wait for the name, in any case, or y; Enter alone asks again. Raises ``ConfigError`` for any other answer."""
    question = Question(f"Is it {name}? [type {name} or y] ", (("y", f"yes, it is {name}"), ("n", "no")))
    answer: str | None = ""
    while answer == "":
        answer = ask_now(question)
    if answer is None or answer.lower() not in (name.lower(), "y", "yes"):
        raise ConfigError("Not confirmed; session not started.")


async def ask_meanwhile(question: str) -> str | None:
    """Return the answer to a question while the loop keeps running for the board; None at the end of input."""
    discard_typed()
    _show(question)
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[bytes] = loop.create_future()

    def take(line: bytes) -> None:
        if not typed.done():
            typed.set_result(line)

    def read() -> None:
        line = os.read(sys.stdin.fileno(), 1024)  # not sys.stdin, for which Python waits at exit
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(take, line)

    threading.Thread(target=read, name="answer", daemon=True).start()
    line = await typed
    return line.decode(errors="replace").strip() if line else None


def _show(question: str) -> None:
    """Print a question line by line: the stream escapes a line end within a text."""
    for line in question.splitlines(keepends=True):
        sys.stderr.write(line)
    sys.stderr.flush()


Value = TypeVar("Value")


def settle_doubt(
    value: Value, doubt: Callable[[Value], str], parse: Callable[[str], Value], what: str, *, yes: bool
) -> Value:
    """Return the value if it suits, or if a person types the same one again; another one is checked in its place.

    ``doubt`` returns the question about a value, ``what`` names what is typed, such as "amount"; ``yes`` is ``--yes``.
    Raises ``ConfigError`` if it is left, or if there is no terminal.
    """
    while not yes and (question := doubt(value)):
        if not is_interactive():
            raise ConfigError(f"{question} Nothing was recorded: add --yes if it is right")
        asked = f"{question} Type the {what} again, or Enter to leave it: "
        answer = ask_now(Question(asked, (("", "leave it"),), is_number=isinstance(value, float)))
        if not answer:
            raise ConfigError("Left: nothing was recorded.")
        again = parse(answer)
        if again == value:
            return value
        value = again
    return value
