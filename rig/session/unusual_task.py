"""Compare what a session runs with its subject: its species, its training, and its last sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rig.config import find, load_config, names, validate
from rig.config.models.curriculum import CurriculumFile
from rig.config.species import NOUNS, Species
from rig.core.errors import RigError
from rig.records.session.brief import SessionBrief
from rig.session.select_stage import select_stage
from rig.session.spec.session_spec import SessionSpec

RECENT = 5
"""How many last sessions show whether a subject is in training, and which protocol it is used to."""


def unusual_task(
    spec: SessionSpec, subject: str, species: Species | None, newest_first: Sequence[SessionBrief]
) -> Iterator[str]:
    """Yield what is unusual about this protocol in this subject."""
    if species is not None and spec.species not in (None, species):
        yield f"{subject} is {NOUNS[species][0]}; {spec.protocol_name} is written for {NOUNS[spec.species][1]}"
    counted = [past for past in newest_first if past.voided is None]
    recent = counted[:RECENT]
    training = next((past.header.curriculum for past in recent if past.header.curriculum is not None), None)
    of_session = None if spec.decision is None else spec.decision.curriculum
    if training is not None and training.name == of_session:
        return
    runs = spec.protocol_name if spec.decision is None else f"stage {spec.decision.stage} of {of_session}"
    if training is not None and not _is_finished(training.name, subject, counted):
        yield (
            f"{subject} is in training {training.name}, stage {training.stage}; "
            f"this session runs {runs} and does not count for it"
        )
    before = {past.header.protocol_name for past in recent}
    if training is None and len(recent) == RECENT and len(before) == 1 and spec.protocol_name not in before:
        yield f"{subject}'s last {RECENT} sessions ran {before.pop()}; this session runs {runs}"


def _is_finished(curriculum: str, subject: str, newest_first: Sequence[SessionBrief]) -> bool:
    """Whether a subject has completed a curriculum; not known, and False, if its file is not there or wrong."""
    if curriculum not in names("curricula"):  # a journal must not choose a path
        return False
    try:
        file = validate(CurriculumFile, load_config(find("curricula", curriculum)))
        return select_stage(curriculum, file, newest_first, subject=subject).finished
    except RigError:
        return False
