"""A mouse from a table: it changes side as often as real mice did after the same few trials.

The table is JSON, such as ``rig analyze --ngram FILE`` writes. Its words are those of Beron et al. (2022, history
code): A for the side of the word's first trial, B for the other, upper case where it was rewarded.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from protocols.two_armed_bandit.subjects.learner_mouse import LearnerMouse
from protocols.two_armed_bandit.subjects.learners.heuristics import NgramLearner
from protocols.two_armed_bandit.subjects.nose_port_mouse import NosePortParams
from rig.core.errors import ConfigError

LONGEST_WORD = 10
EXAMPLE = (
    '{"format": 1, "kind": "ngram", "length": 3, "p_switch": 0.07, "words": {"AAA": {"n": 4711, "p_switch": 0.01}}}'
)

Probability = Annotated[float, Field(ge=0, le=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class Word(_Part):
    """How often the word was seen, and how often the side was changed after it."""

    n: int = Field(ge=0)
    p_switch: Probability


class NgramTable(_Part):
    """The file."""

    format: Literal[1]
    kind: Literal["ngram"]
    length: int = Field(ge=1, le=LONGEST_WORD)
    p_switch: Probability
    words: dict[str, Word]

    @model_validator(mode="after")
    def _words_are_spelled(self) -> NgramTable:
        spelling = re.compile(f"[Aa][AaBb]{{{self.length - 1}}}")
        if wrong := [word for word in self.words if not spelling.fullmatch(word)]:
            raise ValueError(
                f"no words of this table: {', '.join(map(repr, wrong[:5]))}; wanted {self.length} letters of A, a, B "
                "and b, the first of them A or a"
            )
        return self


class NgramParams(NosePortParams):
    """Which table."""

    file: Path = Field(description="a JSON table of words, as `rig analyze --ngram FILE` writes it")


class NgramMouse(LearnerMouse):
    """Chooses by a table of words."""

    Params = NgramParams

    def __init__(self, params: NgramParams) -> None:
        table = read_table(params.file)
        p_switch = {word: row.p_switch for word, row in table.words.items()}
        super().__init__(params, NgramLearner(table.length, table.p_switch, p_switch))


def read_table(path: Path) -> NgramTable:
    """Read a table of words. Raises ``ConfigError`` with all mistakes."""
    try:
        return NgramTable.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise ConfigError(
            *(f"{path}: {_place(mistake['loc'])}{mistake['msg']}; {_wanted()}" for mistake in error.errors())
        ) from None
    except (OSError, ValueError) as error:
        why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{path}: cannot be read as a table of words: {why}; {_wanted()}") from None


def _place(loc: tuple[int | str, ...]) -> str:
    return "".join(f"{key}." for key in loc)[:-1] + ": " if loc else ""


def _wanted() -> str:
    return f"wanted such as `{EXAMPLE}`"
