"""``rig show curricula``: what is shipped, what lies in folders here, and the stages of each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from rig.cli.show.installed import show
from rig.cli.terminal.printing import print_json
from rig.config import files, load_config, validate
from rig.config.errors.formatting import display_path
from rig.config.models.curriculum import CurriculumFile
from rig.core.errors import ConfigError
from rig.system.first_sentence import first_comment
from rig.system.statuses import OK


@dataclass(frozen=True)
class StageSummary:
    """A stage: what it runs, and where its rules lead."""

    name: str
    protocol: str
    rules: list[str]


@dataclass(frozen=True)
class CurriculumEntry:
    """A curriculum, or what keeps it from being one."""

    name: str
    path: str
    sentence: str
    mistake: str = ""
    stages: list[StageSummary] = field(default_factory=list)


def run(arguments: argparse.Namespace) -> int:
    """Print the curricula."""
    listed = list(curricula())
    if arguments.json:
        print_json({"curricula": [asdict(each) for each in listed]})
    else:
        show((each.name, each.path, each.sentence, each.mistake, _lines(each)) for each in listed)
    return OK


def curricula() -> Iterator[CurriculumEntry]:
    """Yield all curricula; one that is wrong with its first mistake."""
    for name, path in files("curricula"):
        try:
            file = validate(CurriculumFile, load_config(path))
        except ConfigError as error:
            yield CurriculumEntry(name, display_path(path), first_comment(path), str(error.mistakes[0]))
            continue
        stages = [
            StageSummary(stage, of.protocol, [f"{rule.to}: {rule}" for rule in of.rules])
            for stage, of in file.stages.items()
        ]
        yield CurriculumEntry(name, display_path(path), first_comment(path), stages=stages)


def _lines(listed: CurriculumEntry) -> list[tuple[str, str]]:
    return [(each.name, " | ".join((each.protocol, *(f"-> {rule}" for rule in each.rules)))) for each in listed.stages]
