"""People whose clicks say nothing about a model, and tables in which some of a person's rounds are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from protocols.searching.analysis.rounds import GridPerson

_FEWEST_PEOPLE = 3
"""With fewer people nothing is usual."""


def why_unfit(person: GridPerson) -> str:
    """Return why no model can be fitted to a person's choices, empty if one can.

    A model predicts every repetition of one tile perfectly, whatever the person has learned.
    """
    rounds = [each for each in person.rounds if each.clicks]
    if all(each.clicks == 1 for each in rounds):
        return "has one click in each round"
    if all(len(set(each.tile[1:].tolist())) == 1 for each in rounds):
        return "clicks on one tile only"
    return ""


def uneven_rounds(people: Sequence[GridPerson]) -> Iterator[str]:
    """Yield a note for each person of a table whose rounds are fewer or shorter than those of the others."""
    counts = Counter(len(person.rounds) for person in people)
    usual = counts.most_common(1)[0][0] if len(people) >= _FEWEST_PEOPLE else 0
    lengths = Counter(each.clicks for person in people for each in person.rounds)
    for person in people:
        numbers = {each.number for each in person.rounds}
        missing = sorted(set(range(1, max(numbers) + 1)) - numbers)
        if missing:
            yield f"{person.name}: round {', '.join(map(str, missing))} is missing, or has no click"
        elif len(numbers) < usual:
            yield f"{person.name}: has {len(numbers)} rounds, and most others have {usual}"
        for each in person.rounds:
            if lengths[each.clicks] == 1 and lengths.total() > _FEWEST_PEOPLE * len(lengths):
                yield f"{person.name}: round {each.number} has {each.clicks} clicks, as no other round: is it complete?"
