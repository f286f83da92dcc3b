"""Run the sessions of a study that have not run yet."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rig.campaigns.condition import Condition
from rig.campaigns.jobs import Chain, Engine
from rig.campaigns.session_job import ALL_RECORDS, SessionOrder, SessionProduct, run_job
from rig.campaigns.store import CampaignStore
from rig.config.models.study_file import StudyFile
from rig.core.task.random_streams import session_seed
from rig.records.journal.read import JOURNAL

FIRST_DAY = datetime.datetime(2026, 1, 5, 9)
"""When the first session of every subject begins, in virtual time."""


@dataclass(frozen=True)
class ArmSessions:
    """The sessions of an arm: how many each subject has, how its first order is made, and which have run."""

    name: str
    condition: Condition
    subjects: tuple[str, ...]
    sessions: int
    seed: int
    keeps: tuple[str, ...]
    """The files of a session that are kept beside the tables."""

    @classmethod
    def of(cls, file: StudyFile, name: str, condition: Condition) -> ArmSessions:
        """Return the sessions of an arm of a study."""
        keeps = ALL_RECORDS if file.keep == "journals" else ()
        count = file.arm(name).session_count
        return cls(name, condition, tuple(file.subjects_of(name)), count, file.seed, keeps)

    @property
    def total(self) -> int:
        """Return the number of all its sessions, if no curriculum ends before."""
        return len(self.subjects) * self.sessions

    def order(self, subject: str, before: tuple[SessionProduct, ...]) -> SessionOrder:
        """Return the session of a subject that comes after some."""
        number = len(before) + 1
        past = tuple(each.record.only(JOURNAL) for each in before if each.record is not None)
        return SessionOrder(
            condition=self.condition,
            arm=self.name,
            subject=subject,
            number=number,
            # The arm is in the seed: a subject that comes under two conditions does not repeat its draws.
            seed=session_seed(self.seed, f"{self.name}/{subject}", number - 1),
            start=FIRST_DAY + datetime.timedelta(days=number - 1),
            past=past,
            state=before[-1].state if before else b"",
            keeps=self.keeps or ((JOURNAL,) if number < self.sessions else ()),
        )

    def is_last(self, product: SessionProduct) -> bool:
        """Whether no session follows for the subject: it has all, or its curriculum is over."""
        return product.tables is None or product.number == self.sessions


def run_sessions(
    arms: Mapping[str, ArmSessions],
    store: CampaignStore,
    engine: Engine,
    on_session: Callable[[SessionProduct], object] = lambda product: None,
) -> None:
    """Run what is not in the store yet, and write each session there; ``on_session`` is called behind each.

    Raises ``RigError``, and ``KeyboardInterrupt`` after a stop: what ran is in the store.
    """
    chains = (chain for arm in arms.values() for chain in _chains(arm, store))
    for product in engine.run(run_job, chains):
        store.add(product, last=arms[product.arm].is_last(product))
        on_session(product)


def sessions_done(arm: ArmSessions, store: CampaignStore) -> int:
    """Return how many sessions of an arm need not run any more."""
    return sum(
        arm.sessions if store.is_finished(arm.name, subject) else store.unfinished_count(arm.name, subject)
        for subject in arm.subjects
    )


def _chains(arm: ArmSessions, store: CampaignStore) -> Iterator[Chain[SessionOrder, SessionProduct]]:
    for subject in arm.subjects:
        if store.is_finished(arm.name, subject):
            store.tidy(arm.name, subject)
        else:
            yield _chain(arm, subject, tuple(store.unfinished(arm.name, subject)))


def _chain(arm: ArmSessions, subject: str, before: tuple[SessionProduct, ...]) -> Chain[SessionOrder, SessionProduct]:
    done = list(before)

    def after(product: SessionProduct) -> SessionOrder | None:
        if arm.is_last(product):
            return None
        done.append(product)
        return arm.order(subject, tuple(done))

    return Chain(arm.order(subject, before), after)
