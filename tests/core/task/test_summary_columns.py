from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import pytest

from rig.core.errors import TaskError
from rig.core.model.rows import OneOf
from rig.core.model.shares import Share
from rig.core.task.summary_columns import check_summary_columns
from rig.core.task.task import Task, TaskParams
from rig.core.task.trial_row import TrialRow


@dataclass
class Trial(TrialRow):
    choice: Annotated[str, OneOf("", "left", "right")] = ""
    side: Literal["left", "right"] = "left"
    maybe: Annotated[str | None, OneOf("left", "right")] = None
    height: Literal["high", "low"] = "low"
    word: str = ""


@dataclass
class OwnOutcomes(Trial):
    letter = "choice"
    shares: ClassVar = {"p": Share("choice", "changes")}
    outcome: Annotated[str, OneOf("", "better", "worse")] = ""


def counting(*, letter: str = "", **shares: Share) -> type[Trial]:
    return type("Counted", (Trial,), {"letter": letter, "shares": shares})


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (counting(letter="chioce"), r"Counted\.letter: Counted has no column 'chioce'\. Did you mean 'choice'\?"),
        (
            counting(p=Share("chioce", "changes")),
            r"Counted\.shares\['p'\]: Counted has no column 'chioce'\.",
        ),
        (counting(p=Share("choice", "same_as", "sied")), "has no column 'sied'. Did you mean 'side'"),
        (counting(p=Share("choice", "equals", "rihgt")), "'choice' is never 'rihgt': wanted 'left' or 'right'"),
        (counting(p=Share("side", "equals", "top")), "'side' is never 'top': wanted 'left' or 'right'"),
        (counting(p=Share("maybe", "equals", "top")), "'maybe' is never 'top': wanted 'left' or 'right'"),
        (
            counting(p=Share("choice", "same_as", "height")),
            r"'choice' \('left' or 'right'\) never is the same as 'height' \('high' or 'low'\)",
        ),
        (
            counting(p=Share("outcome", "equals", "hit")),
            "shares are of trials with the outcome 'rewarded' or 'unrewarded', and never 'hit'",
        ),
        (OwnOutcomes, r"OwnOutcomes\.shares: shares are of trials .* 'unrewarded', and outcome is 'better' or 'worse'"),
        (counting(p=Share("side", "equal", "left")), "no rule 'equal': wanted equals, same_as, changes"),  # type: ignore[arg-type]
    ],
)
def test_what_is_counted_of_a_column_that_is_not_there_or_of_a_word_that_never_is_refused(
    kind: type[Trial], said: str
) -> None:
    with pytest.raises(TaskError, match=said):
        check_summary_columns(kind)


def test_what_can_be_counted_is_accepted_and_of_a_plain_word_any_word() -> None:
    check_summary_columns(
        counting(
            letter="choice",
            right=Share("choice", "equals", "right"),
            same=Share("choice", "same_as", "side"),
            changes=Share("side", "changes"),
            any=Share("word", "equals", "whatever"),
        )
    )


def test_a_task_cannot_be_made_with_rows_that_want_what_is_not_there_counted() -> None:
    @dataclass
    class Row(TrialRow):
        shares: ClassVar[Mapping[str, Share]] = {"p": Share("choice", "changes")}

    with pytest.raises(TaskError, match="Row has no column 'choice'"):

        class Made(Task[TaskParams, Any, Row]):
            pass
