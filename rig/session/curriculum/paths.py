"""Which stages the rules of a curriculum reach, and where they lead in a circle instead of on."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config.errors.errors import Loc
from rig.config.models.curriculum import END, CurriculumFile


def unreached(file: CurriculumFile) -> list[str]:
    """Return the stages to which no chain of rules leads from the first ones."""
    reached = _reached(file)
    return [name for name in file.stages if name not in reached]


def circles(file: CurriculumFile) -> Iterator[tuple[Loc, str]]:
    """Yield the rules that lead back where no rule leads on: subjects never come to the stages that are left.

    A curriculum may go round for ever, as in a crossover; then it has no other stages. A stage without rules is where a
    training ends, and others are then chosen by hand.
    """
    reached, order = _reached(file), list(file.stages)
    left = unreached(file)
    if not left or END in reached or any(not file.stages[name].rules for name in reached):
        return
    for name in order:
        for index, rule in enumerate(file.stages[name].rules if name in reached else ()):
            following = next((stage for stage in order[order.index(name) + 1 :] if stage in left), None)
            if following is not None and order.index(rule.to) < order.index(name):
                text = f"leads back to {rule.to}, and no rule leads to {' or '.join(left)}: did you mean '{following}'?"
                yield ("stages", name, "rules", index, "to"), text


def skipped(file: CurriculumFile) -> Iterator[tuple[Loc, str]]:
    """Yield the stages to which no rule leads, and past which a rule leads on.

    A stage after the last one of a training, or of a training without rules, is chosen by hand.
    """
    reached, order = _reached(file), list(file.stages)
    for name in unreached(file):
        place = order.index(name)
        for before in (stage for stage in order[:place] if stage in reached):
            later = [rule.to for rule in file.stages[before].rules if rule.to in order[place + 1 :]]
            if later:
                text = f"no rule leads to {name}: that of {before} leads past it, to {later[0]}; write to: {name} there"
                yield ("stages", name), text
                break


def _reached(file: CurriculumFile) -> set[str]:
    reached: set[str] = set()
    ahead = list(file.begins)
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += [rule.to for rule in file.stages[name].rules] if name in file.stages else []
    return reached
