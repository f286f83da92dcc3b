"""What a PI may change in every task with people: the texts on the screen, their language, and a payment for coming."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from rig import TaskParams

Words = Annotated[str, Field(min_length=1)]
SILENT = "ours: the paper is silent"


class PersonTexts(TaskParams):
    """What a participant reads in every task, in one language."""

    filled: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """The texts in which words in braces are filled in, each with examples of what."""

    consent: Words = Field(description="what it is about, and that one may stop at any time")
    agree: Words = Field(description="button: I take part")
    decline: Words = Field(description="button: I do not")
    instructions: tuple[Words, ...] = Field(min_length=1, description="pages to be read before the task")
    next_page: Words = Field(description="button: the next page")
    stop: Words = Field(description="button: I want to stop")
    stop_question: Words = Field(description="asked again before stopping")
    go_on: Words = Field(description="button: go on after all")
    debriefing: Words = Field(description="what it was really about; {points} and {payment} are filled in")
    payment: Words = Field(description="stands for {payment} in it where points are paid; {amount} is filled in")
    finish: Words = Field(description="button: the end")

    @model_validator(mode="after")
    def _can_be_filled_in(self) -> Self:
        for name, words in self.filled.items():
            for text in _texts(getattr(self, name)):
                check_braces(name, text, words)
        return self


def check_braces(name: str, text: str, words: Iterable[str]) -> None:
    """Check that only these words in braces are in a text, with nothing beside them. Raises ``ValueError``.

    A format such as ``{clicks:>999999999}`` would fill the memory.
    """
    accepted = tuple(words)
    try:
        found = [field for field in Formatter().parse(text) if field[1] is not None]
    except ValueError as error:
        raise ValueError(f"{name}: {error}: {_wanted(accepted)}") from None
    for _, word, form, conversion in found:
        if word not in accepted or form or conversion:
            said = f"{word}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
            raise ValueError(f"{name}: {{{said:.40}}} cannot be filled in: {_wanted(accepted)}")


def _wanted(words: Iterable[str]) -> str:
    return f"wanted {', '.join(f'{{{word}}}' for word in words) or 'none'}, and no other braces"


def _texts(said: str | Sequence[str] | Mapping[str, str]) -> Iterable[str]:
    """Return one text, or those of a list or a mapping."""
    if isinstance(said, str):
        return (said,)
    return said.values() if isinstance(said, Mapping) else said


class PersonParams(TaskParams):
    """Parameters of every task with people."""

    sources: ClassVar = {"show_up_pay": SILENT, "language": SILENT}

    show_up_pay: float = Field(default=0.0, ge=0, description="paid to everybody, in your own currency")
    language: str = Field(default="en", description="which of the texts are shown")
    texts: Mapping[str, PersonTexts] = Field(min_length=1, description="the texts, by language")

    @model_validator(mode="after")
    def _has_texts(self) -> Self:
        if self.language not in self.texts:
            raise ValueError(f"language is '{self.language}': there are texts in {', '.join(self.texts)}")
        return self
